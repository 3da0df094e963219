package dev.signet.fence.jdbc;

import static dev.signet.testkit.FenceStamps.LEDGER;
import static dev.signet.testkit.FenceStamps.NEW;
import static dev.signet.testkit.FenceStamps.OLD;
import static dev.signet.testkit.FenceStamps.ROLE;
import static dev.signet.testkit.FenceStamps.STORE;
import static dev.signet.testkit.FenceStamps.stamp;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.signet.Stamp;
import dev.signet.WriteRefusedException;
import dev.signet.testkit.FenceClause;
import dev.signet.testkit.FenceWriter;
import dev.signet.testkit.IsolationLevel;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import javax.sql.DataSource;

/** What a pooled connection still has of the fence when somebody else borrows it. */
final class PoolStories {

    static final List<JdbcStory> ALL = List.of(
            new JdbcStory(FenceClause.F9, "the only connection of a pool that resets nothing", (site, database) -> {
                try (Connection only = site.source.getConnection()) {
                    borrowedAgain(site, database, new OneConnection(only), 1);
                }
            }),
            new JdbcStory(FenceClause.F9, "the same, and without autocommit", (site, database) -> {
                try (Connection only = site.source.getConnection()) {
                    only.setAutoCommit(false);
                    borrowedAgain(site, database, new OneConnection(only), 1);
                }
            }),
            new JdbcStory(FenceClause.F9, "a pool of one", (site, database) -> pool(site, database, 1, true)),
            new JdbcStory(FenceClause.F9, "a pool of ten", (site, database) -> pool(site, database, 10, true)),
            new JdbcStory(
                    FenceClause.F9, "a pool without autocommit", (site, database) -> pool(site, database, 1, false)),
            new JdbcStory(FenceClause.F9, "who swallows a refusal and only closes", PoolStories::onlyCloses));

    private PoolStories() {}

    private static void pool(JdbcSite site, JdbcFenceContract database, int size, boolean autoCommit) throws Exception {
        try (HikariDataSource pool = pool(site, size, autoCommit)) {
            borrowedAgain(site, database, pool, size);
        }
    }

    private static HikariDataSource pool(JdbcSite site, int size, boolean autoCommit) {
        HikariConfig config = new HikariConfig();
        config.setDataSource(site.source);
        config.setMaximumPoolSize(size);
        config.setMinimumIdle(size);
        config.setAutoCommit(autoCommit);
        // the shortest that it takes: what watches for leaks must not hinder
        config.setLeakDetectionThreshold(2_000);
        // at one level only, so that it may be set on each connection of any database
        config.setTransactionIsolation("TRANSACTION_SERIALIZABLE");
        return new HikariDataSource(config);
    }

    /** The pool then ends the transaction. */
    private static void onlyCloses(JdbcSite site, JdbcFenceContract database) throws Exception {
        site.sealed();
        try (HikariDataSource pool = pool(site, 1, true);
                JdbcFence fence = site.fence(pool, LEDGER)) {
            List<Set<String>> before = states(pool, 1, database);
            try (Connection connection = pool.getConnection()) {
                connection.setAutoCommit(false);
                assertThatThrownBy(() -> fence.check(connection, NEW)).isInstanceOf(WriteRefusedException.class);
                Throwable unused = catchThrowable(() -> JdbcStories.insert(connection, "swallowed"));
            }
            assertThat(states(pool, 1, database)).isEqualTo(before);
            try (Connection connection = pool.getConnection()) {
                JdbcStories.insert(connection, "by the next borrower");
            }
        }
        assertThat(site.rows()).containsExactly("by the next borrower");
    }

    static void borrowedAgain(JdbcSite site, JdbcFenceContract database, DataSource pool, int size) throws Exception {
        site.sealed();
        try (JdbcFence fence = site.fence(pool, LEDGER)) {
            List<Set<String>> before = states(pool, size, database);
            for (Map.Entry<String, Act> act :
                    acts(site, database, fence, pool, size).entrySet()) {
                act.getValue().play();
                List<Set<String>> after = states(pool, size, database);
                for (int i = 0; i < size; i++) {
                    assertThat(changed(before.get(i), after.get(i)))
                            .as("after " + act.getKey())
                            .isEmpty();
                }
            }
        }
        assertThat(site.rows()).containsExactlyInAnyOrder("done", "checked");
        site.seal(NEW);
    }

    private interface Act {
        void play() throws Exception;
    }

