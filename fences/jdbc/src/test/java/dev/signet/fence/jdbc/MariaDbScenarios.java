package dev.signet.fence.jdbc;

import static dev.signet.fence.jdbc.Ledger.NEW;
import static dev.signet.fence.jdbc.Ledger.OLD;
import static dev.signet.fence.jdbc.Ledger.otherTerm;
import static dev.signet.fence.jdbc.Ledger.stamp;
import static dev.signet.fence.jdbc.MariaDbLedger.execute;
import static dev.signet.fence.jdbc.MariaDbLedger.guarded;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.signet.WriteRefusedException;
import dev.signet.fence.Refusal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.util.List;

/** What MariaDB itself must refuse, and must not, from connections that know nothing of Signet. */
final class MariaDbScenarios {

    /** Each writes to the ledger in a way of its own. */
    private static final List<String> WRITES = List.of(
            "INSERT INTO ledger VALUES ('x', 1)",
            "INSERT INTO ledger SELECT CONCAT('x', seq), seq FROM seq_1_to_3",
            "UPDATE ledger SET amount = 9",
            "DELETE FROM ledger WHERE what = 'a'",
            "REPLACE INTO ledger VALUES ('a', 9)",
            "INSERT INTO ledger VALUES ('a', 9) ON DUPLICATE KEY UPDATE amount = 9",
            "INSERT IGNORE INTO ledger VALUES ('x', 1)",
            "UPDATE IGNORE ledger SET amount = 9",
            "DELETE IGNORE FROM ledger",
            "UPDATE ledger JOIN seq_1_to_3 ON amount = seq SET amount = 9",
            "DELETE ledger FROM ledger JOIN seq_1_to_3 ON amount = seq");

    static final List<Scenario> ALL = List.of(
            new Scenario("the current term writes in every way", MariaDbScenarios::current),
            new Scenario("a write without a stamp is refused, and told how", MariaDbScenarios::unstamped),
            new Scenario("half a stamp is none", MariaDbScenarios::half),
            new Scenario("each kind of wrong stamp is refused by its name", MariaDbScenarios::kinds),
            new Scenario("LOAD DATA is a write", MariaDbScenarios::load),
            new Scenario("who swallows a refusal has written nothing", MariaDbScenarios::swallowed),
            new Scenario("views, other triggers and LOCK TABLES lead past nothing", MariaDbScenarios::detours),
            new Scenario("cascades of foreign keys are kept out, or seen", MariaDbScenarios::cascades),
            new Scenario("a write in an XA transaction is refused", MariaDbScenarios::xa),
            new Scenario("writing through the fence from Java needs nothing more", MariaDbScenarios::java),
            new Scenario("a script has its stamp looked at, in a transaction", MariaDbScenarios::check));

    private MariaDbScenarios() {}

    private static void current(Dialect dialect) throws Exception {
        try (MariaDbLedger ledger = guarded(dialect)) {
            String before = ledger.content();
            for (String write : WRITES) {
                ledger.run(NEW, write);
                assertThat(ledger.content()).as(write).isNotEqualTo(before);
                ledger.run(NEW, "DELETE FROM ledger", "INSERT INTO ledger VALUES ('a', 1), ('b', 1)");
            }
        }
    }

    private static void unstamped(Dialect dialect) throws Exception {
        try (MariaDbLedger ledger = guarded(dialect)) {
            for (String write : WRITES) {
                ledger.unstamped(write);
                ledger.refused("STALE", OLD, write);
            }
            assertThatThrownBy(() -> ledger.run("DELETE FROM ledger"))
                    .hasMessageContaining(
                            "signet: NO_STAMP: a write to resource ledger must carry the stamp of its term; in the"
                                    + " same session, first: SET @signet_token = $SIGNET_TOKEN, @signet_term_id = '$SIGNET_TERM_ID'");
            ledger.run("INSERT INTO free VALUES ('as ever')");
            ledger.run("DELETE FROM ledger WHERE what = 'nobody'");
        }
    }

    private static void half(Dialect dialect) throws Exception {
        try (MariaDbLedger ledger = guarded(dialect)) {
            String id = "'" + NEW.termId().secret() + "'";
            for (String stamp : List.of(
                    "@signet_token = 8, @signet_term_id = NULL",
                    "@signet_token = 8, @signet_term_id = ''",
                    "@signet_token = NULL, @signet_term_id = " + id,
                    "@signet_token = '', @signet_term_id = " + id,
                    "@signet_token = 'eight', @signet_term_id = " + id,
                    "@signet_token = 8.4, @signet_term_id = " + id,
                    "@signet_token = -8, @signet_term_id = " + id)) {
                ledger.unstamped("BEGIN NOT ATOMIC SET " + stamp + "; INSERT INTO ledger VALUES ('x', 1); END");
            }
        }
    }

