/** What three voters with their logs on disk take, for very many roles and for one. */
@NullMarked
package dev.signet.benchmarks.quorum;

import org.jspecify.annotations.NullMarked;
