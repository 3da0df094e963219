/**
 * What the tests of an adapter and of an application stand on: contract kits, the memory store, a clock that the test moves.
 * Nothing here runs in production, and nothing here searches for faults by itself: that is the simulation.
 */
@NullMarked
package dev.signet.testkit;

import org.jspecify.annotations.NullMarked;
