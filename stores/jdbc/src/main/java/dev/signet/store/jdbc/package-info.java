/**
 * Stores that decide leadership in a relational database: a SQLite file of one host, the {@linkplain
 * dev.signet.store.jdbc.LocalStore local store}, or a server, the {@linkplain dev.signet.store.jdbc.JdbcStore JDBC store}.
 * Whatever checks a write where it lands is a fence, and does not belong here.
 *
 * <p>From top to bottom: {@code SqlStore} takes calls; a {@code Lane} carries them in batches, in transactions on a {@code
 * Link}; {@code Transactions} says what each does there, on {@code SessionTable} and {@code RoleTable}; {@code Leases} judges
 * time on a {@code LeaseClock}; the {@code Poller} serves watches. What is SQLite's own is in {@code SqliteLink}, {@code
 * StoreFile}, {@code FileSchema}, {@code Place} and {@code FileFaults}; what is a server's in {@code ServerLink}, {@code Server},
 * {@code ServerSchema}, {@code StoreTables} and one {@code ServerDialect} per product.
 */
@NullMarked
package dev.signet.store.jdbc;

import org.jspecify.annotations.NullMarked;
