package dev.signet.store.jdbc;

import java.util.List;

/** How one database writes what standard SQL has no words for. */
interface Dialect {

    /**
     * Inserts a row, unless one with its key is there.
     *
     * @param rest of the statement, after {@code INSERT INTO}
     */
    String insertIfAbsent(String rest);

    /** Inserts a row, or gives the one with these keys these values: keys and values are bound in this order. */
    String upsert(String table, List<String> keys, List<String> values);
}
