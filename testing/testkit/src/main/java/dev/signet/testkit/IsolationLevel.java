package dev.signet.testkit;

import java.sql.Connection;

/** The levels at which applications run their transactions. */
public enum IsolationLevel {
    READ_COMMITTED(Connection.TRANSACTION_READ_COMMITTED),
    REPEATABLE_READ(Connection.TRANSACTION_REPEATABLE_READ),
    SERIALIZABLE(Connection.TRANSACTION_SERIALIZABLE);

    private final int jdbc;

    IsolationLevel(int jdbc) {
        this.jdbc = jdbc;
    }

    /** As {@link Connection#setTransactionIsolation} takes it. */
    public int jdbc() {
        return jdbc;
    }
}
