/** The session machine: one per candidate and store, a pure function. No I/O, clock, random, thread or log. */
@NullMarked
package dev.signet.election.session;

import org.jspecify.annotations.NullMarked;
