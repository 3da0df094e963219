package dev.signet.simulation;

import dev.signet.Stamp;

/**
 * A write that somebody decided on.
 *
 * @param id keeps it from landing twice
 * @param decidedUnder the stamp of the term in which it was decided
 * @param stamp what it carries; the same, unless its writer breaks the rules
 */
record Write(long id, Stamp decidedUnder, Stamp stamp) {}
