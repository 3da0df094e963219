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
import static dev.signet.fence.jdbc.Ledger.otherRole;
import static dev.signet.fence.jdbc.Ledger.otherStore;
import static dev.signet.fence.jdbc.Ledger.otherTerm;
import static dev.signet.fence.jdbc.Ledger.stamp;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.signet.Answer;
import dev.signet.FenceException;
import dev.signet.FenceException.Outcome;
import dev.signet.FencingToken;
import dev.signet.ResourceName;
import dev.signet.Role;
import dev.signet.Stamp;
import dev.signet.StoreId;
import dev.signet.WriteRefusedException;
import dev.signet.fence.Refusal;
import dev.signet.fence.SealRefusal;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** The seal and the check: R2 of the design, clause by clause. */
final class CheckScenarios {

    static final List<Scenario> ALL = List.of(
            new Scenario("the current term writes, in every form", CheckScenarios::currentTermWrites),
            new Scenario("each kind of wrong stamp is refused by its name", CheckScenarios::kindsOfRefusal),
            new Scenario("a missing row refuses, and is not token 0", CheckScenarios::missingRow),
            new Scenario("each kind of wrong seal is refused by its name", CheckScenarios::kindsOfSealRefusal),
            new Scenario("a seal is idempotent and only rises", CheckScenarios::sealOnlyRises),
            new Scenario("a token gone wrong does not poison the fence", CheckScenarios::implausibleToken),
            new Scenario("init is idempotent and never overwrites", CheckScenarios::initNeverOverwrites),
            new Scenario("no seal passes between check and commit", CheckScenarios::sealWaitsForWriter),
            new Scenario("no seal passes inside a fenced transaction", CheckScenarios::sealWaitsForWork),
            new Scenario("a transaction that read before the seal does not pass", CheckScenarios::readBeforeSeal),
            new Scenario("the same without a write-ahead log", CheckScenarios::rollbackJournal),
            new Scenario(
                    "a connection from before init waits for who keeps readers out", CheckScenarios::readersKeptOut),
            new Scenario("autocommit is refused", CheckScenarios::autocommit),
            new Scenario("a check in a rolled back savepoint still holds the seal off", CheckScenarios::savepoint),
            new Scenario("a transaction that SQLite ended is refused", CheckScenarios::endedBySqlite),
            new Scenario("after SQLite ended it, work writes nothing more", CheckScenarios::endedInsideWork),
            new Scenario("a COMMIT hidden in the work is reported", CheckScenarios::hiddenCommit),
            new Scenario("work cannot end its transaction", CheckScenarios::workCannotEnd),
            new Scenario("writers never move the fence", CheckScenarios::writersNeverMove),
            new Scenario("what the work throws rolls back", CheckScenarios::rollback),
            new Scenario("a refusal rolls back, is counted and told", CheckScenarios::refusalIsCounted),
            new Scenario("a shadowing TEMP table changes nothing", CheckScenarios::temporaryShadow));

    private CheckScenarios() {}

    private static void currentTermWrites(Dialect dialect) throws Exception {
        try (Ledger ledger = Ledger.sealed(dialect)) {
            String result = ledger.fence.inTransaction(OLD, connection -> {
                insert(connection, "a", OLD);
                return "done";
            });
            assertThat(result).isEqualTo("done");
            Connection own = ledger.transaction();
            ledger.fence.check(own, OLD);
            insert(own, "b", OLD);
            ledger.fence.check(own, OLD);
            insert(own, "c", OLD);
            own.commit();
            assertThat(ledger.count()).isEqualTo(3);
            ledger.sealed(NEW);
            ledger.fence.inTransaction(NEW, connection -> {
                insert(connection, "d", NEW);
                return "";
            });
            assertThat(ledger.count()).isEqualTo(4);
        }
    }

    private static void kindsOfRefusal(Dialect dialect) throws Exception {
        try (Ledger ledger = Ledger.sealed(dialect)) {
            ledger.sealed(NEW);
            refused(ledger, OLD, Refusal.STALE);
            refused(ledger, otherTerm(NEW), Refusal.SAME_TOKEN_OTHER_TERM);
            refused(ledger, otherStore(NEW), Refusal.FOREIGN_STORE);
            refused(ledger, otherRole(NEW), Refusal.OTHER_ROLE);
            refused(ledger, stamp(9), Refusal.UNSEALED);
            assertThat(ledger.count()).isZero();
        }
    }

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

