package dev.signet.fence.jdbc;

import static dev.signet.fence.jdbc.Ledger.NEW;
import static dev.signet.fence.jdbc.Ledger.OLD;
import static dev.signet.fence.jdbc.Ledger.RESOURCE;
import static dev.signet.fence.jdbc.Ledger.ROLE;
import static dev.signet.fence.jdbc.Ledger.STORE;
import static dev.signet.fence.jdbc.MariaDbLedger.execute;
import static dev.signet.fence.jdbc.MariaDbLedger.guarded;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.signet.FenceException;
import dev.signet.ResourceName;
import dev.signet.Role;
import dev.signet.StoreId;
import java.sql.Connection;
import java.sql.DriverManager;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/** Which tables MariaDB can be made to guard, whether it is seen when it does so no longer, and what gets past. */
final class MariaDbTableScenarios {

    static final List<Scenario> ALL = List.of(
            new Scenario("unsuitable tables are refused with what to change", MariaDbTableScenarios::unsuitable),
            new Scenario("odd names work", MariaDbTableScenarios::oddNames),
            new Scenario("an odd SQL mode or character set changes nothing", MariaDbTableScenarios::oddSettings),
            new Scenario("a table has one resource, and can be let go", MariaDbTableScenarios::owner),
            new Scenario(
                    "who may only write the table can write, and learns no term id",
                    MariaDbTableScenarios::leastRights),
            new Scenario("who changed what is guarded is written down", MariaDbTableScenarios::log),
            new Scenario("missing and changed triggers are seen and repaired", MariaDbTableScenarios::status),
            new Scenario("what fires no triggers, or shadows the fence, gets past", MariaDbTableScenarios::unseen),
            new Scenario("a session's stamp outlives its transaction", MariaDbTableScenarios::leftBehind));

    private static final AtomicInteger USERS = new AtomicInteger();

    private MariaDbTableScenarios() {}

    private static void unsuitable(Dialect dialect) throws Exception {
        try (MariaDbLedger ledger = guarded(dialect)) {
            ledger.run("CREATE VIEW shown AS SELECT * FROM ledger");
            ledger.run("CREATE SEQUENCE numbers");
            ledger.run("CREATE TABLE my (v INT) ENGINE = MyISAM");
            ledger.run("CREATE TABLE ar (v INT) ENGINE = Aria");
            ledger.run("CREATE TABLE " + "l".repeat(60) + " (v INT) ENGINE = InnoDB");
            for (String[] each : List.of(
                    new String[] {"shown", "it is no table; protect the tables beneath it"},
                    new String[] {"numbers", "it is no table"},
                    new String[] {"my", "it has no transactions"},
                    new String[] {"ar", "it has no transactions"},
                    new String[] {"l".repeat(60), "longer than 50 characters"},
                    new String[] {"signet_fence", "the fence's own"},
                    new String[] {"signet_protected", "the fence's own"},
                    new String[] {"nowhere", "there is no such table"},
                    new String[] {"ledger; DROP TABLE free", "there is no such table"})) {
                assertThatThrownBy(() -> ledger.fence.protect(each[0]))
                        .isInstanceOf(FenceException.class)
                        .hasMessageContaining(each[1]);
            }
            assertThat(ledger.fence.protectedTables()).hasSize(1);
        }
    }

    private static void oddNames(Dialect dialect) throws Exception {
        try (MariaDbLedger ledger = guarded(dialect);
                JdbcFence odd = ledger.fence(ResourceName.of("it's 50% of \\the/ledger"))) {
            odd.init(ROLE, STORE);
            odd.seal(NEW, Ledger.LATER).toCompletableFuture().join();
            for (String table : List.of("odd Name", "select", "quote's", "back`tick", "Büch", "with.dot")) {
                String insert = "INSERT INTO " + MariaDb.identifier(table) + " VALUES (1)";
                ledger.run("CREATE TABLE " + MariaDb.identifier(table) + " (v INT) ENGINE = InnoDB");
                odd.protect(table);
                assertThatThrownBy(() -> ledger.run(insert))
                        .hasMessageContaining("signet: NO_STAMP: a write to resource it's 50% of \\the/ledger must");
                odd.inTransaction(NEW, connection -> {
                    execute(connection, insert);
                    return "";
                });
                assertThat(faults(ledger, table)).isEmpty();
            }
        }
    }