    private static void kinds(Dialect dialect) throws Exception {
        try (MariaDbLedger ledger = guarded(dialect)) {
            for (String write : List.of(
                    "INSERT INTO ledger VALUES ('x', 1)", "UPDATE ledger SET amount = 9", "DELETE FROM ledger")) {
                ledger.refused("STALE", OLD, write);
                ledger.refused("SAME_TOKEN_OTHER_TERM", otherTerm(NEW), write);
                ledger.refused("UNSEALED", stamp(9), write);
            }
            ledger.run("DELETE FROM signet_fence");
            ledger.refused("NOT_INITIALISED", NEW, "INSERT INTO ledger VALUES ('x', 1)");
        }
    }

    private static void load(Dialect dialect) throws Exception {
        Path file = Files.writeString(Files.createTempFile("signet", ".tsv"), "x\t1\na\t2\n");
        try (MariaDbLedger ledger = guarded(dialect);
                Connection connection = DriverManager.getConnection(
                        ledger.server.jdbcUrl(ledger.database) + "&allowLocalInfile=true")) {
            for (String how : List.of("REPLACE", "IGNORE")) {
                String load = "LOAD DATA LOCAL INFILE '" + file + "' " + how + " INTO TABLE ledger";
                execute(connection, ledger.carry(OLD));
                assertThatThrownBy(() -> execute(connection, load)).hasMessageContaining("signet: STALE: ");
                assertThat(ledger.content()).isEqualTo("a 1, b 1");
            }
            execute(connection, ledger.carry(NEW));
            execute(connection, "LOAD DATA LOCAL INFILE '" + file + "' REPLACE INTO TABLE ledger");
            assertThat(ledger.content()).isEqualTo("a 2, b 1, x 1");
        } finally {
            Files.delete(file);
        }
    }

    private static void swallowed(Dialect dialect) throws Exception {
        try (MariaDbLedger ledger = guarded(dialect);
                Connection connection = ledger.carrying(OLD, Connection.TRANSACTION_REPEATABLE_READ)) {
            for (String write : WRITES) {
                execute(
                        connection,
                        "BEGIN NOT ATOMIC DECLARE CONTINUE HANDLER FOR SQLEXCEPTION BEGIN END; " + write
                                + "; INSERT INTO free VALUES ('went on'); END");
            }
            connection.commit();
            assertThat(ledger.content()).isEqualTo("a 1, b 1");
            assertThat(ledger.text("SELECT COUNT(*) FROM free")).isEqualTo("" + WRITES.size());
        }
    }

    private static void detours(Dialect dialect) throws Exception {
        try (MariaDbLedger ledger = guarded(dialect);
                Connection locking = ledger.connect()) {
            ledger.run("CREATE VIEW shown AS SELECT * FROM ledger");
            ledger.run(
                    "CREATE TRIGGER onward AFTER INSERT ON free FOR EACH ROW INSERT INTO ledger VALUES (NEW.what, 9)");
            ledger.unstamped("UPDATE shown SET amount = 9", "INSERT INTO free VALUES ('x')");
            ledger.run("CREATE TRIGGER own BEFORE UPDATE ON ledger FOR EACH ROW PRECEDES signet_update_ledger"
                    + " SET NEW.amount = NEW.amount + 1");
            ledger.unstamped("UPDATE ledger SET amount = 9");
            execute(locking, "LOCK TABLES ledger WRITE");
            assertThatThrownBy(() -> execute(locking, "UPDATE ledger SET amount = 9"))
                    .hasMessageContaining("NO_STAMP");
            execute(locking, ledger.carry(NEW));
            execute(locking, "UPDATE ledger SET amount = 9");
            execute(locking, "UNLOCK TABLES");
            assertThat(ledger.content()).isEqualTo("a 10, b 10");
        }
    }

