/**
 * The stores and resources that a URI on the command line can name. An adapter joins by one class for its scheme and one line in
 * {@link dev.signet.app.place.StoreSchemes} or {@link dev.signet.app.place.ResourceSchemes}.
 */
@NullMarked
package dev.signet.app.place;

import org.jspecify.annotations.NullMarked;
