package dev.signet.store.jdbc;

import dev.signet.servers.Servers;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/** The servers that tests run on, shared by all of this JVM, and what has to be said to each in its own words. */
enum Product {
    POSTGRES {
        @Override
        String createDatabase(String name) {
            return Servers.postgres().createDatabase(name);
        }

        @Override
        void execute(String sql) {
            Servers.postgres().execute(sql);
        }

        @Override
        String idOfConnection() {
            return "SELECT pg_backend_pid()";
        }

        @Override
        String end(long connection) {
            return "SELECT pg_terminate_backend(" + connection + ", 5000)";
        }

        @Override
        String endsIdleTransactionsAfterASecond() {
            return "SET idle_in_transaction_session_timeout = '1s'";
        }

        @Override
        String micros() {
            return "(extract(epoch FROM clock_timestamp()) * 1000000)::bigint";
        }

        @Override
        String deadlocks() {
            return "SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()";
        }
    },
    MARIADB {
        @Override
        String createDatabase(String name) {
            return Servers.mariaDb().createDatabase(name);
        }

        @Override
        void execute(String sql) {
            Servers.mariaDb().execute(sql);
        }

        @Override
        String idOfConnection() {
            return "SELECT CONNECTION_ID()";
        }

        @Override
        String end(long connection) {
            return "KILL CONNECTION " + connection;
        }

        @Override
        String endsIdleTransactionsAfterASecond() {
            return "SET SESSION idle_transaction_timeout = 1";
        }

        @Override
        String micros() {
            return "CAST(UNIX_TIMESTAMP(SYSDATE(6)) * 1000000 AS SIGNED)";
        }

        @Override
        String deadlocks() {
            return "SELECT variable_value FROM information_schema.global_status WHERE variable_name = 'INNODB_DEADLOCKS'";
        }
    };

    /** @return where it is */
    abstract String createDatabase(String name);

    /** As superuser. */
    abstract void execute(String sql);

    abstract String idOfConnection();

    abstract String end(long connection);

    abstract String endsIdleTransactionsAfterASecond();

    /** An expression: the server's clock. */
    abstract String micros();

    /** How many the server has counted: on PostgreSQL in this database, with a delay; on MariaDB in all of them. */
    abstract String deadlocks();

    static long number(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(sql)) {
            if (!rows.next()) {
                throw new SQLException("no row from: " + sql);
            }
            return rows.getLong(1);
        }
    }
}