    /** Of whoever protects, and of the database. */
    private static void oddSettings(Dialect dialect) throws Exception {
        try (MariaDbLedger ledger = guarded(dialect)) {
            ledger.run("ALTER DATABASE " + ledger.database + " CHARACTER SET utf16");
            Connection odd = ledger.connect();
            for (String mode :
                    List.of("", "ANSI", "EMPTY_STRING_IS_NULL", "HIGH_NOT_PRECEDENCE,NO_BACKSLASH_ESCAPES")) {
                execute(odd, "SET sql_mode = '" + mode + "'");
                dialect.enforcement().protect(odd, RESOURCE, "ledger", Deadline.in(Ledger.LATER));
                ledger.unstamped(
                        "UPDATE ledger SET amount = 9",
                        "BEGIN NOT ATOMIC SET @signet_term_id = '"
                                + NEW.termId().secret() + "'; UPDATE ledger SET amount = 9; END");
                ledger.refused("STALE", OLD, "UPDATE ledger SET amount = 9");
                ledger.run(NEW, "UPDATE ledger SET amount = amount + 1");
            }
            assertThat(ledger.content()).isEqualTo("a 5, b 5");
        }
    }

    private static void owner(Dialect dialect) throws Exception {
        try (MariaDbLedger ledger = guarded(dialect);
                JdbcFence other = ledger.fence(ResourceName.of("other"))) {
            assertThatThrownBy(() -> other.protect("free")).hasMessageContaining("has no fence row here");
            other.init(ROLE, STORE);
            assertThatThrownBy(() -> other.protect("ledger")).hasMessageContaining("is protected by resource 'ledger'");
            assertThatThrownBy(() -> other.unprotect("ledger")).hasMessageContaining("unprotect it there");
            assertThatThrownBy(() -> ledger.fence.unprotect("free")).hasMessageContaining("not protected");
            ledger.fence.unprotect("ledger");
            ledger.run("INSERT INTO ledger VALUES ('anybody', 1)");
            assertThat(ledger.fence.protectedTables()).isEmpty();
        }
    }

    /** Exactly what the page on this fence says. */
    private static void leastRights(Dialect dialect) throws Exception {
        try (MariaDbLedger ledger = guarded(dialect)) {
            String user = "writer" + USERS.incrementAndGet();
            ledger.server.createUser(user, "pw");
            ledger.run("GRANT SELECT, INSERT, UPDATE, DELETE ON ledger TO " + user);
            ledger.run("GRANT EXECUTE ON PROCEDURE signet_check TO " + user);
            try (Connection writer = DriverManager.getConnection(ledger.server.jdbcUrl(ledger.database, user, "pw"))) {
                for (String sql : List.of(
                        "SELECT * FROM signet_fence",
                        "UPDATE signet_fence SET max_token = 9",
                        "SELECT * FROM signet_fence_log",
                        "DELETE FROM signet_protected",
                        "DROP TRIGGER signet_insert_ledger",
                        "TRUNCATE ledger",
                        "CALL signet_admit('ledger', 1, 'x')")) {
                    assertThatThrownBy(() -> execute(writer, sql)).as(sql).hasMessageContaining("denied");
                }
                assertThatThrownBy(() -> execute(writer, "DELETE FROM ledger")).hasMessageContaining("NO_STAMP");
                execute(writer, ledger.carry(NEW));
                execute(writer, "DELETE FROM ledger WHERE what = 'a'");
                writer.setAutoCommit(false);
                execute(writer, ledger.check(NEW));
                execute(writer, "INSERT INTO ledger VALUES ('x', 1)");
                writer.commit();
                execute(writer, ledger.carry(OLD));
                assertThatThrownBy(() -> execute(writer, "DELETE FROM ledger")).hasMessageContaining("STALE");
            }
            assertThat(ledger.content()).isEqualTo("b 1, x 1");
        }
    }

    private static void log(Dialect dialect) throws Exception {
        try (MariaDbLedger ledger = guarded(dialect)) {
            ledger.fence.unprotect("ledger");
            StoreId other = new StoreId("store-2");
            ledger.fence.reset(Role.of("daily"), other, "the store burnt down");
            assertThat(ledger.text(
                                    "SELECT GROUP_CONCAT(LEFT(who, 5), act, ' ', resource, ' ', detail ORDER BY at SEPARATOR '\\n')"
                                            + " FROM signet_fence_log")
                            .lines())
                    .containsExactly(
                            "root@protect ledger table ledger",
                            "root@protect ledger table ledger",
                            "root@unprotect ledger table ledger",
                            "root@reset ledger to role daily of store store-2; was role nightly of store store-1, token 8, term "
                                    + NEW.termId().digest() + "; the store burnt down");
            assertThatThrownBy(() -> ledger.sealed(NEW)).isInstanceOf(AssertionError.class);
            ledger.fence.init(Role.of("daily"), other);
        }
    }

