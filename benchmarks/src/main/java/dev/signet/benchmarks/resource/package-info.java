/** The resource that leaders write to while it is measured how long nobody could. Knows nobody that elects them. */
@NullMarked
package dev.signet.benchmarks.resource;

import org.jspecify.annotations.NullMarked;
