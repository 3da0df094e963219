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
            ledger.run("""
                    CREATE TABLE parts (id int, what text) PARTITION BY RANGE (id);
                    CREATE TABLE parts_1 PARTITION OF parts FOR VALUES FROM (0) TO (10);
                    CREATE TABLE parts_2 PARTITION OF parts FOR VALUES FROM (10) TO (20) PARTITION BY RANGE (id);
                    CREATE TABLE parts_2_1 PARTITION OF parts_2 FOR VALUES FROM (10) TO (20)
                    """);
            ledger.fence.protect("parts");
            ledger.fence.protect("parts");
            ledger.run(NEW, "INSERT INTO parts VALUES (1, 'a'), (11, 'b')");
            for (String table : List.of("parts", "parts_1", "parts_2", "parts_2_1")) {
                ledger.unstamped(
                        "UPDATE " + table + " SET what = 'x'",
                        "SET session_replication_role = replica; DELETE FROM " + table,
                        "TRUNCATE " + table);
            }
            ledger.unstamped("UPDATE parts SET id = 12 WHERE id = 1");
            ledger.run("""
                    CREATE TABLE parts_3 PARTITION OF parts FOR VALUES FROM (20) TO (30);
                    CREATE TABLE parts_4 (id int, what text);
                    ALTER TABLE parts ATTACH PARTITION parts_4 FOR VALUES FROM (30) TO (40)
                    """);
            for (String values : List.of("parts_3 VALUES (20, 'x')", "parts_4 VALUES (30, 'x')")) {
                ledger.unstamped(
                        "INSERT INTO " + values,
                        "SET session_replication_role = replica; INSERT INTO parts" + values.substring(7));
            }
            assertThat(faults(ledger, "parts"))
                    .containsExactly(
                            "trigger signet_enforce_truncate is missing on parts_3; run protect again",
                            "trigger signet_enforce_truncate is missing on parts_4; run protect again");
            ledger.fence.protect("parts");
            assertThat(faults(ledger, "parts")).isEmpty();
            ledger.unstamped("TRUNCATE parts_4");
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
            ledger.unstamped(
                    "UPDATE ledger SET amount = 2 WHERE what = 'c'", "DELETE FROM child", "TRUNCATE ONLY child");
        }
    }

    private static void oddNames(Dialect dialect) throws Exception {
        try (EnforcedLedger ledger = guarded(dialect)) {
            ledger.run("CREATE SCHEMA \"Other one\"; CREATE SCHEMA app");
            for (String[] each : pairs("""
                    "odd Name" => odd Name
                    "with.dot" => "with.dot"
                    "quote's" => quote's
                    "select" => select
                    app.ledger => app.ledger
                    app."Büch" => app.Büch
                    "Other one"."a ""b""\" => Other one.a "b"
                    """)) {
                String insert = "INSERT INTO " + each[0] + " VALUES (1)";
                ledger.run("CREATE TABLE " + each[0] + " (v int)");
                ledger.fence.protect(each[1]);
                ledger.unstamped(insert, "TRUNCATE " + each[0]);
                ledger.run(NEW, insert);
                assertThat(faults(ledger, each[0])).isEmpty();
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
            ledger.run("""
                    CREATE VIEW shown AS SELECT * FROM ledger;
                    CREATE MATERIALIZED VIEW kept AS SELECT * FROM ledger;
                    CREATE EXTENSION file_fdw;
                    CREATE SERVER files FOREIGN DATA WRAPPER file_fdw;
                    CREATE FOREIGN TABLE away (v text) SERVER files OPTIONS (filename '/dev/null');
                    CREATE TABLE half (v text) PARTITION BY LIST (v);
                    CREATE FOREIGN TABLE half_away PARTITION OF half DEFAULT SERVER files OPTIONS (filename '/dev/null');
                    CREATE SCHEMA "a.b" CREATE TABLE c (v int);
                    CREATE SCHEMA a CREATE TABLE "b.c" (v int)
                    """);
            for (String[] each : pairs("""
                    shown => is a view; protect the tables that it shows
                    kept => is a materialized view
                    away => is a foreign table
                    half => 'half_away' is a foreign table
                    signet_fence => is the fence's own
                    signet_fence_log => is the fence's own
                    a.b.c => ; write it as in SQL, in double quotes
                    nowhere => there is no table 'nowhere' here; write SCHEMA.TABLE
                    ledger; DROP TABLE free => there is no table
                    """)) {
                assertThatThrownBy(() -> ledger.fence.protect(each[0]))
                        .isInstanceOf(FenceException.class)
                        .hasMessageContaining(each[1]);
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
            for (String sql : List.of(
                    "SELECT * FROM signet_fence",
                    "SELECT * FROM signet_fence_log",
                    "UPDATE signet_fence SET max_token = 9",
                    "DELETE FROM signet_protected",
                    "SELECT signet_raise('ledger', 'r', 's', 9, 'x')",
                    "ALTER TABLE ledger DISABLE TRIGGER ALL",
                    "SET session_replication_role = replica",
                    "TRUNCATE ledger")) {
                assertDenied(url, sql, "42501");
            }
            assertDenied(url, "INSERT INTO ledger VALUES ('x', 1)", "SG428");
            try (Connection writer = DriverManager.getConnection(url)) {
                writer.setAutoCommit(false);
                EnforcedLedger.execute(writer, ledger.check(NEW));
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
            String replace =
                    "DROP TRIGGER signet_enforce ON ledger; CREATE CONSTRAINT TRIGGER signet_enforce AFTER INSERT OR"
                            + " UPDATE OR DELETE ON ledger DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION"
                            + " signet_enforce('ledger'); ALTER TABLE ledger ENABLE ALWAYS TRIGGER signet_enforce";
            for (String[] each : pairs("""
                    DROP TRIGGER signet_enforce ON ledger => signet_enforce is missing
                    DROP TRIGGER signet_enforce_truncate ON ledger => signet_enforce_truncate is missing
                    ALTER TABLE ledger DISABLE TRIGGER signet_enforce => signet_enforce is disabled
                    ALTER TABLE ledger DISABLE TRIGGER ALL => signet_enforce_truncate is disabled
                    ALTER TABLE ledger ENABLE TRIGGER ALL => signet_enforce is not enabled ALWAYS
                    ALTER TABLE ledger ENABLE REPLICA TRIGGER signet_enforce => is not enabled ALWAYS
                    """
                    + replace.replace("('ledger')", "('other')") + " => of another resource\n"
                    + replace.replace("signet_enforce('ledger')", "nothing()") + " => calls another function\n"
                    + replace.replace("INITIALLY DEFERRED", "") + " => was changed\n"
                    + replace.replace("OR DELETE", "") + " => was changed")) {
                ledger.run(each[0]);
                assertThat(faults(ledger, "ledger"))
                        .as(each[0])
                        .anyMatch(fault -> fault.contains(each[1]) && fault.contains("run protect again"));
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

    /** A line each: what stands left and right of the arrow. */
    private static List<String[]> pairs(String lines) {
        return lines.lines().map(line -> line.split(" => ", 2)).toList();
    }

    private static List<String> faults(EnforcedLedger ledger, String table) {
        return ledger.fence.protectedTables().stream()
                .filter(each -> each.table().equals(table))
                .findFirst()
                .orElseThrow()
                .faults();
    }
}
