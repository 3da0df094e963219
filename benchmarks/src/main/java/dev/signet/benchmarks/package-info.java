/**
 * Measurements of what a caller waits for. Nothing here is a gate, and no module depends on it.
 */
@NullMarked
package dev.signet.benchmarks;

import org.jspecify.annotations.NullMarked;