    /** They fire no triggers. */
    private static void cascades(Dialect dialect) throws Exception {
        try (MariaDbLedger ledger = guarded(dialect)) {
            ledger.run("CREATE TABLE owner (name VARCHAR(10) PRIMARY KEY) ENGINE = InnoDB");
            ledger.run("INSERT INTO owner VALUES ('me')");
            for (String action : List.of("ON DELETE CASCADE", "ON DELETE SET NULL", "ON UPDATE CASCADE")) {
                String table = "of_" + action.replace(' ', '_').toLowerCase(java.util.Locale.ROOT);
                ledger.run("CREATE TABLE " + table + " (owner VARCHAR(10), CONSTRAINT " + table
                        + " FOREIGN KEY (owner) REFERENCES owner (name) " + action + ") ENGINE = InnoDB");
                assertThatThrownBy(() -> ledger.fence.protect(table))
                        .hasMessageContaining(
                                "foreign key " + table + " changes it past triggers when 'owner' changes");
            }
            ledger.fence.protect("owner");
            ledger.fence.protect("of_on_delete_cascade");
            ledger.run(NEW, "INSERT INTO of_on_delete_cascade VALUES ('me')");
            ledger.unstamped("DELETE FROM owner", "UPDATE owner SET name = 'you'");
            ledger.fence.unprotect("owner");
            assertThat(MariaDbTableScenarios.faults(ledger, "of_on_delete_cascade"))
                    .anyMatch(fault -> fault.contains("past triggers"));
        }
    }

    private static void xa(Dialect dialect) throws Exception {
        try (MariaDbLedger ledger = guarded(dialect);
                Connection writer = ledger.connect()) {
            execute(writer, ledger.carry(NEW));
            execute(writer, "XA START '" + ledger.database + "'");
            assertThatThrownBy(() -> execute(writer, "UPDATE ledger SET amount = 9"))
                    .hasMessageContaining("signet: IN_XA: ");
            execute(writer, "XA END '" + ledger.database + "'");
            execute(writer, "XA ROLLBACK '" + ledger.database + "'");
            execute(writer, "UPDATE ledger SET amount = 9");
        }
    }

    private static void java(Dialect dialect) throws Exception {
        try (MariaDbLedger ledger = guarded(dialect);
                Connection connection = ledger.connect()) {
            JdbcFence pooled =
                    new JdbcFence(new OneConnection(connection), Ledger.RESOURCE, JdbcFenceOptions.DEFAULTS, dialect);
            pooled.inTransaction(NEW, in -> {
                execute(in, "UPDATE ledger SET amount = 2");
                return "";
            });
            assertThatThrownBy(() -> execute(connection, "UPDATE ledger SET amount = 3"))
                    .as("the stamp is not left behind")
                    .hasMessageContaining("NO_STAMP");
            connection.setAutoCommit(false);
            pooled.check(connection, NEW);
            execute(connection, "UPDATE ledger SET amount = amount + 1");
            connection.commit();
            ledger.sealed(stamp(9));
            WriteRefusedException refused = catchThrowableOfType(
                    WriteRefusedException.class,
                    () -> pooled.inTransaction(stamp(9), in -> {
                        execute(in, ledger.carry(NEW));
                        execute(in, "UPDATE ledger SET amount = 4");
                        return "";
                    }));
            assertThat(refused.refusal()).isEqualTo(Refusal.STALE);
            assertThat(ledger.content()).isEqualTo("a 3, b 3");
            pooled.close();
        }
    }

    private static void check(Dialect dialect) throws Exception {
        try (MariaDbLedger ledger = guarded(dialect)) {
            assertThatThrownBy(() -> ledger.run(ledger.check(NEW))).hasMessageContaining("signet: NO_TRANSACTION: ");
            assertThatThrownBy(() -> ledger.run(OLD, "INSERT INTO free VALUES ('x')"))
                    .hasMessageContaining("signet: STALE: ");
            try (Connection typed = ledger.connect()) {
                execute(typed, "START TRANSACTION");
                execute(typed, ledger.check(NEW));
                execute(typed, "UPDATE ledger SET amount = 2");
                execute(typed, "COMMIT");
                execute(typed, "START TRANSACTION");
                assertThatThrownBy(() -> execute(typed, ledger.check(OLD))).hasMessageContaining("signet: STALE: ");
                assertThatThrownBy(() -> execute(typed, "INSERT INTO free VALUES ('swallowed')"))
                        .hasMessageContaining("READ ONLY");
                execute(typed, "COMMIT");
                execute(typed, "XA START '" + ledger.database + "'");
                assertThatThrownBy(() -> execute(typed, ledger.check(NEW))).hasMessageContaining("signet: IN_XA: ");
            }
            assertThat(ledger.content()).isEqualTo("a 2, b 2");
        }
    }
}