    private static void missingRow(Dialect dialect) throws Exception {
        try (Ledger ledger = new Ledger(dialect)) {
            refused(ledger, OLD, Refusal.NOT_INITIALISED);
            sealRefused(ledger, OLD, Refusal.NOT_INITIALISED);
            ledger.fence(dialect, ResourceName.of("another")).init(ROLE, STORE);
            refused(ledger, OLD, Refusal.NOT_INITIALISED);
            sealRefused(ledger, OLD, Refusal.NOT_INITIALISED);
        }
    }

    private static void kindsOfSealRefusal(Dialect dialect) throws Exception {
        try (Ledger ledger = Ledger.sealed(dialect)) {
            ledger.sealed(NEW);
            sealRefused(ledger, OLD, Refusal.STALE);
            sealRefused(ledger, otherTerm(NEW), Refusal.SAME_TOKEN_OTHER_TERM);
            sealRefused(ledger, otherStore(stamp(9)), Refusal.FOREIGN_STORE);
            sealRefused(ledger, otherRole(stamp(9)), Refusal.OTHER_ROLE);
            assertThat(ledger.view().highest()).isEqualTo(8);
            assertThat(ledger.view().termDigest()).contains(NEW.termId().digest());
        }
    }

    private static void sealRefused(Ledger ledger, Stamp stamp, Refusal kind) {
        Object refusal = ledger.seal(stamp, LATER).fold(done -> done, SealRefusal::refusal, unknown -> unknown);
        assertThat(refusal).isEqualTo(kind);
    }

    private static void sealOnlyRises(Dialect dialect) throws Exception {
        try (Ledger ledger = Ledger.sealed(dialect)) {
            ledger.sealed(OLD);
            assertThat(ledger.view().highest()).isEqualTo(7);
            ledger.sealed(NEW);
            assertThat(isDone(ledger.seal(OLD, LATER))).isFalse();
            ledger.sealed(NEW);
            assertThat(ledger.view().highest()).isEqualTo(8);
        }
    }

    private static void implausibleToken(Dialect dialect) throws Exception {
        try (Ledger ledger = Ledger.sealed(dialect)) {
            ledger.sealed(stamp(1_000_007));
            sealRefused(ledger, stamp(2_000_008), Refusal.TOO_FAR_AHEAD);
            sealRefused(ledger, stamp(FencingToken.MAX_VALUE), Refusal.TOO_FAR_AHEAD);
            ledger.sealed(stamp(1_000_008));
        }
    }

    private static void initNeverOverwrites(Dialect dialect) throws Exception {
        try (Ledger ledger = Ledger.sealed(dialect)) {
            ledger.fence.init(ROLE, STORE);
            assertThat(ledger.view().highest()).isEqualTo(7);
            assertThatThrownBy(() -> ledger.fence.init(Role.of("other"), STORE))
                    .isInstanceOf(FenceException.class)
                    .hasMessageContaining("belongs to role 'nightly'");
            assertThatThrownBy(() -> ledger.fence.init(ROLE, new StoreId("other")))
                    .isInstanceOf(FenceException.class)
                    .hasMessageContaining("store-1");
            ledger.fence.inTransaction(OLD, connection -> {
                insert(connection, "still", OLD);
                return "";
            });
        }
    }

    private static void sealWaitsForWriter(Dialect dialect) throws Exception {
        try (Ledger ledger = Ledger.sealed(dialect)) {
            Connection old = ledger.transaction();
            ledger.fence.check(old, OLD);
            boolean passed = isDone(ledger.seal(NEW, SOON));
            Throwable failed = catchThrowable(() -> {
                insert(old, "late", OLD);
                old.commit();
            });
            assertThat(passed && failed == null)
                    .as("the seal was answered done, and the old term committed after it")
                    .isFalse();
            assertThat(failed).isNull();
            ledger.sealed(NEW);
            refused(ledger, OLD, Refusal.STALE);
        }
    }

