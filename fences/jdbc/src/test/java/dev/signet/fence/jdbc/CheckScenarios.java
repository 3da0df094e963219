package dev.signet.fence.jdbc;

import static dev.signet.fence.jdbc.Ledger.LATER;
import static dev.signet.fence.jdbc.Ledger.NEW;
import static dev.signet.fence.jdbc.Ledger.OLD;
import static dev.signet.fence.jdbc.Ledger.RESOURCE;
import static dev.signet.fence.jdbc.Ledger.ROLE;
import static dev.signet.fence.jdbc.Ledger.SOON;
import static dev.signet.fence.jdbc.Ledger.STORE;
import static dev.signet.fence.jdbc.Ledger.insert;
import static dev.signet.fence.jdbc.Ledger.isDone;
import static dev.signet.fence.jdbc.Ledger.stamp;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.signet.Answer;
import dev.signet.FenceException;
import dev.signet.FenceException.Outcome;
import dev.signet.Stamp;
import dev.signet.WriteRefusedException;
import dev.signet.fence.Refusal;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.util.List;

/** The seal and the check, in what only SQLite does; the rest is {@link SqliteFenceContract}. */
final class CheckScenarios {

    static final List<Scenario> ALL = List.of(
            new Scenario("a transaction that read before the seal does not pass", CheckScenarios::readBeforeSeal),
            new Scenario("the same without a write-ahead log", CheckScenarios::rollbackJournal),
            new Scenario(
                    "a connection from before init waits for who keeps readers out", CheckScenarios::readersKeptOut),
            new Scenario("a check in a rolled back savepoint still holds the seal off", CheckScenarios::savepoint),
            new Scenario("a transaction that SQLite ended is refused", CheckScenarios::endedBySqlite),
            new Scenario("after SQLite ended it, work writes nothing more", CheckScenarios::endedInsideWork),
            new Scenario("a shadowing TEMP table changes nothing", CheckScenarios::temporaryShadow));

    private CheckScenarios() {}

    private static void refused(Ledger ledger, Stamp stamp, Refusal kind) throws SQLException {
        WriteRefusedException inTransaction = catchThrowableOfType(
                WriteRefusedException.class,
                () -> ledger.fence.inTransaction(stamp, connection -> {
                    insert(connection, "x", stamp);
                    return "";
                }));
        assertThat(inTransaction).as("in a fenced transaction, %s", kind).isNotNull();
        assertThat(inTransaction.refusal()).isEqualTo(kind);
        try (Connection own = ledger.source.getConnection()) {
            own.setAutoCommit(false);
            WriteRefusedException checked =
                    catchThrowableOfType(WriteRefusedException.class, () -> ledger.fence.check(own, stamp));
            assertThat(checked).as("in the application's transaction, %s", kind).isNotNull();
            assertThat(checked.refusal()).isEqualTo(kind);
        }
    }

    private static void readBeforeSeal(Dialect dialect) throws Exception {
        try (Ledger ledger = Ledger.sealed(dialect)) {
            Connection old = ledger.transaction();
            Sqlite.text(old, "SELECT count(*) FROM ledger");
            ledger.sealed(NEW);
            Throwable failed = catchThrowable(() -> ledger.fence.check(old, OLD));
            assertThat(failed).isInstanceOf(FenceException.class);
            assertThat(((FenceException) failed).outcome()).isEqualTo(Outcome.RETRY);
            old.rollback();
            assertThatThrownBy(() -> ledger.fence.check(old, OLD)).isInstanceOf(WriteRefusedException.class);
        }
    }

    private static void rollbackJournal(Dialect dialect) throws Exception {
        try (Ledger ledger = new Ledger(dialect, "delete")) {
            ledger.fence.init(ROLE, STORE);
            ledger.sealed(OLD);
            Connection old = ledger.transaction();
            Sqlite.text(old, "SELECT count(*) FROM ledger");
            assertThat(isDone(ledger.seal(NEW, SOON)))
                    .as("a reader is in the way of a commit")
                    .isFalse();
            patiently(() -> ledger.fence.check(old, OLD));
            assertThat(isDone(ledger.seal(NEW, SOON))).isFalse();
            insert(old, "in time", OLD);
            Deadline.in(LATER).retry(old::commit, Sqlite::isBusy, Deadline.PATIENT_NANOS);
            ledger.sealed(NEW);
            refused(ledger, OLD, Refusal.STALE);
        }
    }

