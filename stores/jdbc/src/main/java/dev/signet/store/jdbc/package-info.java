/**
 * A store that decides leadership in a relational database; its first dialect is SQLite, the local store. Whatever checks a
 * write where it lands is a fence, and does not belong here.
 */
@NullMarked
package dev.signet.store.jdbc;

import org.jspecify.annotations.NullMarked;
