/**
 * Stores that decide leadership in a relational database: the {@linkplain dev.signet.store.jdbc.LocalStore local store} in a
 * SQLite file, and the {@linkplain dev.signet.store.jdbc.JdbcStore store on a PostgreSQL or MariaDB server}. Whatever checks a
 * write where it lands is a fence, and does not belong here.
 *
 * <p>From top to bottom: {@code SqlStore} takes calls; a {@code Lane} carries them in batches, in transactions on a {@code
 * Link}; {@code Transactions} says what each does there, on {@code SessionTable} and {@code RoleTable}; {@code Leases} judges
 * time on a {@code LeaseClock}; the {@code Poller} serves watches. All that knows no database.
 *
 * <p>A {@code Database} gives the links: SQLite's own is in {@code SqliteLink}, {@code StoreFile}, {@code FileSchema}, {@code
 * Place} and {@code FileFaults}; that of servers in {@code Server}, {@code ServerLink}, {@code ServerSchema} and {@code
 * ServerClock}; and what differs between servers in {@code PostgresDialect} and {@code MariaDbDialect}.
 */
@NullMarked
package dev.signet.store.jdbc;

import org.jspecify.annotations.NullMarked;
