/**
 * A seeded world that runs the real machines through pauses, drifting clocks and lost messages, and checks the rules after
 * each step. It models stores and fences; real ones are tested by the contract kits.
 */
@NullMarked
package dev.signet.simulation;

import org.jspecify.annotations.NullMarked;
