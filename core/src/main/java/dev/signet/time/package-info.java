/** Clocks and the event loop: the only places where time enters. Nothing here knows of leases or roles. */
@NullMarked
package dev.signet.time;

import org.jspecify.annotations.NullMarked;