    private static void sealWaitsForWork(Dialect dialect) throws Exception {
        try (Ledger ledger = Ledger.sealed(dialect)) {
            List<Boolean> passed = new ArrayList<>();
            ledger.fence.inTransaction(OLD, connection -> {
                passed.add(isDone(ledger.seal(NEW, SOON)));
                insert(connection, "late", OLD);
                return "";
            });
            assertThat(passed).containsExactly(false);
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
            CompletableFuture<?> sealed = pooled.seal(NEW, LATER).toCompletableFuture();
            Thread.sleep(SOON.toMillis());
            assertThat(sealed).isNotDone();
            Sqlite.execute(alone, "COMMIT");
            assertThat(sealed.join()).isInstanceOf(Answer.Done.class);
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

    private static void autocommit(Dialect dialect) throws Exception {
        try (Ledger ledger = Ledger.sealed(dialect)) {
            Connection connection = ledger.connect();
            assertThatThrownBy(() -> ledger.fence.check(connection, OLD))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("setAutoCommit(false)");
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

    private static void hiddenCommit(Dialect dialect) throws Exception {
        try (Ledger ledger = Ledger.sealed(dialect)) {
            for (String after : List.of("", "; BEGIN", "; BEGIN IMMEDIATE")) {
                FenceException failed = catchThrowableOfType(
                        FenceException.class,
                        () -> ledger.fence.inTransaction(OLD, connection -> {
                            Sqlite.execute(connection, "INSERT INTO ledger (amount) VALUES (1); COMMIT" + after);
                            return "";
                        }));
                assertThat(failed).isNotNull();
                assertThat(failed.outcome()).isEqualTo(Outcome.UNKNOWN);
            }
            ledger.sealed(NEW);
        }
    }

    private static void workCannotEnd(Dialect dialect) throws Exception {
        try (Ledger ledger = Ledger.sealed(dialect)) {
            Connection[] kept = new Connection[1];
            ledger.fence.inTransaction(OLD, connection -> {
                kept[0] = connection;
                assertThatThrownBy(connection::commit).isInstanceOf(SQLException.class);
                assertThatThrownBy(connection::rollback).isInstanceOf(SQLException.class);
                assertThatThrownBy(connection::setSavepoint).isInstanceOf(SQLException.class);
                assertThatThrownBy(() -> connection.setAutoCommit(true)).isInstanceOf(SQLException.class);
                for (String sql : List.of("COMMIT", " end", "-- x\nROLLBACK", "/* x */ ; savepoint y", "BEGIN")) {
                    assertThatThrownBy(() -> Sqlite.execute(connection, sql))
                            .isInstanceOf(SQLException.class)
                            .hasMessageContaining("belongs to the fence");
                }
                assertThat(connection.getAutoCommit()).isFalse();
                ledger.fence.check(connection, OLD); // superfluous, and harmless
                connection.close();
                insert(connection, "a", OLD);
                return "";
            });
            assertThat(ledger.count()).isEqualTo(1);
            assertThat(kept[0].isClosed()).isTrue();
            assertThatThrownBy(() -> insert(kept[0], "later", OLD)).isInstanceOf(SQLException.class);
        }
    }

    private static void writersNeverMove(Dialect dialect) throws Exception {
        try (Ledger ledger = Ledger.sealed(dialect)) {
            refused(ledger, NEW, Refusal.UNSEALED);
            Connection ahead = ledger.transaction();
            assertThat(catchThrowable(() -> ledger.fence.check(ahead, NEW))).isNotNull();
            ahead.commit();
            assertThat(ledger.view().highest()).isEqualTo(7);
        }
    }

    private static void rollback(Dialect dialect) throws Exception {
        try (Ledger ledger = Ledger.sealed(dialect)) {
            Exception thrown = new java.io.IOException("by the work");
            assertThatThrownBy(() -> ledger.fence.inTransaction(OLD, connection -> {
                        insert(connection, "a", OLD);
                        throw thrown;
                    }))
                    .isSameAs(thrown);
            assertThatThrownBy(() -> ledger.fence.inTransaction(OLD, connection -> {
                        insert(connection, "b", OLD);
                        return Sqlite.execute(connection, "no such thing");
                    }))
                    .isInstanceOf(SQLException.class);
            assertThat(ledger.count()).isZero();
            ledger.sealed(NEW);
        }
    }

    private static void refusalIsCounted(Dialect dialect) throws Exception {
        try (Ledger ledger = Ledger.sealed(dialect)) {
            List<Refusal> told = new ArrayList<>();
            ledger.fence.onRefusal((stamp, resource, refusal) -> {
                throw new IllegalStateException("a listener that throws");
            });
            ledger.fence.onRefusal((stamp, resource, refusal) -> told.add(refusal));
            ledger.sealed(NEW);
            Connection old = ledger.transaction();
            insert(old, "before the check", OLD);
            assertThatThrownBy(() -> ledger.fence.check(old, OLD)).isInstanceOf(WriteRefusedException.class);
            old.commit();
            assertThat(ledger.count()).as("written before the refusal").isZero();
            refused(ledger, OLD, Refusal.STALE);
            assertThat(told).containsExactly(Refusal.STALE, Refusal.STALE, Refusal.STALE);
            assertThat(ledger.fence.refusals()).containsEntry(Refusal.STALE, 3L).containsEntry(Refusal.UNSEALED, 0L);
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
