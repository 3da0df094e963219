package dev.signet.fence.jdbc;

import static dev.signet.fence.jdbc.EnforcedLedger.execute;
import static dev.signet.fence.jdbc.EnforcedLedger.guarded;
import static dev.signet.fence.jdbc.Ledger.NEW;
import static dev.signet.fence.jdbc.Ledger.ROLE;
import static dev.signet.fence.jdbc.Ledger.STORE;
import static dev.signet.fence.jdbc.Ledger.stamp;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.signet.Answer;
import dev.signet.Stamp;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** A seal beside a transaction that is open, commits, or has been looked at already. */
final class EnforceRaces {

    static final List<Scenario> ALL = List.of(
            new Scenario(
                    "a seal passes beside an open transaction, whose COMMIT is then refused", EnforceRaces::between),
            new Scenario(
                    "a COMMIT waits for a seal that is under way, and is refused after it", EnforceRaces::underWay),
            new Scenario("a seal waits for rows that were looked at already", EnforceRaces::lookedAt),
            new Scenario("rows looked at inside a savepoint are looked at again", EnforceRaces::savepoint),
            new Scenario("TRUNCATE holds a seal up, and not for ever", EnforceRaces::truncate),
            new Scenario("who has the rows looked at early and stands still is ended", EnforceRaces::standsStill),
            new Scenario("a fenced transaction is not prepared", EnforceRaces::prepared),
            new Scenario("limit: whoever may log in can hold the fence up", EnforceRaces::anybody),
            new Scenario("who is in another database holds nothing up", EnforceRaces::elsewhere));

    static final Stamp LATER = stamp(9);
    private static final String SEAL = "SELECT signet_seal('ledger', '" + ROLE + "', '" + STORE + "', 9, '"
            + LATER.termId().secret() + "')";
    private static final String LOCK = "SELECT pg_advisory_lock(1397311310, hashtext('ledger'))";
    private static final Duration LONG = Duration.ofSeconds(10);

    private EnforceRaces() {}

    private static final List<Integer> LEVELS = List.of(
            Connection.TRANSACTION_READ_COMMITTED,
            Connection.TRANSACTION_REPEATABLE_READ,
            Connection.TRANSACTION_SERIALIZABLE);

    private static void between(Dialect dialect) throws Exception {
        for (int level : LEVELS) {
            try (EnforcedLedger ledger = guarded(dialect);
                    Connection zombie = ledger.carrying(NEW, level)) {
                execute(zombie, "UPDATE ledger SET amount = 9");
                execute(zombie, "INSERT INTO ledger VALUES ('x', 1), ('y', 1)");
                execute(zombie, "DELETE FROM ledger WHERE what = 'a'");
                assertThat(ledger.seal(LATER, Duration.ofSeconds(1))).isInstanceOf(Answer.Done.class);
                assertStale(catchThrowable(zombie::commit), level);
                assertThat(ledger.content()).as("level " + level).isEqualTo("a 1, b 1");
            }
        }
    }

    private static void assertStale(Throwable failure, int level) {
        assertThat(failure).isInstanceOf(SQLException.class);
        if (level == Connection.TRANSACTION_READ_COMMITTED) {
            assertThat(failure).hasMessageContaining("signet: STALE: ");
        } else {
            assertThat(((SQLException) failure).getSQLState()).isEqualTo("40001");
        }
    }

    private static void underWay(Dialect dialect) throws Exception {
        for (int level : LEVELS) {
            try (EnforcedLedger ledger = guarded(dialect);
                    Connection writer = ledger.carrying(NEW, level);
                    Connection sealing = ledger.connect()) {
                // one row: what is looked at after the first would be seen with what has been committed since
                execute(writer, "INSERT INTO ledger VALUES ('x', 1)");
                sealing.setAutoCommit(false);
                execute(sealing, SEAL);
                CompletableFuture<Void> commit = EnforcedLedger.started(writer::commit);
                ledger.isHeldUp(commit);
                sealing.commit();
                Throwable failure = catchThrowable(() -> commit.get(10, TimeUnit.SECONDS));
                assertThat(failure).as("level " + level).isNotNull();
                assertStale(failure.getCause(), level);
                assertThat(ledger.content()).isEqualTo("a 1, b 1");
            }
        }
    }

    /** By SQL: a {@link JdbcFence} would end whoever holds its seal up. Gives up by itself. */
    private static CompletableFuture<Void> sealing(EnforcedLedger ledger) throws SQLException {
        Connection sealing = ledger.connect();
        execute(sealing, "SET statement_timeout = " + LONG.toMillis());
        return EnforcedLedger.started(() -> execute(sealing, SEAL));
    }

    private static void lookedAt(Dialect dialect) throws Exception {
        for (int level : LEVELS) {
            // whether this is the transaction's first row, or it says that it is not
            for (String remembered : List.of("", "ledger 8")) {
                try (EnforcedLedger ledger = guarded(dialect);
                        Connection writer = ledger.carrying(NEW, level)) {
                    execute(writer, "SET LOCAL signet.enforced = '" + remembered + "'");
                    execute(writer, "INSERT INTO ledger VALUES ('x', 1)");
                    execute(writer, "SET CONSTRAINTS ALL IMMEDIATE");
                    CompletableFuture<Void> seal = sealing(ledger);
                    assertThat(ledger.isHeldUp(seal)).isTrue();
                    execute(writer, "UPDATE ledger SET amount = 2");
                    writer.commit();
                    seal.get();
                    assertThat(ledger.content()).isEqualTo("a 2, b 2, x 2");
                }
            }
        }
    }

