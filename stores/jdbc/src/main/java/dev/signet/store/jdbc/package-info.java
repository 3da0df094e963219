/**
 * A store that decides leadership in a relational database; its first dialect is SQLite, the {@linkplain
 * dev.signet.store.jdbc.LocalStore local store}. Whatever checks a write where it lands is a fence, and does not belong here.
 *
 * <p>From top to bottom: {@code LocalStore} takes calls; a {@code Lane} carries them in batches, in transactions on a {@code
 * Link}; {@code Transactions} says what each does there, on {@code SessionTable} and {@code RoleTable}; {@code Leases} judges
 * time on a {@code HostClock}; the {@code Poller} serves watches. What is SQLite's own is in {@code Link}, {@code StoreFile},
 * {@code Schema}, {@code Place} and {@code Faults}.
 */
@NullMarked
package dev.signet.store.jdbc;

import org.jspecify.annotations.NullMarked;
