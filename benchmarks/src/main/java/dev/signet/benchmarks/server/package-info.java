/** The server that all are measured on, and how figures are kept and shown. Knows nobody that is measured. */
@NullMarked
package dev.signet.benchmarks.server;

import org.jspecify.annotations.NullMarked;