    /** ROLLBACK TO gives the lock back that the look inside took. */
    private static void savepoint(Dialect dialect) throws Exception {
        for (int level : LEVELS) {
            try (EnforcedLedger ledger = guarded(dialect);
                    Connection writer = ledger.carrying(NEW, level)) {
                execute(writer, "INSERT INTO ledger VALUES ('x', 1), ('y', 1)");
                execute(writer, "SAVEPOINT s");
                execute(writer, "SET CONSTRAINTS ALL IMMEDIATE");
                execute(writer, "ROLLBACK TO s");
                ledger.sealed(LATER);
                assertStale(catchThrowable(writer::commit), level);
                assertThat(ledger.content()).isEqualTo("a 1, b 1");
            }
        }
    }

    private static void truncate(Dialect dialect) throws Exception {
        try (EnforcedLedger ledger = guarded(dialect);
                Connection writer = ledger.carrying(NEW, Connection.TRANSACTION_READ_COMMITTED)) {
            execute(writer, "SET LOCAL signet.longest_idle = 1000");
            execute(writer, "TRUNCATE ledger");
            CompletableFuture<Void> seal = sealing(ledger);
            assertThat(ledger.isHeldUp(seal)).isTrue();
            seal.get();
            assertThatThrownBy(writer::commit).isInstanceOf(SQLException.class);
            assertThat(ledger.content()).isEqualTo("a 1, b 1");
        }
    }

    private static void standsStill(Dialect dialect) throws Exception {
        try (EnforcedLedger ledger = guarded(dialect);
                Connection writer = ledger.connect()) {
            writer.setAutoCommit(false);
            ledger.fence.check(writer, NEW);
            execute(writer, "INSERT INTO ledger VALUES ('x', 1)");
            writer.rollback();
            execute(writer, ledger.carry(NEW));
            execute(writer, "SET LOCAL signet.longest_idle = 1000");
            execute(writer, "INSERT INTO ledger VALUES ('x', 1)");
            execute(writer, "SET CONSTRAINTS ALL IMMEDIATE");
            sealing(ledger).get();
            assertThatThrownBy(writer::commit).isInstanceOf(SQLException.class);
        }
    }

    /** Advisory locks have no rights. */
    private static void anybody(Dialect dialect) throws Exception {
        try (EnforcedLedger ledger = guarded(dialect)) {
            String user = "anybody_in_" + ledger.database;
            ledger.run("DROP ROLE IF EXISTS " + user + "; CREATE ROLE " + user + " LOGIN");
            try (Connection anybody = DriverManager.getConnection(ledger.server.jdbcUrl(ledger.database, user, "pw"))) {
                execute(anybody, LOCK);
                CompletableFuture<Void> seal = sealing(ledger);
                assertThat(ledger.isHeldUp(seal)).isTrue();
                ledger.sealed(LATER); // by who may end him
                seal.get();
                assertThatThrownBy(() -> execute(anybody, "SELECT 1")).isInstanceOf(SQLException.class);
            }
        }
    }

    private static void elsewhere(Dialect dialect) throws Exception {
        try (EnforcedLedger ledger = guarded(dialect);
                LentDatabase other = new LentDatabase(ledger.server);
                Connection elsewhere = other.getConnection()) {
            execute(elsewhere, LOCK);
            ledger.run(NEW, "INSERT INTO ledger VALUES ('x', 1)");
            CompletableFuture<Void> seal = sealing(ledger);
            assertThat(ledger.isHeldUp(seal)).isFalse();
            seal.get();
        }
    }

    /** Names of prepared transactions are those of the whole server. */
    private static void prepared(Dialect dialect) throws Exception {
        try (EnforcedLedger ledger = guarded(PostgresSite.server(), dialect)) {
            String prepare = "PREPARE TRANSACTION '" + ledger.database + "'";
            for (String before : List.of(
                    "INSERT INTO ledger VALUES ('x', 1)",
                    "INSERT INTO ledger VALUES ('x', 1); SET CONSTRAINTS ALL IMMEDIATE",
                    "INSERT INTO ledger VALUES ('x', 1); SAVEPOINT s; SET CONSTRAINTS ALL IMMEDIATE; RELEASE s",
                    "TRUNCATE ledger",
                    ledger.check(NEW) + "; DELETE FROM ledger")) {
                requireNotPrepared(ledger, before, prepare);
                requireNotPrepared(ledger, before, "/* COMMIT */ prepare\ntransaction '" + ledger.database + "'");
            }
            ledger.run("BEGIN; INSERT INTO free VALUES ('x'); " + prepare);
            ledger.run("COMMIT PREPARED '" + ledger.database + "'");
            ledger.run(NEW, "INSERT INTO ledger VALUES ('x', 1)");
            ledger.sealed(LATER);
        }
    }

    private static void requireNotPrepared(EnforcedLedger ledger, String before, String prepare) throws SQLException {
        try (Connection writer = ledger.carrying(NEW, Connection.TRANSACTION_READ_COMMITTED)) {
            Throwable refused = catchThrowable(() -> {
                execute(writer, before);
                execute(writer, prepare);
            });
            assertThat(refused).as(before + " " + prepare).isInstanceOf(SQLException.class);
            assertThat(ledger.text("SELECT count(*) FROM pg_prepared_xacts WHERE database = current_database()"))
                    .isEqualTo("0");
        }
    }
}
