package dev.signet.store.jdbc;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.Collectors;

/** The part of an upsert that all databases write alike. */
final class Upsert {

    private Upsert() {}

    static String insert(String table, List<String> keys, List<String> values) {
        List<String> columns = new ArrayList<>(keys);
        columns.addAll(values);
        return "INSERT INTO " + table + " (" + String.join(", ", columns) + ") VALUES ("
                + String.join(", ", Collections.nCopies(columns.size(), "?")) + ")";
    }

    /** As SQLite and PostgreSQL have it. */
    static String onConflict(String table, List<String> keys, List<String> values) {
        return insert(table, keys, values) + " ON CONFLICT (" + String.join(", ", keys) + ") DO UPDATE SET "
                + values.stream()
                        .map(column -> column + " = excluded." + column)
                        .collect(Collectors.joining(", "));
    }
}
