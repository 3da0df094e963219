package dev.signet.fence.jdbc;

import static dev.signet.testkit.FenceStamps.NEW;
import static dev.signet.testkit.FenceStamps.OLD;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.signet.FenceException;
import dev.signet.FenceException.Outcome;
import dev.signet.WriteRefusedException;
import dev.signet.testkit.FenceClause;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;

/** Who ends a fenced transaction, and what comes after a refusal. */
final class JdbcStories {

    static final String REFUSAL_SWALLOWED = "who swallows a refusal writes nothing";

    static final List<JdbcStory> ALL = List.of(
            new JdbcStory(FenceClause.F2, REFUSAL_SWALLOWED, (site, database) -> refusalSwallowed(site, "SELECT 1")),
            new JdbcStory(
                    FenceClause.F14, "a commit hidden in the work is reported, or not sent", JdbcStories::hiddenCommit),
            new JdbcStory(FenceClause.F14, "the work cannot end its transaction", JdbcStories::workCannotEnd),
            new JdbcStory(FenceClause.F14, "the work cannot end it by a statement", JdbcStories::statementsCannotEnd),
            new JdbcStory(FenceClause.F14, "what the work does wrong in SQL rolls back", JdbcStories::workFails),
            new JdbcStory(FenceClause.F14, "an error that the work swallows", JdbcStories::swallowed));

    private JdbcStories() {}

