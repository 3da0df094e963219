/** What a store must do: the SPI that decides leadership, in values. No store lives here. */
@NullMarked
package dev.signet.store;

import org.jspecify.annotations.NullMarked;
