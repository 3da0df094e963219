package dev.signet.fence.jdbc;

import static dev.signet.fence.jdbc.Ledger.NEW;
import static dev.signet.fence.jdbc.Ledger.OLD;
import static dev.signet.fence.jdbc.Ledger.stamp;
import static dev.signet.fence.jdbc.MariaDbLedger.execute;
import static dev.signet.fence.jdbc.MariaDbLedger.guarded;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.signet.Stamp;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** A seal beside a transaction that is open, has written, or was refused. */
final class MariaDbRaces {

    static final List<Scenario> ALL = List.of(
            new Scenario("a write after the seal is refused, whatever its snapshot", MariaDbRaces::between),
            new Scenario("a write waits for a seal that is under way, and is refused after it", MariaDbRaces::underWay),
            new Scenario("a seal waits for who has written", MariaDbRaces::written),
            new Scenario("no savepoint lets a seal pass what stays written", MariaDbRaces::savepoint),
            new Scenario(
                    "who stands still after a refusal or a check is ended for the seal", MariaDbRaces::standsStill));

    private static final Stamp LATER = stamp(9);

    /** By SQL: a {@link JdbcFence} would end whoever holds its seal up. */
    private static final String SEAL = "UPDATE signet_fence SET max_token = 9, term_id = '"
            + LATER.termId().secret() + "' WHERE resource = 'ledger' AND max_token < 9";

    private static final List<Integer> LEVELS = List.of(
            Connection.TRANSACTION_READ_UNCOMMITTED,
            Connection.TRANSACTION_READ_COMMITTED,
            Connection.TRANSACTION_REPEATABLE_READ,
            Connection.TRANSACTION_SERIALIZABLE);

    private MariaDbRaces() {}

    private static void between(Dialect dialect) throws Exception {
        for (int level : LEVELS) {
            try (MariaDbLedger ledger = guarded(dialect);
                    Connection zombie = ledger.carrying(NEW, level)) {
                execute(zombie, "SELECT * FROM signet_fence_layout");
                ledger.sealed(LATER);
                assertThatThrownBy(() -> execute(zombie, "INSERT INTO ledger VALUES ('x', 1)"))
                        .as("level " + level)
                        .hasMessageContaining("signet: STALE: ");
                zombie.commit();
                assertThat(ledger.content()).isEqualTo("a 1, b 1");
            }
        }
    }

    private static void underWay(Dialect dialect) throws Exception {
        for (int level : LEVELS) {
            try (MariaDbLedger ledger = guarded(dialect);
                    Connection writer = ledger.carrying(NEW, level);
                    Connection sealing = ledger.connect()) {
                sealing.setAutoCommit(false);
                execute(sealing, SEAL);
                CompletableFuture<Void> write =
                        MariaDbLedger.started(() -> execute(writer, "INSERT INTO ledger VALUES ('x', 1)"));
                ledger.isHeldUp(write);
                sealing.commit();
                Throwable failure = catchThrowable(() -> write.get(10, TimeUnit.SECONDS));
                assertThat(failure).as("level " + level).hasMessageContaining("signet: STALE: ");
                writer.commit();
                assertThat(ledger.content()).isEqualTo("a 1, b 1");
            }
        }
    }

    private static void written(Dialect dialect) throws Exception {
        for (int level : LEVELS) {
            for (String write : List.of(
                    "INSERT INTO ledger VALUES ('x', 1)",
                    "UPDATE ledger SET amount = 2",
                    "DELETE FROM ledger",
                    "INSERT IGNORE INTO ledger VALUES ('a', 1)")) {
                requireWaiting(dialect, level, List.of(write), "UPDATE ledger SET amount = 3");
            }
        }
    }

    private static void requireWaiting(Dialect dialect, int level, List<String> writes, String last) throws Exception {
        try (MariaDbLedger ledger = guarded(dialect);
                Connection writer = ledger.carrying(NEW, level);
                Connection sealing = ledger.connect()) {
            for (String write : writes) {
                execute(writer, write);
            }
            CompletableFuture<Void> seal = MariaDbLedger.started(() -> execute(sealing, SEAL));
            assertThat(ledger.isHeldUp(seal))
                    .as("at level " + level + " after " + writes)
                    .isTrue();
            execute(writer, last);
            writer.commit();
            seal.get(10, TimeUnit.SECONDS);
            ledger.refused("STALE", NEW, "INSERT INTO ledger VALUES ('late', 1)");
        }
    }

    private static void savepoint(Dialect dialect) throws Exception {
        for (int level : LEVELS) {
            requireWaiting(
                    dialect,
                    level,
                    List.of(
                            "INSERT INTO ledger VALUES ('x', 1)",
                            "SAVEPOINT s",
                            "INSERT INTO ledger VALUES ('y', 1)",
                            "ROLLBACK TO s"),
                    "INSERT INTO ledger VALUES ('z', 1)");
            requireWaiting(
                    dialect,
                    level,
                    List.of(
                            "INSERT INTO free VALUES ('x')",
                            "SAVEPOINT s",
                            "INSERT INTO ledger VALUES ('y', 1)",
                            "ROLLBACK TO s",
                            "INSERT INTO ledger VALUES ('z', 1)"),
                    "SELECT 1");
            try (MariaDbLedger ledger = guarded(dialect);
                    Connection writer = ledger.carrying(NEW, level)) {
                execute(writer, "SAVEPOINT s");
                execute(writer, "INSERT INTO ledger VALUES ('x', 1)");
                execute(writer, "ROLLBACK TO s");
                ledger.sealed(LATER);
                assertThatThrownBy(() -> execute(writer, "INSERT INTO ledger VALUES ('y', 1)"))
                        .hasMessageContaining("signet: STALE: ");
                writer.commit();
                assertThat(ledger.content()).isEqualTo("a 1, b 1");
            }
        }
    }

    private static void standsStill(Dialect dialect) throws Exception {
        try (MariaDbLedger ledger = guarded(dialect);
                Connection refused = ledger.carrying(OLD, Connection.TRANSACTION_READ_COMMITTED);
                Connection checked = ledger.carrying(NEW, Connection.TRANSACTION_READ_COMMITTED)) {
            assertThatThrownBy(() -> execute(refused, "UPDATE ledger SET amount = 9"))
                    .hasMessageContaining("signet: STALE: ");
            execute(checked, ledger.check(NEW));
            ledger.sealed(LATER);
            assertThatThrownBy(() -> execute(refused, "SELECT 1")).isInstanceOf(SQLException.class);
            assertThatThrownBy(() -> execute(checked, "SELECT 1")).isInstanceOf(SQLException.class);
        }
    }
}
