/** The promise behind a session: its timing and the moment until which it is valid. */
@NullMarked
package dev.signet.lease;

import org.jspecify.annotations.NullMarked;
