/** What a fence must do: the SPI that refuses writes of superseded terms where they land. No fence lives here. */
@NullMarked
package dev.signet.fence;

import org.jspecify.annotations.NullMarked;
