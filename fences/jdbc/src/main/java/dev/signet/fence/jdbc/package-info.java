/**
 * A fence inside a relational database: the seal, and the check in the transaction that it protects. It knows no store, and
 * decides nothing about who leads.
 *
 * <p>Its limits, before its use: on SQLite a process that is stopped inside a write transaction keeps its successor's seal out
 * until it is killed; whoever may write the file may drop what protects it; the database must not lie on a network file system
 * or in the file of the store that elects. {@code docs/reference/fence-sqlite.md} has them all, with the tests that show them, and
 * {@code fence-mariadb.md} those of MariaDB and H2.
 *
 * <p>What differs from database to database is behind the package's {@code Dialect}; all that decides whether a stamp passes
 * is outside of it.
 */
@NullMarked
package dev.signet.fence.jdbc;

import org.jspecify.annotations.NullMarked;
