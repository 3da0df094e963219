package dev.signet.fence.jdbc;

import static dev.signet.fence.jdbc.EnforcedLedger.guarded;
import static dev.signet.fence.jdbc.Ledger.LATER;
import static dev.signet.fence.jdbc.Ledger.NEW;
import static dev.signet.fence.jdbc.Ledger.OLD;
import static dev.signet.fence.jdbc.Ledger.RESOURCE;
import static dev.signet.fence.jdbc.Ledger.ROLE;
import static dev.signet.fence.jdbc.Ledger.STORE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.signet.FenceException;
import dev.signet.ResourceName;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;

/** Which tables PostgreSQL can be made to guard, and whether it is seen when it does so no longer. */
final class EnforceTables {

    static final List<Scenario> ALL = List.of(
            new Scenario("partitions are guarded, by whatever name they are written", EnforceTables::partitions),
            new Scenario("what inherits is guarded", EnforceTables::inheritance),
            new Scenario("odd names and other schemas work", EnforceTables::oddNames),
            new Scenario("a resource with an odd name works", EnforceTables::oddResource),
            new Scenario("unsuitable tables are refused with what to change", EnforceTables::unsuitable),
            new Scenario("a table has one resource, and can be let go", EnforceTables::owner),
            new Scenario("who may only write the table can write, and learns no term id", EnforceTables::leastRights),
            new Scenario("who changed what is guarded is written down", EnforceTables::log),
            new Scenario("missing and changed triggers are seen and repaired", EnforceTables::status));

    private static final AtomicInteger USERS = new AtomicInteger();

    private EnforceTables() {}

    private static void partitions(Dialect dialect) throws Exception {
        try (EnforcedLedger ledger = guarded(dialect)) {
            ledger.run("CREATE TABLE parts (id int, what text) PARTITION BY RANGE (id)");
            ledger.run("CREATE TABLE parts_1 PARTITION OF parts FOR VALUES FROM (0) TO (10)");
            ledger.run("CREATE TABLE parts_2 PARTITION OF parts FOR VALUES FROM (10) TO (20) PARTITION BY RANGE (id)");
            ledger.run("CREATE TABLE parts_2_1 PARTITION OF parts_2 FOR VALUES FROM (10) TO (20)");
            ledger.fence.protect("parts");
            ledger.fence.protect("parts");
            ledger.run(NEW, "INSERT INTO parts VALUES (1, 'a'), (11, 'b')");
            for (String table : List.of("parts", "parts_1", "parts_2", "parts_2_1")) {
                ledger.refused("NO_STAMP", "UPDATE " + table + " SET what = 'x'");
                ledger.refused("NO_STAMP", "SET session_replication_role = replica; DELETE FROM " + table);
                ledger.refused("NO_STAMP", "TRUNCATE " + table);
            }
            ledger.refused("NO_STAMP", "UPDATE parts SET id = 12 WHERE id = 1");
            ledger.run("CREATE TABLE parts_3 PARTITION OF parts FOR VALUES FROM (20) TO (30)");
            ledger.run("CREATE TABLE parts_4 (id int, what text)");
            ledger.run("ALTER TABLE parts ATTACH PARTITION parts_4 FOR VALUES FROM (30) TO (40)");
            for (String table : List.of("parts_3", "parts_4")) {
                ledger.refused(
                        "NO_STAMP",
                        "INSERT INTO " + table + " SELECT coalesce(max(id), 0) + " + (table.equals("parts_3") ? 20 : 30)
                                + " FROM " + table);
                ledger.refused(
                        "NO_STAMP", "SET session_replication_role = replica; INSERT INTO parts VALUES (25, 'x')");
                assertThat(faults(ledger, "parts"))
                        .anyMatch(fault -> fault.contains("signet_enforce_truncate is missing on " + table));
            }
            ledger.fence.protect("parts");
            assertThat(faults(ledger, "parts")).isEmpty();
            ledger.refused("NO_STAMP", "TRUNCATE parts_4");
            ledger.fence.unprotect("parts");
            ledger.run("TRUNCATE parts");
        }
    }

