/**
 * A fence inside a relational database: the seal, and the check in the transaction that it protects. It knows no store, and
 * decides nothing about who leads.
 */
@NullMarked
package dev.signet.fence.jdbc;

import org.jspecify.annotations.NullMarked;