    private static void status(Dialect dialect) throws Exception {
        try (MariaDbLedger ledger = guarded(dialect)) {
            assertThat(ledger.fence.protectedTables())
                    .containsExactly(new ProtectedTable("ledger", RESOURCE, List.of()));
            for (String[] each : List.of(
                    new String[] {"DROP TRIGGER signet_insert_ledger", "signet_insert_ledger is missing"},
                    new String[] {
                        "CREATE OR REPLACE TRIGGER signet_update_ledger BEFORE UPDATE ON ledger FOR EACH ROW SET @x = 1",
                        "signet_update_ledger was changed"
                    },
                    new String[] {
                        "CREATE OR REPLACE TRIGGER signet_delete_ledger AFTER DELETE ON ledger FOR EACH ROW"
                                + " CALL signet_admit(X'6c6564676572', @signet_token, @signet_term_id)",
                        "signet_delete_ledger was changed"
                    },
                    new String[] {
                        "CREATE OR REPLACE PROCEDURE signet_admit(a TEXT, b TEXT, c TEXT) BEGIN END",
                        "signet_admit is not the one"
                    },
                    new String[] {"ALTER PROCEDURE signet_admit SQL SECURITY INVOKER", "signet_admit is not the one"
                    })) {
                ledger.run(each[0]);
                assertThat(faults(ledger, "ledger"))
                        .as(each[0])
                        .singleElement()
                        .asString()
                        .contains(each[1])
                        .contains("run protect again");
                ledger.fence.protect("ledger");
                assertThat(faults(ledger, "ledger")).isEmpty();
            }
            ledger.run("RENAME TABLE ledger TO moved");
            assertThat(faults(ledger, "ledger")).anyMatch(fault -> fault.contains("no such table"));
            assertThatThrownBy(() -> ledger.run("DELETE FROM moved")).hasMessageContaining("NO_STAMP");
            ledger.run("CREATE TABLE ledger LIKE moved");
            assertThatThrownBy(() -> ledger.fence.protect("ledger")).isInstanceOf(FenceException.class);
            ledger.run("DROP TABLE ledger");
            ledger.run("RENAME TABLE moved TO ledger");
            ledger.run("ALTER TABLE ledger ENGINE = Aria");
            assertThat(faults(ledger, "ledger")).anyMatch(fault -> fault.contains("it has no transactions"));
        }
    }

    /** Stated limits. */
    private static void unseen(Dialect dialect) throws Exception {
        try (MariaDbLedger ledger = guarded(dialect)) {
            ledger.run("CREATE TABLE versioned (v INT) ENGINE = InnoDB WITH SYSTEM VERSIONING");
            ledger.fence.protect("versioned");
            ledger.run(NEW, "INSERT INTO versioned VALUES (1)", "DELETE FROM versioned");
            ledger.run("DELETE HISTORY FROM versioned");
            assertThat(ledger.text("SELECT COUNT(*) FROM versioned FOR SYSTEM_TIME ALL"))
                    .isEqualTo("0");
            try (Connection shadowing = ledger.carrying(OLD, Connection.TRANSACTION_READ_COMMITTED)) {
                execute(shadowing, "CREATE TEMPORARY TABLE signet_fence AS SELECT * FROM signet_fence");
                execute(
                        shadowing,
                        "UPDATE signet_fence SET max_token = @signet_token, term_id = CAST(@signet_term_id AS BINARY)");
                execute(shadowing, "UPDATE ledger SET amount = 7");
                shadowing.commit();
            }
            assertThat(ledger.content()).isEqualTo("a 7, b 7");
            ledger.run("TRUNCATE ledger");
            assertThat(ledger.content()).isEmpty();
            assertThat(faults(ledger, "ledger")).isEmpty();
        }
    }

    private static void leftBehind(Dialect dialect) throws Exception {
        try (MariaDbLedger ledger = guarded(dialect);
                Connection session = ledger.connect()) {
            session.setAutoCommit(false);
            ledger.fence.check(session, NEW);
            session.commit();
            session.setAutoCommit(true);
            execute(session, "UPDATE ledger SET amount = 2");
            assertThat(ledger.content()).isEqualTo("a 2, b 2");
            ledger.sealed(Ledger.stamp(9));
            assertThatThrownBy(() -> execute(session, "UPDATE ledger SET amount = 3"))
                    .hasMessageContaining("signet: STALE: ");
        }
    }

    static List<String> faults(GuardedLedger ledger, String table) {
        return ledger.fence.protectedTables().stream()
                .filter(each -> each.table().equals(table))
                .findFirst()
                .orElseThrow()
                .faults();
    }
}