    private static void inheritance(Dialect dialect) throws Exception {
        try (EnforcedLedger ledger = guarded(dialect)) {
            ledger.run("CREATE TABLE child (extra int) INHERITS (ledger)");
            assertThat(faults(ledger, "ledger")).anyMatch(fault -> fault.contains("is missing on child"));
            ledger.fence.protect("ledger");
            assertThat(faults(ledger, "ledger")).isEmpty();
            ledger.run(NEW, "INSERT INTO child VALUES ('c', 1, 2)");
            ledger.refused("NO_STAMP", "UPDATE ledger SET amount = 2 WHERE what = 'c'");
            ledger.refused("NO_STAMP", "DELETE FROM child");
            ledger.refused("NO_STAMP", "TRUNCATE ONLY child");
        }
    }

    private static void oddNames(Dialect dialect) throws Exception {
        try (EnforcedLedger ledger = guarded(dialect)) {
            ledger.run("CREATE SCHEMA \"Other one\"");
            ledger.run("CREATE SCHEMA app");
            for (Map.Entry<String, String> each : List.of(
                    Map.entry("\"odd Name\"", "odd Name"),
                    Map.entry("\"with.dot\"", "\"with.dot\""),
                    Map.entry("\"quote's\"", "quote's"),
                    Map.entry("\"select\"", "select"),
                    Map.entry("app.ledger", "app.ledger"),
                    Map.entry("app.\"Büch\"", "app.Büch"),
                    Map.entry("\"Other one\".\"a \"\"b\"\"\"", "Other one.a \"b\""))) {
                ledger.run("CREATE TABLE " + each.getKey() + " (v int)");
                ledger.fence.protect(each.getValue());
                ledger.refused("NO_STAMP", "INSERT INTO " + each.getKey() + " VALUES (1)");
                ledger.refused("NO_STAMP", "TRUNCATE " + each.getKey());
                ledger.run(NEW, "INSERT INTO " + each.getKey() + " VALUES (1)");
                assertThat(faults(ledger, each.getKey())).isEmpty();
            }
            ledger.run("CREATE TABLE app.renamed (v int)");
            ledger.fence.protect("APP.Renamed");
            ledger.run("ALTER TABLE app.renamed SET SCHEMA \"Other one\"");
            assertThat(faults(ledger, "\"Other one\".renamed")).isEmpty();
            ledger.fence.unprotect("Other one.renamed");
            ledger.run("INSERT INTO \"Other one\".renamed VALUES (1)");
        }
    }

    private static void oddResource(Dialect dialect) throws Exception {
        try (EnforcedLedger ledger = guarded(dialect)) {
            ResourceName odd = ResourceName.of("it's 50% of \\the/ledger");
            try (JdbcFence other = ledger.fence(odd)) {
                other.init(ROLE, STORE);
                ledger.run("CREATE TABLE odd (v int)");
                other.protect("odd");
                assertThat(faults(ledger, "odd")).isEmpty();
                assertThatThrownBy(() -> ledger.run("INSERT INTO odd VALUES (1)"))
                        .hasMessageContaining("SELECT signet_check(E'it''s 50% of ");
                other.seal(NEW, LATER).toCompletableFuture().join();
                other.inTransaction(NEW, connection -> {
                    EnforcedLedger.execute(connection, "INSERT INTO odd VALUES (1)");
                    return "";
                });
            }
        }
    }

