/** The shell around the pure machines: threads, timers, store calls, callbacks. Users see it only through the front door. */
@NullMarked
package dev.signet.runtime;

import org.jspecify.annotations.NullMarked;
