package dev.signet.store.jdbc;

import java.sql.SQLException;
import java.util.List;

/**
 * How a database is laid out, as the steps that lead there: step by step each version is made from the one before, so a new
 * store and one that was upgraded are the same. Steps that were released are never changed.
 */
record Layout(List<List<String>> steps) {

    int version() {
        return steps.size();
    }

    /** @param from the version that is there; 0 for nothing */
    void upgrade(Link link, long from) throws SQLException {
        for (List<String> step : steps.subList((int) from, version())) {
            for (String statement : step) {
                link.execute(statement);
            }
        }
    }

    boolean isOlder(long version) {
        return version < version();
    }
}
