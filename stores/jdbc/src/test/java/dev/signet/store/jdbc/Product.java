package dev.signet.store.jdbc;

import dev.signet.servers.DatabaseServer;
import dev.signet.servers.MariaDbOptions;
import dev.signet.servers.MariaDbServer;
import dev.signet.servers.PostgresOptions;
import dev.signet.servers.PostgresServer;
import dev.signet.servers.Servers;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

/** The products that a store can be kept in, each with its servers, and what has to be said to it in its own words. */
enum Product {
    POSTGRESQL(Servers::postgres, () -> PostgresServer.start(PostgresOptions.defaults()), new PostgresDialect()) {
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
    MARIADB(Servers::mariaDb, () -> MariaDbServer.start(MariaDbOptions.defaults()), new MariaDbDialect()) {
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

    static final List<String> TABLES = List.of(
            "signet_store",
            "signet_session",
            "signet_holding",
            "signet_ended_session",
            "signet_role",
            "signet_campaign");

    private static final AtomicInteger NAMES = new AtomicInteger();

    private final Supplier<DatabaseServer> shared;
    private final Supplier<DatabaseServer> own;
    private final ServerDialect dialect;

    Product(Supplier<DatabaseServer> shared, Supplier<DatabaseServer> own, ServerDialect dialect) {
        this.shared = shared;
        this.own = own;
        this.dialect = dialect;
    }

    /** The one for all tests of this JVM. */
    DatabaseServer shared() {
        return shared.get();
    }

    /** One of one's own. */
    DatabaseServer start() {
        return own.get();
    }

    ServerDialect dialect() {
        return dialect;
    }

    abstract String idOfConnection();

    abstract String end(long connection);

    abstract String endsIdleTransactionsAfterASecond();

    /** An expression: the server's clock. */
    abstract String micros();

    /** How many the server has counted: on PostgreSQL in this database, with a delay; on MariaDB in all of them. */
    abstract String deadlocks();

    /** Of a database or a user that nobody else has. */
    static String newName() {
        return "ops_" + NAMES.incrementAndGet();
    }

    /** A new database of the shared server, without a store. */
    String newDatabase() {
        return shared().createDatabase(newName());
    }

    /** A new database of the shared server, with a store. */
    String newStore() {
        String url = newDatabase();
        JdbcStore.init(DriverDataSource.of(url));
        return url;
    }

    /**
     * Makes a user of the shared server who may do nothing yet.
     *
     * @return where the database is, for that user
     */
    String login(String database, String user) {
        shared().createUser(user, "secret");
        return shared().jdbcUrl(database, user, "secret");
    }

    static String nameOfDatabase(String url) {
        return url.replaceFirst("[?].*", "").replaceFirst(".*/", "");
    }

    static void execute(String url, String... statements) {
        try (Connection connection = DriverDataSource.of(url).getConnection();
                Statement statement = connection.createStatement()) {
            for (String sql : statements) {
                statement.execute(sql);
            }
        } catch (SQLException e) {
            throw new AssertionError(String.join("; ", statements), e);
        }
    }

    /** All values, row by row. */
    static List<String> rows(String url, String query) {
        try (Connection connection = DriverDataSource.of(url).getConnection()) {
            return rows(connection, query);
        } catch (SQLException e) {
            throw new AssertionError(query, e);
        }
    }

    static List<String> rows(Connection connection, String query) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(query)) {
            List<String> found = new ArrayList<>();
            while (rows.next()) {
                StringBuilder row = new StringBuilder();
                for (int column = 1; column <= rows.getMetaData().getColumnCount(); column++) {
                    row.append(column == 1 ? "" : "|").append(rows.getString(column));
                }
                found.add(row.toString());
            }
            return found;
        }
    }

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