    private static void unsuitable(Dialect dialect) throws Exception {
        try (EnforcedLedger ledger = guarded(dialect)) {
            ledger.run("CREATE VIEW shown AS SELECT * FROM ledger");
            ledger.run("CREATE MATERIALIZED VIEW kept AS SELECT * FROM ledger");
            ledger.run("CREATE EXTENSION file_fdw");
            ledger.run("CREATE SERVER files FOREIGN DATA WRAPPER file_fdw");
            ledger.run("CREATE FOREIGN TABLE away (v text) SERVER files OPTIONS (filename '/dev/null')");
            ledger.run("CREATE TABLE half (v text) PARTITION BY LIST (v)");
            ledger.run("CREATE FOREIGN TABLE half_away PARTITION OF half DEFAULT SERVER files"
                    + " OPTIONS (filename '/dev/null')");
            ledger.run("CREATE SCHEMA \"a.b\"");
            ledger.run("CREATE SCHEMA a");
            ledger.run("CREATE TABLE \"a.b\".c (v int)");
            ledger.run("CREATE TABLE a.\"b.c\" (v int)");
            for (Map.Entry<String, String> each : List.of(
                    Map.entry("shown", "is a view; protect the tables that it shows"),
                    Map.entry("kept", "is a materialized view"),
                    Map.entry("away", "is a foreign table"),
                    Map.entry("half", "'half_away' is a foreign table"),
                    Map.entry("signet_fence", "is the fence's own"),
                    Map.entry("signet_fence_log", "is the fence's own"),
                    Map.entry("a.b.c", "; write it as in SQL, in double quotes"),
                    Map.entry("nowhere", "there is no table 'nowhere' here; write SCHEMA.TABLE"),
                    Map.entry("ledger; DROP TABLE free", "there is no table"))) {
                assertThatThrownBy(() -> ledger.fence.protect(each.getKey()))
                        .isInstanceOf(FenceException.class)
                        .hasMessageContaining(each.getValue());
            }
            assertThat(ledger.fence.protectedTables()).hasSize(1);
        }
    }

    private static void owner(Dialect dialect) throws Exception {
        try (EnforcedLedger ledger = guarded(dialect);
                JdbcFence other = ledger.fence(ResourceName.of("other"))) {
            assertThatThrownBy(() -> other.protect("free")).hasMessageContaining("has no fence row here");
            other.init(ROLE, STORE);
            assertThatThrownBy(() -> other.protect("ledger")).hasMessageContaining("is protected by resource 'ledger'");
            assertThatThrownBy(() -> other.unprotect("ledger")).hasMessageContaining("unprotect it there");
            assertThatThrownBy(() -> ledger.fence.unprotect("free")).hasMessageContaining("not protected");
            ledger.fence.unprotect("ledger");
            ledger.run("TRUNCATE ledger");
            ledger.run("INSERT INTO ledger VALUES ('anybody', 1)");
            assertThat(ledger.fence.protectedTables()).isEmpty();
        }
    }

    /** Exactly what the page on this fence says. */
    private static void leastRights(Dialect dialect) throws Exception {
        try (EnforcedLedger ledger = guarded(dialect)) {
            String user = "writer" + USERS.incrementAndGet();
            ledger.server.createUser(user, "pw");
            ledger.run("GRANT INSERT, UPDATE, DELETE, SELECT ON ledger TO " + user);
            ledger.run("GRANT EXECUTE ON FUNCTION signet_check TO " + user);
            String url = ledger.server.jdbcUrl(ledger.database, user, "pw");
            assertDenied(url, "SELECT * FROM signet_fence", "42501");
            assertDenied(url, "SELECT * FROM signet_fence_log", "42501");
            assertDenied(url, "UPDATE signet_fence SET max_token = 9", "42501");
            assertDenied(url, "DELETE FROM signet_protected", "42501");
            assertDenied(url, "SELECT signet_raise('ledger', 'r', 's', 9, 'x')", "42501");
            assertDenied(url, "ALTER TABLE ledger DISABLE TRIGGER ALL", "42501");
            assertDenied(url, "SET session_replication_role = replica", "42501");
            assertDenied(url, "TRUNCATE ledger", "42501");
            assertDenied(url, "INSERT INTO ledger VALUES ('x', 1)", "SG428");
            try (Connection writer = DriverManager.getConnection(url)) {
                writer.setAutoCommit(false);
                EnforcedLedger.execute(writer, EnforcedLedger.check(NEW));
                EnforcedLedger.execute(writer, "INSERT INTO ledger VALUES ('x', 1)");
                EnforcedLedger.execute(writer, "DELETE FROM ledger WHERE what = 'a'");
                writer.commit();
                EnforcedLedger.execute(writer, "SET signet.token = " + OLD.token());
                EnforcedLedger.execute(
                        writer, "SET signet.term_id = '" + OLD.termId().secret() + "'");
                EnforcedLedger.execute(writer, "UPDATE ledger SET amount = 2");
                assertThatThrownBy(writer::commit).hasMessageContaining("signet: STALE: ");
            }
            assertThat(ledger.content()).isEqualTo("b 1, x 1");
        }
    }

