package dev.signet.fence.jdbc;

import static dev.signet.testkit.FenceStamps.LEDGER;
import static dev.signet.testkit.FenceStamps.NEW;
import static dev.signet.testkit.FenceStamps.OLD;
import static dev.signet.testkit.FenceStamps.ROLE;
import static dev.signet.testkit.FenceStamps.STORE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.signet.FenceException;
import dev.signet.FenceException.Outcome;
import dev.signet.ResourceName;
import dev.signet.TermEndedException;
import dev.signet.WriteRefusedException;
import dev.signet.fence.Refusal;
import dev.signet.testkit.FenceClause;
import dev.signet.testkit.IsolationLevel;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/** What becomes of a fenced transaction on PostgreSQL that is admitted at its commit. */
final class PostgresAtCommitStories {

    static final List<JdbcStory> ALL = List.of(
            new JdbcStory(FenceClause.F5, "a seal passes beside the work", PostgresAtCommitStories::sealedMeanwhile),
            new JdbcStory(FenceClause.F14, "no text that ends its transaction is sent", PostgresAtCommitStories::texts),
            new JdbcStory(FenceClause.F14, "what commits inside the server", PostgresAtCommitStories::inside),
            new JdbcStory(FenceClause.F2, "a stamp that was checked meanwhile", PostgresAtCommitStories::otherStamp),
            new JdbcStory(FenceClause.F11, "a refusal by another resource", PostgresAtCommitStories::otherResource),
            new JdbcStory(FenceClause.F11, "what a trigger of others raises", PostgresAtCommitStories::otherTrigger),
            new JdbcStory(FenceClause.F1, "a term that ends while it works", PostgresAtCommitStories::termEnds),
            new JdbcStory(FenceClause.F1, "a seal that was lost", PostgresAtCommitStories::lostSeal));

    private PostgresAtCommitStories() {}

    /** At once, though it has read and written before, and whatever its level. */
    private static void sealedMeanwhile(JdbcSite site, JdbcFenceContract database) throws SQLException {
        for (IsolationLevel level : IsolationLevel.values()) {
            try (JdbcSite fresh = ((PostgresFenceContract) database).site().sealed();
                    Connection connection = fresh.source.getConnection()) {
                connection.setTransactionIsolation(level.jdbc());
                JdbcFence fence = fresh.fence(new OneConnection(connection), LEDGER);
                Throwable failed = catchThrowable(() -> fence.inTransaction(OLD, own -> {
                    JdbcStories.execute(own, "SELECT count(*) FROM ledger");
                    JdbcStories.insert(own, "before");
                    fresh.seal(NEW);
                    JdbcStories.insert(own, "after");
                    return "";
                }));
                if (level == IsolationLevel.READ_COMMITTED) {
                    assertThat(failed).isInstanceOf(WriteRefusedException.class).hasMessageContaining("STALE");
                } else {
                    assertThat(((FenceException) failed).outcome())
                            .as("at " + level)
                            .isEqualTo(Outcome.RETRY);
                }
                assertThat(fresh.rows()).as("at " + level).isEmpty();
                assertThatThrownBy(() -> fence.inTransaction(OLD, own -> "")).hasMessageContaining("STALE");
                fence.inTransaction(NEW, own -> {
                    JdbcStories.insert(own, "by the successor");
                    return "";
                });
                assertThat(fresh.rows()).containsExactly("by the successor");
            }
        }
    }

    private static void texts(JdbcSite site, JdbcFenceContract database) throws SQLException {
        site.sealed();
        for (String text : List.of(
                "INSERT INTO ledger (amount) VALUES (1); COMMIT",
                "INSERT INTO ledger (what) VALUES ('it''s'); /* then */ end; INSERT INTO ledger (amount) VALUES (2)",
                "SELECT $$ it's $$; ROLLBACK; BEGIN",
                "SELECT 1; PREPARE TRANSACTION 'x'",
                "SELECT E'\\''; COMMIT")) {
            site.fence.inTransaction(OLD, own -> {
                JdbcStories.insert(own, text);
                for (Deadline.Statement sent : List.<Deadline.Statement>of(
                        () -> JdbcStories.execute(own, text),
                        () -> own.prepareStatement(text),
                        () -> own.createStatement().addBatch(text))) {
                    assertThatThrownBy(sent::run).as(text).hasMessageContaining("belongs to the fence");
                }
                return "";
            });
            assertThat(site.rows()).contains(text);
        }
        site.fence.inTransaction(OLD, own -> {
            JdbcStories.execute(
                    own, "SELECT '; COMMIT'; DO $$ BEGIN PERFORM 1; END $$; SELECT CASE WHEN true THEN 1 END");
            JdbcStories.insert(own, "; COMMIT");
            return "";
        });
        assertThat(site.rows()).contains("; COMMIT").hasSize(6);
    }

