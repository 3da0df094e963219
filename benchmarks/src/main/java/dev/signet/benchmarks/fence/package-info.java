/**
 * What the fence costs on PostgreSQL: the same transactions with it and without it, in pairs, and seals beside busy writers.
 * {@link dev.signet.benchmarks.fence.FenceCost} is where it begins.
 */
@NullMarked
package dev.signet.benchmarks.fence;

import org.jspecify.annotations.NullMarked;
