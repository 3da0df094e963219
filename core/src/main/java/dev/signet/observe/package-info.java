/** What a candidate tells those who watch it: events, counters. Nothing here can hold up a heartbeat. */
@NullMarked
package dev.signet.observe;

import org.jspecify.annotations.NullMarked;