    /** The server lets nothing do that in a transaction which a client has begun. */
    private static void inside(JdbcSite site, JdbcFenceContract database) {
        site.sealed();
        site.execute(
                "CREATE PROCEDURE commits() LANGUAGE plpgsql AS $$ BEGIN INSERT INTO ledger (what) VALUES ('a'); COMMIT;"
                        + " END $$");
        for (String text : List.of(
                "CALL commits()",
                "INSERT INTO ledger (what) VALUES ('b'); CALL commits()",
                "DO $$ BEGIN INSERT INTO ledger (what) VALUES ('c'); COMMIT; END $$",
                "DO $$ BEGIN ROLLBACK; END $$",
                "DO $$ BEGIN EXECUTE 'COMMIT'; END $$",
                "VACUUM ledger")) {
            assertThatThrownBy(() -> site.fence.inTransaction(OLD, own -> {
                        JdbcStories.execute(own, text);
                        return "";
                    }))
                    .as(text)
                    .isInstanceOf(SQLException.class);
            assertThat(site.rows()).as(text).isEmpty();
        }
    }

    private static void otherStamp(JdbcSite site, JdbcFenceContract database) {
        site.sealed();
        ResourceName other = ResourceName.of("other");
        site.init(other, ROLE, STORE);
        JdbcFence fence = site.fence(site.source, other);
        assertThat(fence.seal(NEW, JdbcSite.LATER).toCompletableFuture().join().toString())
                .contains("Done");
        assertThatThrownBy(() -> site.fence.inTransaction(OLD, own -> {
                    fence.check(own, NEW);
                    JdbcStories.insert(own, "under which?");
                    return "";
                }))
                .isInstanceOf(FenceException.class)
                .hasMessageContaining("all of it is written under one term");
        assertThat(site.rows()).isEmpty();
    }

    /** Whose role may have another leader: this one is not told to stop. */
    private static void otherResource(JdbcSite site, JdbcFenceContract database) {
        site.sealed();
        ResourceName other = ResourceName.of("other");
        site.init(other, ROLE, STORE);
        JdbcFence fence = site.fence(site.source, other);
        assertThat(fence.seal(NEW, JdbcSite.LATER).toCompletableFuture().join().toString())
                .contains("Done");
        fence.protect("ledger");
        FenceException failed = catchThrowableOfType(
                FenceException.class,
                () -> site.fence.inTransaction(OLD, own -> {
                    JdbcStories.insert(own, "guarded by another");
                    return "";
                }));
        assertThat(failed).hasMessageContaining("STALE");
        assertThat(site.rows()).isEmpty();
        assertThat(site.fence.refusals()).containsEntry(Refusal.STALE, 0L);
    }

    /** In the commit, with a code that the fence has its own reading of. */
    private static void otherTrigger(JdbcSite site, JdbcFenceContract database) {
        site.sealed();
        site.execute(
                "CREATE FUNCTION fails() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'theirs' USING ERRCODE = NEW.what;"
                        + " END $$");
        site.execute("CREATE CONSTRAINT TRIGGER fails AFTER INSERT ON ledger DEFERRABLE INITIALLY DEFERRED"
                + " FOR EACH ROW EXECUTE FUNCTION fails()");
        for (String code : List.of("42883", "25001", "42501")) {
            assertThatThrownBy(() -> site.fence.inTransaction(OLD, own -> {
                        JdbcStories.insert(own, code);
                        return "";
                    }))
                    .as(code)
                    .isInstanceOf(FenceException.class)
                    .isNotInstanceOf(WriteRefusedException.class)
                    .hasMessageContaining("theirs")
                    .hasMessageNotContaining("grant EXECUTE");
        }
        assertThat(site.rows()).isEmpty();
    }

    private static void termEnds(JdbcSite site, JdbcFenceContract database) throws SQLException {
        site.sealed();
        FakeTerm term = new FakeTerm(OLD);
        assertThatThrownBy(() -> site.fence.inTransaction(term, own -> {
                    JdbcStories.insert(own, "too late");
                    term.valid = false;
                    return "";
                }))
                .isInstanceOf(TermEndedException.class);
        assertThatThrownBy(() -> site.fence.inTransaction(term, own -> {
                    throw new AssertionError("it works without a term");
                }))
                .isInstanceOf(TermEndedException.class);
        assertThat(site.rows()).isEmpty();
        site.seal(NEW);
    }

    /** The work is not run twice behind its caller's back. */
    private static void lostSeal(JdbcSite site, JdbcFenceContract database) throws SQLException {
        site.sealed();
        site.execute("UPDATE signet_fence SET place = 'elsewhere'");
        AtomicInteger runs = new AtomicInteger();
        FencedWork<Integer, SQLException> work = own -> {
            JdbcStories.insert(own, "run " + runs.incrementAndGet());
            return runs.get();
        };
        FenceException failed =
                catchThrowableOfType(FenceException.class, () -> site.fence.inTransaction(new FakeTerm(OLD), work));
        assertThat(failed.outcome()).isEqualTo(Outcome.RETRY);
        assertThat(runs).hasValue(1);
        assertThat(site.fence.inTransaction(new FakeTerm(OLD), work)).isEqualTo(2);
        assertThat(site.rows()).containsExactly("run 2");
    }
}
