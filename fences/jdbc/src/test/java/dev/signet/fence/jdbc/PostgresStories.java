package dev.signet.fence.jdbc;

import static dev.signet.testkit.FenceStamps.LEDGER;
import static dev.signet.testkit.FenceStamps.NEW;
import static dev.signet.testkit.FenceStamps.OLD;
import static dev.signet.testkit.FenceStamps.ROLE;
import static dev.signet.testkit.FenceStamps.STORE;
import static dev.signet.testkit.FenceStamps.stamp;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.signet.FenceException;
import dev.signet.ResourceName;
import dev.signet.servers.PostgresServer;
import dev.signet.testkit.FenceClause;
import dev.signet.testkit.FenceWriter;
import dev.signet.testkit.IsolationLevel;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;

/** What only PostgreSQL can do to a fence. */
final class PostgresStories {

    static final List<JdbcStory> ALL = List.of(
            new JdbcStory(FenceClause.F2, "a transaction is written under one stamp", PostgresStories::oneStamp),
            new JdbcStory(FenceClause.F3, "a row from elsewhere is to be sealed again", PostgresPlaces::elsewhere),
            new JdbcStory(FenceClause.F3, "a row that was copied is to be sealed again", PostgresPlaces::copied),
            new JdbcStory(FenceClause.F3, "a row that is only tidied up stays sealed", PostgresPlaces::tidiedUp),
            new JdbcStory(FenceClause.F3, "a seal in a savepoint is one", PostgresPlaces::inSavepoint),
            new JdbcStory(
                    FenceClause.F3, "a seal outlives a crash, whatever the server is set to", PostgresStories::crash),
            new JdbcStory(
                    FenceClause.F14,
                    "a commit hidden in a session that carries the stamp",
                    PostgresStories::hiddenWhereTheSessionCarries),
            new JdbcStory(FenceClause.F8, "what was checked is not prepared", PostgresStories::notPrepared),
            new JdbcStory(FenceClause.F7, "a seal waits once, not once for each lock", PostgresStories::waitsOnce));

    private PostgresStories() {}

    /** Else what was decided under the one term would be committed under the other. */
    private static void oneStamp(JdbcSite site, JdbcFenceContract database) throws SQLException {
        site.sealed();
        ResourceName other = ResourceName.of("other");
        site.init(other, ROLE, STORE);
        JdbcFence fence = site.fence(site.source, other);
        assertThat(fence.seal(NEW, JdbcSite.LATER).toCompletableFuture().join().toString())
                .contains("Done");
        try (Connection connection = site.source.getConnection()) {
            connection.setAutoCommit(false);
            site.fence.check(connection, OLD);
            JdbcStories.insert(connection, "decided under the old");
            assertThatThrownBy(() -> fence.check(connection, NEW))
                    .isInstanceOf(FenceException.class)
                    .hasMessageContaining("all of it is written under one term");
        }
    }

    /** Prepared, it would hold up every seal until somebody came who knows of it. */
    private static void notPrepared(JdbcSite site, JdbcFenceContract database) {
        site.sealed();
        for (IsolationLevel level : IsolationLevel.values()) {
            try (FenceWriter writer = site.beginToPrepare(level)) {
                writer.check(OLD);
                writer.write("prepared", OLD);
                assertThatThrownBy(writer::prepare)
                        .as("at " + level)
                        .hasMessageContaining("cannot PREPARE a transaction that has exported snapshots");
            }
        }
        site.seal(NEW);
        assertThat(site.rows()).isEmpty();
    }

    private static void crash(JdbcSite site, JdbcFenceContract database) {
        try (PostgresServer server = PostgresServer.start(
                PostgresSite.OPTIONS.withSetting("synchronous_commit", "off").withSetting("wal_writer_delay", "10s"))) {
            JdbcSite here = PostgresSite.of(server, ((PostgresFenceContract) database).dialect());
            here.sealed();
            for (long token = 8; token < 12; token++) {
                here.seal(stamp(token));
                server.kill();
                server.restart();
                assertThat(here.fence
                                .view(JdbcSite.LATER)
                                .toCompletableFuture()
                                .join()
                                .toString())
                        .contains("highest=" + token);
            }
            here.close();
        }
    }

    /** As its triggers have it; the transaction's own is then not all that it finds. */
    private static void hiddenWhereTheSessionCarries(JdbcSite site, JdbcFenceContract database) throws SQLException {
        site.sealed();
        try (Connection connection = site.source.getConnection()) {
            JdbcStories.execute(
                    connection,
                    "SET signet.token = '" + OLD.token() + "'; SET signet.term_id = '"
                            + OLD.termId().secret() + "'");
            JdbcFence fence = site.fence(new OneConnection(connection), LEDGER);
            fence.inTransaction(OLD, own -> {
                JdbcStories.insert(own, "as it should be");
                return "";
            });
            assertThatThrownBy(() -> fence.inTransaction(OLD, own -> {
                        JdbcStories.execute(own, "INSERT INTO ledger (amount) VALUES (1); COMMIT");
                        return "";
                    }))
                    .isInstanceOfAny(FenceException.class, SQLException.class);
        }
    }

    /** A time-out for each lock would add up, and keep a connection at it long after nobody waits any more. */
    private static void waitsOnce(JdbcSite site, JdbcFenceContract database) throws Exception {
        site.sealed();
        Duration wait = Duration.ofSeconds(2); // a busy machine is late by less than half of it
        try (Connection writer = site.source.getConnection();
                Connection byHand = site.source.getConnection();
                Connection seal = site.source.getConnection()) {
            writer.setAutoCommit(false);
            byHand.setAutoCommit(false);
            site.fence.check(writer, OLD);
            JdbcStories.execute(byHand, "SELECT 1 FROM signet_fence FOR SHARE");
            Thread ends = new Thread(() -> {
                try {
                    Thread.sleep(wait.toMillis() * 7 / 10);
                    writer.rollback();
                } catch (InterruptedException | SQLException e) {
                    throw new IllegalStateException(e);
                }
            });
            ends.start();
            long begun = System.nanoTime();
            assertThatThrownBy(() -> ((PostgresFenceContract) database)
                            .dialect()
                            .raise(seal, LEDGER, NEW, 1000, Deadline.in(wait)))
                    .isInstanceOf(SQLException.class);
            Duration took = Duration.ofNanos(System.nanoTime() - begun);
            ends.join();
            assertThat(took).isLessThan(wait.multipliedBy(3).dividedBy(2));
        }
    }
}