    static void execute(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    static void insert(Connection connection, String what) throws SQLException {
        try (PreparedStatement insert = connection.prepareStatement(
                "INSERT INTO ledger (what, amount, signet_token, signet_term) VALUES (?, 1, ?, ?)")) {
            insert.setString(1, what);
            insert.setLong(2, OLD.token().value());
            insert.setString(3, OLD.termId().secret());
            insert.executeUpdate();
        }
    }

    /** What was written before it is in, and what comes after it would be unchecked. */
    private static void hiddenCommit(JdbcSite site, JdbcFenceContract database) {
        site.sealed();
        assertThat(database.hiddenCommits()).isNotEmpty();
        for (String hidden : database.hiddenCommits()) {
            Throwable failed = catchThrowable(() -> site.fence.inTransaction(OLD, connection -> {
                try (Statement statement = connection.createStatement()) {
                    return statement.executeUpdate(hidden);
                }
            }));
            if (failed instanceof FenceException reported) {
                assertThat(reported.outcome()).as(hidden).isEqualTo(Outcome.UNKNOWN);
            } else {
                assertThat(failed).as(hidden).hasMessageContaining("belongs to the fence");
                assertThat(site.rows()).as(hidden).isEmpty();
            }
        }
        site.seal(NEW);
    }

    private static void workCannotEnd(JdbcSite site, JdbcFenceContract database) throws SQLException {
        site.sealed();
        Connection[] kept = new Connection[1];
        site.fence.inTransaction(OLD, connection -> {
            kept[0] = connection;
            assertThatThrownBy(connection::commit).isInstanceOf(SQLException.class);
            assertThatThrownBy(connection::rollback).isInstanceOf(SQLException.class);
            assertThatThrownBy(connection::setSavepoint).isInstanceOf(SQLException.class);
            assertThatThrownBy(() -> connection.setSavepoint("x")).isInstanceOf(SQLException.class);
            assertThatThrownBy(() -> connection.setAutoCommit(true)).isInstanceOf(SQLException.class);
            assertThatThrownBy(() -> connection.abort(Runnable::run)).isInstanceOf(SQLException.class);
            assertThatThrownBy(() -> connection.setTransactionIsolation(Connection.TRANSACTION_SERIALIZABLE))
                    .isInstanceOf(SQLException.class);
            assertThat(connection.getAutoCommit()).isFalse();
            site.fence.check(connection, OLD); // superfluous, and harmless
            connection.close();
            insert(connection, "a");
            return "";
        });
        assertThat(site.rows()).containsExactly("a");
        assertThat(kept[0].isClosed()).isTrue();
        assertThatThrownBy(() -> insert(kept[0], "later")).isInstanceOf(SQLException.class);
        site.seal(NEW);
    }

    private static void statementsCannotEnd(JdbcSite site, JdbcFenceContract database) throws SQLException {
        site.sealed();
        for (String sql : List.of(
                "COMMIT",
                " end",
                "-- x\nROLLBACK",
                "/* x */ ; savepoint y",
                "release savepoint y",
                "BEGIN",
                "start transaction",
                "abort",
                "prepare  transaction 'x'",
                "COMMIT PREPARED 'x'")) {
            site.fence.inTransaction(OLD, connection -> {
                try (Statement statement = connection.createStatement()) {
                    isNotTheWorks(sql, () -> statement.execute(sql));
                    isNotTheWorks(sql, () -> statement.executeUpdate(sql));
                    isNotTheWorks(sql, () -> statement.executeLargeUpdate(sql));
                    isNotTheWorks(sql, () -> statement.executeQuery(sql));
                    isNotTheWorks(sql, () -> statement.addBatch(sql));
                }
                isNotTheWorks(sql, () -> connection.prepareStatement(sql));
                isNotTheWorks(sql, () -> connection.prepareCall(sql));
                insert(connection, sql);
                return "";
            });
            assertThat(site.rows()).contains(sql);
        }
        site.seal(NEW);
    }

    private static void isNotTheWorks(String sql, Deadline.Statement statement) {
        assertThatThrownBy(statement::run)
                .as(sql)
                .isInstanceOf(SQLException.class)
                .hasMessageContaining("belongs to the fence");
    }

    private static void workFails(JdbcSite site, JdbcFenceContract database) {
        site.sealed();
        assertThatThrownBy(() -> site.fence.inTransaction(OLD, connection -> {
                    insert(connection, "a");
                    execute(connection, "no such thing");
                    return "";
                }))
                .isInstanceOf(SQLException.class);
        Exception thrown = new java.io.IOException("by the work");
        assertThatThrownBy(() -> site.fence.inTransaction(OLD, connection -> {
                    insert(connection, "b");
                    throw thrown;
                }))
                .isSameAs(thrown);
        assertThat(site.rows()).isEmpty();
        site.seal(NEW);
    }

    /**
     * As code does that catches too much. The next transaction on that connection is like any other.
     *
     * @param first on that connection, outside of a transaction
     */
    static void refusalSwallowed(JdbcSite site, String first) throws SQLException {
        site.sealed();
        site.seal(NEW);
        try (Connection connection = site.source.getConnection()) {
            execute(connection, first);
            connection.setAutoCommit(false);
            insert(connection, "before the check");
            assertThatThrownBy(() -> site.fence.check(connection, OLD)).isInstanceOf(WriteRefusedException.class);
            Throwable failed = catchThrowable(() -> {
                insert(connection, "unchecked");
                connection.commit();
            });
            assertThat(failed).as("a write after the refusal").isInstanceOf(SQLException.class);
            Throwable unused = catchThrowable(connection::commit);
            connection.rollback();
            assertThat(site.rows()).isEmpty();
            site.fence.check(connection, NEW);
            insert(connection, "checked");
            connection.commit();
        }
        assertThat(site.rows()).containsExactly("checked");
    }

    /** Some databases then go on, and some do nothing more before a rollback; none may commit a part. */
    private static void swallowed(JdbcSite site, JdbcFenceContract database) {
        site.sealed();
        Throwable failed = catchThrowable(() -> site.fence.inTransaction(OLD, connection -> {
            insert(connection, "a");
            assertThatThrownBy(() -> insert(connection, "a")).isInstanceOf(SQLException.class);
            Throwable unused = catchThrowable(() -> insert(connection, "b"));
            return "";
        }));
        if (failed == null) {
            assertThat(site.rows()).containsExactly("a", "b");
        } else {
            assertThat(failed).isInstanceOf(FenceException.class);
            assertThat(((FenceException) failed).outcome()).isNotEqualTo(Outcome.UNKNOWN);
            assertThat(site.rows()).isEmpty();
        }
        site.seal(NEW);
    }
}
