/**
 * {@code JdbcStore} on a PostgreSQL server beside two libraries that elect by rows of a database, each in processes of its own, all in
 * one run on one server. {@link dev.signet.benchmarks.jdbc.Comparison} is where it begins.
 */
@NullMarked
package dev.signet.benchmarks.jdbc;

import org.jspecify.annotations.NullMarked;
