/** Processes that contend for roles and say when they are elected, and whoever tells them to. What they contend in, their callers say. */
@NullMarked
package dev.signet.benchmarks.contest;

import org.jspecify.annotations.NullMarked;
