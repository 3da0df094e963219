/** The role machine: one per election, a pure function. No I/O, clock, random, thread or log. */
@NullMarked
package dev.signet.election.role;

import org.jspecify.annotations.NullMarked;