    private static void assertDenied(String url, String sql, String state) throws SQLException {
        try (Connection connection = DriverManager.getConnection(url)) {
            assertThatThrownBy(() -> EnforcedLedger.execute(connection, sql))
                    .as(sql)
                    .isInstanceOfSatisfying(
                            SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo(state));
        }
    }

    private static void log(Dialect dialect) throws Exception {
        try (EnforcedLedger ledger = guarded(dialect)) {
            ledger.fence.init(ROLE, STORE);
            ledger.fence.unprotect("ledger");
            assertThat(ledger.text("SELECT string_agg(who || ': ' || act || ' ' || resource || ' ' || detail, '; '"
                            + " ORDER BY at) FROM signet_fence_log"))
                    .isEqualTo(
                            "postgres: init ledger for role nightly of store store-1; postgres: protect ledger table ledger;"
                                    + " postgres: protect ledger table ledger; postgres: unprotect ledger table ledger");
        }
    }

    private static void status(Dialect dialect) throws Exception {
        try (EnforcedLedger ledger = guarded(dialect)) {
            assertThat(ledger.fence.protectedTables())
                    .containsExactly(new ProtectedTable("ledger", RESOURCE, List.of()));
            ledger.run("CREATE FUNCTION nothing() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NULL; END'");
            for (Map.Entry<String, String> each : List.of(
                    Map.entry("DROP TRIGGER signet_enforce ON ledger", "signet_enforce is missing"),
                    Map.entry("DROP TRIGGER signet_enforce_truncate ON ledger", "signet_enforce_truncate is missing"),
                    Map.entry("ALTER TABLE ledger DISABLE TRIGGER signet_enforce", "signet_enforce is disabled"),
                    Map.entry("ALTER TABLE ledger DISABLE TRIGGER ALL", "signet_enforce_truncate is disabled"),
                    Map.entry("ALTER TABLE ledger ENABLE TRIGGER ALL", "signet_enforce is not enabled ALWAYS"),
                    Map.entry("ALTER TABLE ledger ENABLE REPLICA TRIGGER signet_enforce", "is not enabled ALWAYS"),
                    Map.entry(
                            replaced("signet_enforce('other')", "DEFERRABLE INITIALLY DEFERRED"),
                            "of another resource"),
                    Map.entry(replaced("nothing()", "DEFERRABLE INITIALLY DEFERRED"), "calls another function"),
                    Map.entry(replaced("signet_enforce('ledger')", "DEFERRABLE"), "was changed"),
                    Map.entry(
                            replaced("signet_enforce('ledger')", "DEFERRABLE INITIALLY DEFERRED")
                                    .replace(" OR DELETE", ""),
                            "was changed"))) {
                ledger.run(each.getKey());
                assertThat(faults(ledger, "ledger"))
                        .as(each.getKey())
                        .anyMatch(fault -> fault.contains(each.getValue()) && fault.contains("run protect again"));
                ledger.fence.protect("ledger");
                assertThat(faults(ledger, "ledger")).isEmpty();
            }
            assertThat(ledger.fence.view(LATER).toCompletableFuture().join().toString())
                    .contains("table 'ledger' is protected, its triggers intact");
            ledger.run("CREATE OR REPLACE FUNCTION signet_enforce() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER"
                    + " SET search_path = pg_catalog AS 'BEGIN RETURN NULL; END'");
            assertThat(faults(ledger, "ledger"))
                    .anyMatch(fault -> fault.contains("function signet_enforce is not the one"));
            ledger.run("DROP TABLE ledger");
            assertThat(faults(ledger, "ledger")).anyMatch(fault -> fault.contains("it was dropped"));
        }
    }

    private static String replaced(String call, String when) {
        return "DROP TRIGGER signet_enforce ON ledger; CREATE CONSTRAINT TRIGGER signet_enforce AFTER INSERT OR UPDATE OR DELETE"
                + " ON ledger " + when + " FOR EACH ROW EXECUTE FUNCTION " + call
                + "; ALTER TABLE ledger ENABLE ALWAYS TRIGGER signet_enforce";
    }

    private static List<String> faults(EnforcedLedger ledger, String table) {
        return ledger.fence.protectedTables().stream()
                .filter(each -> each.table().equals(table))
                .findFirst()
                .orElseThrow()
                .faults();
    }
}