    private static void readersKeptOut(Dialect dialect) throws Exception {
        JdbcFenceOptions options = JdbcFenceOptions.DEFAULTS.withWriteTimeout(SOON);
        try (Ledger ledger = new Ledger(dialect, "delete");
                Connection kept = ledger.source.getConnection();
                JdbcFence pooled = new JdbcFence(new OneConnection(kept), RESOURCE, options, dialect)) {
            Sqlite.text(kept, "SELECT count(*) FROM ledger");
            ledger.fence.init(ROLE, STORE); // which that connection has not heard of
            ledger.sealed(OLD);
            Connection alone = ledger.connect();
            Sqlite.execute(alone, "BEGIN EXCLUSIVE");
            FenceException busy =
                    catchThrowableOfType(FenceException.class, () -> pooled.inTransaction(OLD, connection -> ""));
            assertThat(busy.outcome()).isEqualTo(Outcome.RETRY);
            assertThat(pooled.seal(NEW, SOON).toCompletableFuture().join()).isInstanceOf(Answer.Unknown.class);
            Sqlite.execute(alone, "COMMIT");
            assertThat(pooled.seal(NEW, LATER).toCompletableFuture().join()).isInstanceOf(Answer.Done.class);
            pooled.inTransaction(NEW, connection -> "");
        }
    }

    /** A seal that was answered unknown may be on its way out still, and in the way. */
    private static void patiently(Runnable check) {
        Deadline deadline = Deadline.in(LATER);
        while (true) {
            try {
                check.run();
                return;
            } catch (FenceException e) {
                if (e.outcome() != Outcome.RETRY || deadline.hasPassed()) {
                    throw e;
                }
            }
        }
    }

    private static void savepoint(Dialect dialect) throws Exception {
        try (Ledger ledger = Ledger.sealed(dialect)) {
            Connection inner = ledger.transaction();
            Savepoint point = inner.setSavepoint();
            ledger.fence.check(inner, OLD);
            inner.rollback(point);
            assertThat(isDone(ledger.seal(NEW, SOON))).isFalse();
            insert(inner, "in time", OLD);
            inner.commit();

            Connection outermost = ledger.connect();
            Savepoint first = outermost.setSavepoint(); // where no transaction is open, it opens one
            ledger.fence.check(outermost, OLD);
            outermost.rollback(first);
            assertThat(isDone(ledger.seal(NEW, SOON))).isFalse();
            outermost.rollback();
        }
    }

    private static void endedBySqlite(Dialect dialect) throws Exception {
        try (Ledger ledger = Ledger.sealed(dialect)) {
            Connection old = ledger.transaction();
            insert(old, "a", OLD);
            assertThatThrownBy(() -> Sqlite.execute(old, "INSERT OR ROLLBACK INTO ledger (what) VALUES ('a')"))
                    .isInstanceOf(SQLException.class);
            assertThatThrownBy(() -> ledger.fence.check(old, OLD))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("ended this transaction by itself");
            old.rollback();
            ledger.fence.check(old, OLD);
        }
    }

    private static void endedInsideWork(Dialect dialect) throws Exception {
        try (Ledger ledger = Ledger.sealed(dialect)) {
            Throwable failed = catchThrowable(() -> ledger.fence.inTransaction(OLD, connection -> {
                insert(connection, "a", OLD);
                ignoring(connection, "INSERT OR ROLLBACK INTO ledger (what) VALUES ('a')");
                ignoring(connection, "INSERT INTO ledger (what) VALUES ('on its own')");
                return "";
            }));
            assertThat(ledger.count()).as("rows committed outside of any check").isZero();
            assertThat(failed).isInstanceOf(FenceException.class);
            ledger.sealed(NEW);
        }
    }

    private static void ignoring(Connection connection, String sql) {
        try {
            Sqlite.execute(connection, sql);
        } catch (SQLException e) {
            // as applications do
        }
    }

    private static void temporaryShadow(Dialect dialect) throws Exception {
        try (Ledger ledger = Ledger.sealed(dialect)) {
            ledger.sealed(NEW);
            Connection old = ledger.connect();
            Sqlite.execute(old, "CREATE TEMP TABLE signet_fence AS SELECT * FROM main.signet_fence");
            Sqlite.execute(
                    old,
                    "UPDATE temp.signet_fence SET max_token = 7, term_id = '"
                            + OLD.termId().secret() + "'");
            old.setAutoCommit(false);
            assertThatThrownBy(() -> ledger.fence.check(old, OLD)).isInstanceOf(WriteRefusedException.class);
        }
    }
}
