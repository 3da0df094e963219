package dev.signet.store.jdbc;

import dev.signet.servers.MariaDbOptions;
import dev.signet.servers.MariaDbServer;
import dev.signet.servers.PostgresOptions;
import dev.signet.servers.PostgresServer;
import dev.signet.servers.Proxy;
import dev.signet.servers.Server;
import dev.signet.servers.Servers;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/** The products that a store can be kept in, as an operator meets them. */
enum Backend {
    POSTGRESQL {
        @Override
        Server shared() {
            return Servers.postgres();
        }

        @Override
        Server start() {
            return PostgresServer.start(PostgresOptions.defaults());
        }

        @Override
        String createDatabase(Server server, String name) {
            return ((PostgresServer) server).createDatabase(name);
        }

        @Override
        String url(Server server, String database, Proxy through) {
            return ((PostgresServer) server).jdbcUrl(database, through);
        }

        @Override
        String login(String database, String user) {
            PostgresServer server = Servers.postgres();
            server.createRole(user, "secret");
            return server.jdbcUrl(database, user, "secret");
        }

        @Override
        void settle(Server server, String sql) {
            ((PostgresServer) server).execute(sql);
        }

        @Override
        ServerDialect dialect() {
            return new PostgresDialect();
        }
    },
    MARIADB {
        @Override
        Server shared() {
            return Servers.mariaDb();
        }

        @Override
        Server start() {
            return MariaDbServer.start(MariaDbOptions.defaults());
        }

        @Override
        String createDatabase(Server server, String name) {
            return ((MariaDbServer) server).createDatabase(name);
        }

        @Override
        String url(Server server, String database, Proxy through) {
            return ((MariaDbServer) server).jdbcUrl(database, through);
        }

        @Override
        String login(String database, String user) {
            MariaDbServer server = Servers.mariaDb();
            server.createUser(user, "secret");
            return server.jdbcUrl(database, user, "secret");
        }

        @Override
        void settle(Server server, String sql) {
            ((MariaDbServer) server).execute(sql);
        }

        @Override
        ServerDialect dialect() {
            return new MariaDbDialect();
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

    /** Of a database or a user that nobody else has. */
    static String newName() {
        return "ops_" + NAMES.incrementAndGet();
    }

    abstract Server shared();

    /** One of one's own. */
    abstract Server start();

    /** @return where it is, for the superuser */
    abstract String createDatabase(Server server, String name);

    abstract String url(Server server, String database, Proxy through);

    /**
     * Makes a user of the shared server who may do nothing yet.
     *
     * @return where the database is, for that user
     */
    abstract String login(String database, String user);

    /** As superuser, outside the databases of tests. */
    abstract void settle(Server server, String sql);

    abstract ServerDialect dialect();

    /** A new database of the shared server, without a store. */
    String newDatabase() {
        return createDatabase(shared(), newName());
    }

    /** A new database of the shared server, with a store. */
    String newStore() {
        String url = newDatabase();
        JdbcStore.init(DriverDataSource.of(url));
        return url;
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
}