    private static Map<String, Act> acts(
            JdbcSite site, JdbcFenceContract database, JdbcFence fence, DataSource pool, int size) {
        Map<String, Act> acts = new LinkedHashMap<>();
        acts.put("init", () -> fence.init(ROLE, STORE));
        acts.put("a fenced transaction", () -> written(fence, OLD, "done"));
        acts.put(
                "one that was refused",
                () -> assertThatThrownBy(() -> written(fence, NEW, "refused"))
                        .isInstanceOf(WriteRefusedException.class));
        acts.put(
                "one whose work threw",
                () -> assertThatThrownBy(() -> fence.inTransaction(OLD, connection -> {
                            JdbcStories.insert(connection, "thrown");
                            throw new java.io.IOException("by the work");
                        }))
                        .hasMessage("by the work"));
        acts.put(
                "one whose SQL failed",
                () -> assertThatThrownBy(() -> fence.inTransaction(OLD, connection -> {
                            JdbcStories.execute(connection, "no such thing");
                            return "";
                        }))
                        .isInstanceOf(SQLException.class));
        acts.put(
                "check and commit",
                () -> inOwn(pool, connection -> {
                    fence.check(connection, OLD);
                    JdbcStories.insert(connection, "checked");
                    connection.commit();
                }));
        acts.put(
                "check and rollback",
                () -> inOwn(pool, connection -> {
                    fence.check(connection, OLD);
                    JdbcStories.insert(connection, "rolled back");
                    connection.rollback();
                }));
        acts.put(
                "a check that was refused",
                () -> inOwn(
                        pool,
                        connection -> assertThatThrownBy(() -> fence.check(connection, NEW))
                                .isInstanceOf(WriteRefusedException.class)));
        acts.put(
                "one that was swallowed",
                () -> inOwn(pool, connection -> {
                    assertThatThrownBy(() -> fence.check(connection, NEW)).isInstanceOf(WriteRefusedException.class);
                    Throwable unused = catchThrowable(() -> JdbcStories.insert(connection, "swallowed"));
                }));
        acts.put("a seal", () -> assertThat(answer(fence, OLD)).contains("highest=7"));
        acts.put(
                "a seal that was refused",
                () -> assertThat(answer(fence, stamp(6))).contains("STALE"));
        acts.put("a seal that waited in vain", () -> {
            try (FenceWriter writer = site.begin(IsolationLevel.SERIALIZABLE)) {
                writer.check(OLD);
                Object unused = fence.seal(NEW, Duration.ofMillis(200))
                        .toCompletableFuture()
                        .join();
                List<Set<String>> givenUp = states(pool, size, database); // which waits for the connection of the seal
                assertThat(givenUp).isNotEmpty();
            }
        });
        acts.put(
                "a view", () -> fence.view(JdbcSite.LATER).toCompletableFuture().join());
        return acts;
    }

    private static String answer(JdbcFence fence, Stamp stamp) {
        return fence.seal(stamp, JdbcSite.LATER).toCompletableFuture().join().toString();
    }

    private static void written(JdbcFence fence, Stamp stamp, String what) throws SQLException {
        fence.inTransaction(stamp, connection -> {
            JdbcStories.insert(connection, what);
            return "";
        });
    }

    private interface Own {
        void run(Connection connection) throws SQLException;
    }

    /** As an application that puts right what it has set itself. */
    private static void inOwn(DataSource pool, Own work) throws SQLException {
        try (Connection connection = pool.getConnection()) {
            boolean found = connection.getAutoCommit();
            connection.setAutoCommit(false);
            work.run(connection);
            connection.rollback();
            connection.setAutoCommit(found);
        }
    }

    /** Of all connections of the pool at once. */
    private static List<Set<String>> states(DataSource pool, int size, JdbcFenceContract database) throws SQLException {
        List<Connection> borrowed = new ArrayList<>();
        List<Set<String>> states = new ArrayList<>();
        try {
            for (int i = 0; i < size; i++) {
                Connection connection = pool.getConnection();
                borrowed.add(connection);
                states.add(state(connection, database));
            }
        } finally {
            for (Connection connection : borrowed) {
                connection.close();
            }
        }
        return states;
    }

    private static List<String> changed(Set<String> before, Set<String> after) {
        List<String> changed = new ArrayList<>();
        before.stream().filter(line -> !after.contains(line)).forEach(line -> changed.add("before: " + line));
        after.stream().filter(line -> !before.contains(line)).forEach(line -> changed.add("after: " + line));
        return changed;
    }

    private static Set<String> state(Connection connection, JdbcFenceContract database) throws SQLException {
        Set<String> state = new LinkedHashSet<>();
        state.add("autocommit " + connection.getAutoCommit());
        state.add("isolation " + connection.getTransactionIsolation());
        state.add("read only " + connection.isReadOnly());
        state.add("schema " + connection.getSchema());
        state.add("holdability " + connection.getHoldability());
        state.add("network time-out " + connection.getNetworkTimeout());
        for (String query : database.sessionState()) {
            for (String row : rows(connection, query)) {
                state.add(query + ": " + row);
            }
        }
        if (!connection.getAutoCommit()) {
            connection.rollback();
        }
        return state;
    }

    private static List<String> rows(Connection connection, String query) throws SQLException {
        List<String> rows = new ArrayList<>();
        try (Statement statement = connection.createStatement();
                ResultSet found = statement.executeQuery(query)) {
            while (found.next()) {
                StringBuilder row = new StringBuilder();
                for (int column = 1; column <= found.getMetaData().getColumnCount(); column++) {
                    row.append(found.getString(column)).append(' ');
                }
                rows.add(row.toString());
            }
        }
        return rows;
    }
}
