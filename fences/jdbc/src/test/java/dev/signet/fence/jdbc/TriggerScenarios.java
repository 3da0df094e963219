package dev.signet.fence.jdbc;

import static dev.signet.fence.jdbc.Ledger.NEW;
import static dev.signet.fence.jdbc.Ledger.OLD;
import static dev.signet.fence.jdbc.Ledger.RESOURCE;
import static dev.signet.fence.jdbc.Ledger.ROLE;
import static dev.signet.fence.jdbc.Ledger.STORE;
import static dev.signet.fence.jdbc.Ledger.insert;
import static dev.signet.fence.jdbc.Ledger.otherTerm;
import static dev.signet.fence.jdbc.Ledger.stamp;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.signet.FenceException;
import dev.signet.ResourceName;
import dev.signet.Stamp;
import dev.signet.WriteRefusedException;
import dev.signet.fence.Refusal;
import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;

/** What the database itself must refuse, from connections that know nothing of Signet. */
final class TriggerScenarios {

    /** Row 'a' of the old term, row 'b' of the new one, which is current. */
    private static final String STAMPED_BY_NEW =
            "signet_token = 8, signet_term = '" + NEW.termId().secret() + "'";

    private static final String STAMPED_BY_OLD =
            "signet_token = 7, signet_term = '" + OLD.termId().secret() + "'";

    static final List<Scenario> ALL = List.of(
            new Scenario("the current term inserts, updates, upserts, replaces, deletes", TriggerScenarios::current),
            new Scenario("each kind of wrong stamp is refused by its name", TriggerScenarios::kinds),
            new Scenario("an UPDATE that names no stamp is refused", TriggerScenarios::unstampedUpdate),
            new Scenario("INSERT … SELECT of stored stamps is refused", TriggerScenarios::copiedStamp),
            new Scenario("a plain DELETE is refused, whoever wrote the row", TriggerScenarios::plainDelete),
            new Scenario("a permit to delete does not outlive its statement", TriggerScenarios::permit),
            new Scenario("no stamp stays on a row", TriggerScenarios::cleared),
            new Scenario("conflict clauses let nothing past", TriggerScenarios::conflictClauses),
            new Scenario("one wrong row among many refuses the statement", TriggerScenarios::manyRows),
            new Scenario("upserts are checked twice", TriggerScenarios::upsert),
            new Scenario("REPLACE deletes only for a checked write", TriggerScenarios::replace),
            new Scenario("recursive triggers change nothing", TriggerScenarios::recursive),
            new Scenario("clearing the stamp is no way in", TriggerScenarios::pretendedClearing),
            new Scenario("cascades of foreign keys are refused", TriggerScenarios::cascades),
            new Scenario("views, TEMP tables and ATTACH lead past nothing", TriggerScenarios::detours),
            new Scenario("tables WITHOUT ROWID and with odd names work", TriggerScenarios::oddTables),
            new Scenario("a stamp that cannot be cleared refuses the write", TriggerScenarios::uncleared),
            new Scenario("the application's own triggers still run", TriggerScenarios::ownTriggers),
            new Scenario("the fence row is not moved or deleted by hand", TriggerScenarios::fenceRow),
            new Scenario("missing and changed triggers are seen and repaired", TriggerScenarios::status),
            new Scenario("unsuitable tables are refused with what to change", TriggerScenarios::unsuitable));

    private TriggerScenarios() {}

    private static Ledger guarded(Dialect dialect) throws SQLException, IOException {
        Ledger ledger = Ledger.sealed(dialect);
        ledger.fence.protect("ledger");
        ledger.fence.protect("ledger");
        try (Connection plain = ledger.source.getConnection()) {
            insert(plain, "a", OLD);
            ledger.sealed(NEW);
            insert(plain, "b", NEW);
        }
        assertThat(ledger.fence.protectedTables()).containsExactly(new ProtectedTable("ledger", RESOURCE, List.of()));
        return ledger;
    }

    private static void refused(Ledger ledger, String kind, String sql) throws SQLException {
        String before = content(ledger);
        Throwable failed = catchThrowable(() -> ledger.run(sql));
        assertThat(failed).as(sql).isInstanceOf(SQLException.class).hasMessageContaining("signet: " + kind + ": ");
        assertThat(content(ledger)).as("after " + sql).isEqualTo(before);
    }

    private static String content(Ledger ledger) throws SQLException {
        try (Connection connection = ledger.source.getConnection()) {
            return String.join(
                    "\n",
                    Sqlite.texts(
                            connection,
                            "SELECT id || '|' || ifnull(what, '') || '|' || ifnull(amount, '') || '|' || signet_token"
                                    + " FROM ledger ORDER BY id"));
        }
    }

    private static void current(Dialect dialect) throws Exception {
        try (Ledger ledger = guarded(dialect)) {
            ledger.run("UPDATE ledger SET amount = 5, " + STAMPED_BY_NEW + " WHERE what = 'a'");
            String insert =
                    "INTO ledger VALUES (NULL, 'a', 6, 8, '" + NEW.termId().secret() + "')";
            ledger.run("INSERT " + insert + " ON CONFLICT (what) DO UPDATE SET amount = excluded.amount,"
                    + " signet_token = excluded.signet_token, signet_term = excluded.signet_term");
            assertThat(content(ledger)).isEqualTo("1|a|6|8\n2|b|1|8");
            ledger.run("INSERT OR REPLACE " + insert);
            ledger.run("UPDATE ledger SET signet_token = 8, signet_term = 'delete:"
                    + NEW.termId().secret() + "' WHERE what = 'b'");
            assertThat(content(ledger)).isEqualTo("4|a|6|8");
        }
    }

    private static void kinds(Dialect dialect) throws Exception {
        try (Ledger ledger = guarded(dialect)) {
            for (Kind kind : List.of(
                    new Kind(OLD, Refusal.STALE),
                    new Kind(otherTerm(NEW), Refusal.SAME_TOKEN_OTHER_TERM),
                    new Kind(stamp(9), Refusal.UNSEALED))) {
                String token = kind.stamp.token() + "";
                String term = kind.stamp.termId().secret();
                refused(
                        ledger,
                        kind.refusal.name(),
                        "INSERT INTO ledger VALUES (9, 'x', 1, " + token + ", '" + term + "')");
                refused(
                        ledger,
                        kind.refusal.name(),
                        "UPDATE ledger SET amount = 9, signet_token = " + token + ", signet_term = '" + term + "'");
                refused(
                        ledger,
                        kind.refusal.name(),
                        "UPDATE ledger SET signet_token = " + token + ", signet_term = 'delete:" + term + "'");
                WriteRefusedException mapped = catchThrowableOfType(
                        WriteRefusedException.class,
                        () -> ledger.fence.inTransaction(NEW, connection -> {
                            insert(connection, "x", kind.stamp);
                            return "";
                        }));
                assertThat(mapped.refusal()).isEqualTo(kind.refusal);
            }
            refused(ledger, "NO_STAMP", "INSERT INTO ledger (what) VALUES ('x')");
            refused(ledger, "NO_STAMP", "INSERT INTO ledger (what, signet_token) VALUES ('x', 8)");
            refused(
                    ledger,
                    "NO_STAMP",
                    "INSERT INTO ledger (what, signet_term) VALUES ('x', '"
                            + NEW.termId().secret() + "')");
            ledger.run("DROP TRIGGER signet_fence_stays");
            ledger.run("DELETE FROM signet_fence");
            refused(ledger, "NOT_INITIALISED", "UPDATE ledger SET amount = 9, " + STAMPED_BY_NEW);
        }
    }

    private record Kind(Stamp stamp, Refusal refusal) {}

    private static void unstampedUpdate(Dialect dialect) throws Exception {
        try (Ledger ledger = guarded(dialect)) {
            refused(ledger, "NO_STAMP", "UPDATE ledger SET amount = 0");
            refused(ledger, "NO_STAMP", "UPDATE ledger SET amount = 0 WHERE what = 'b'");
            refused(ledger, "NO_STAMP", "UPDATE ledger SET id = 5 WHERE what = 'b'");
            refused(ledger, "NO_STAMP", "UPDATE ledger SET amount = 0, signet_token = 8");
            refused(ledger, "NO_STAMP", "UPDATE ledger SET signet_token = signet_token, signet_term = signet_term");
            refused(ledger, "NO_STAMP", "WITH x AS (SELECT 0 AS y) UPDATE ledger SET amount = y FROM x");
        }
    }

    private static void copiedStamp(Dialect dialect) throws Exception {
        try (Ledger ledger = guarded(dialect)) {
            refused(
                    ledger,
                    "NO_STAMP",
                    "INSERT INTO ledger (what, signet_token, signet_term)"
                            + " SELECT 'copy of ' || what, signet_token, signet_term FROM ledger WHERE what = 'b'");
        }
    }

    private static void plainDelete(Dialect dialect) throws Exception {
        try (Ledger ledger = guarded(dialect)) {
            refused(ledger, "NO_STAMP", "DELETE FROM ledger");
            refused(ledger, "NO_STAMP", "DELETE FROM ledger WHERE what = 'b'");
            refused(ledger, "NO_STAMP", "DELETE FROM ledger RETURNING id");
        }
    }

    private static void permit(Dialect dialect) throws Exception {
        try (Ledger ledger = guarded(dialect)) {
            ledger.run("UPDATE ledger SET " + STAMPED_BY_NEW); // stamps, and does not delete
            refused(ledger, "NO_STAMP", "DELETE FROM ledger");
            Connection own = ledger.transaction();
            Sqlite.execute(own, "UPDATE ledger SET " + STAMPED_BY_NEW);
            assertThatThrownBy(() -> Sqlite.execute(own, "DELETE FROM ledger")).isInstanceOf(SQLException.class);
            own.rollback();
        }
    }

    private static void cleared(Dialect dialect) throws Exception {
        try (Ledger ledger = guarded(dialect)) {
            ledger.run("UPDATE ledger SET amount = 1, " + STAMPED_BY_NEW);
            assertThat(ledger.number("SELECT count(*) FROM ledger WHERE signet_term IS NOT NULL"))
                    .isZero();
            assertThat(ledger.number("SELECT count(*) FROM ledger WHERE signet_token = 8"))
                    .isEqualTo(2);
        }
    }

    private static void conflictClauses(Dialect dialect) throws Exception {
        try (Ledger ledger = guarded(dialect)) {
            for (String or : List.of("", "OR ABORT", "OR FAIL", "OR IGNORE", "OR REPLACE", "OR ROLLBACK")) {
                String old = "'" + OLD.termId().secret() + "'";
                refused(ledger, "STALE", "INSERT " + or + " INTO ledger VALUES (7, 'x', 1, 7, " + old + ")");
                refused(ledger, "STALE", "INSERT " + or + " INTO ledger VALUES (1, 'b', 1, 7, " + old + ")");
                refused(ledger, "STALE", "UPDATE " + or + " ledger SET amount = 9, " + STAMPED_BY_OLD);
                refused(ledger, "NO_STAMP", "UPDATE " + or + " ledger SET amount = 9");
                refused(ledger, "NO_STAMP", "UPDATE " + or + " ledger SET what = 'b' WHERE what = 'a'");
            }
            refused(
                    ledger,
                    "STALE",
                    "REPLACE INTO ledger VALUES (1, 'b', 1, 7, '" + OLD.termId().secret() + "')");
        }
    }

    private static void manyRows(Dialect dialect) throws Exception {
        try (Ledger ledger = guarded(dialect)) {
            String good = "8, '" + NEW.termId().secret() + "')";
            refused(ledger, "NO_STAMP", "INSERT INTO ledger VALUES (8, 'x', 1, " + good + ", (9, 'y', 1, 8, NULL)");
            refused(
                    ledger,
                    "STALE",
                    "INSERT OR IGNORE INTO ledger VALUES (8, 'x', 1, " + good + ", (9, 'y', 1, 7, '"
                            + OLD.termId().secret() + "')");
            refused(
                    ledger,
                    "NO_STAMP",
                    "UPDATE ledger SET amount = 9, signet_token = 8, signet_term = CASE what WHEN 'a' THEN '"
                            + NEW.termId().secret() + "' END");
        }
    }

    private static void upsert(Dialect dialect) throws Exception {
        try (Ledger ledger = guarded(dialect)) {
            String values =
                    "INSERT INTO ledger VALUES (1, 'a', 9, 8, '" + NEW.termId().secret() + "') ";
            refused(ledger, "NO_STAMP", values + "ON CONFLICT DO UPDATE SET amount = excluded.amount");
            refused(ledger, "STALE", values + "ON CONFLICT DO UPDATE SET amount = 9, " + STAMPED_BY_OLD);
            String stale =
                    "INSERT INTO ledger VALUES (1, 'a', 9, 7, '" + OLD.termId().secret() + "') ";
            refused(ledger, "STALE", stale + "ON CONFLICT DO NOTHING");
            refused(ledger, "STALE", stale + "ON CONFLICT DO UPDATE SET amount = 9, " + STAMPED_BY_NEW);
        }
    }

    private static void replace(Dialect dialect) throws Exception {
        try (Ledger ledger = guarded(dialect)) {
            refused(ledger, "NO_STAMP", "REPLACE INTO ledger (id, what) VALUES (2, 'b')");
            refused(ledger, "NO_STAMP", "UPDATE OR REPLACE ledger SET what = 'b' WHERE id = 1");
            ledger.run("UPDATE OR REPLACE ledger SET what = 'b', " + STAMPED_BY_NEW + " WHERE id = 1");
            assertThat(content(ledger)).isEqualTo("1|b|1|8");
        }
    }

    private static void recursive(Dialect dialect) throws Exception {
        try (Ledger ledger = guarded(dialect);
                Connection recursive = ledger.source.getConnection()) {
            Sqlite.execute(recursive, "PRAGMA recursive_triggers = ON");
            insert(recursive, "c", NEW);
            Sqlite.execute(recursive, "UPDATE ledger SET amount = 3, " + STAMPED_BY_NEW + " WHERE what = 'c'");
            assertThatThrownBy(() -> Sqlite.execute(recursive, "UPDATE ledger SET amount = 4"))
                    .hasMessageContaining("NO_STAMP");
            String replace =
                    "REPLACE INTO ledger VALUES (1, 'a', 9, 8, '" + NEW.termId().secret() + "')";
            assertThatThrownBy(() -> Sqlite.execute(recursive, replace)).hasMessageContaining("NO_STAMP");
            Sqlite.execute(
                    recursive,
                    "UPDATE ledger SET signet_token = 8, signet_term = 'delete:"
                            + NEW.termId().secret() + "' WHERE what = 'c'");
            assertThat(content(ledger)).isEqualTo("1|a|1|7\n2|b|1|8");
        }
    }

    private static void pretendedClearing(Dialect dialect) throws Exception {
        try (Ledger ledger = guarded(dialect)) {
            refused(ledger, "NO_STAMP", "UPDATE ledger SET signet_term = NULL, amount = 9");
            refused(ledger, "NO_STAMP", "UPDATE ledger SET signet_term = NULL, amount = 9, signet_token = 8");
        }
    }

    private static void cascades(Dialect dialect) throws Exception {
        try (Ledger ledger = guarded(dialect);
                Connection plain = ledger.source.getConnection()) {
            Sqlite.execute(plain, "PRAGMA foreign_keys = ON");
            Sqlite.execute(plain, "PRAGMA defer_foreign_keys = ON");
            Sqlite.execute(plain, "CREATE TABLE account (id INTEGER PRIMARY KEY)");
            Sqlite.execute(plain, "INSERT INTO account VALUES (1), (2), (3)");
            for (String action : List.of(
                    "ON DELETE CASCADE",
                    "ON DELETE SET NULL",
                    "ON DELETE SET DEFAULT",
                    "ON UPDATE CASCADE ON DELETE CASCADE")) {
                String table = "entry" + action.length() + action.charAt(11);
                Sqlite.execute(
                        plain,
                        "CREATE TABLE " + table + " (id INTEGER PRIMARY KEY, account INTEGER REFERENCES account "
                                + action + ", signet_token INTEGER, signet_term TEXT)");
                ledger.fence.protect(table);
                Sqlite.execute(
                        plain,
                        "INSERT INTO " + table + " VALUES (1, 1, 8, '"
                                + NEW.termId().secret() + "')");
                assertThatThrownBy(() -> Sqlite.execute(plain, "DELETE FROM account WHERE id = 1"))
                        .as(action)
                        .hasMessageContaining("NO_STAMP");
                if (action.contains("UPDATE")) {
                    assertThatThrownBy(() -> Sqlite.execute(plain, "UPDATE account SET id = 9 WHERE id = 1"))
                            .hasMessageContaining("NO_STAMP");
                }
                ledger.fence.unprotect(table);
                Sqlite.execute(plain, "DROP TABLE " + table);
            }
        }
    }

    private static void detours(Dialect dialect) throws Exception {
        try (Ledger ledger = guarded(dialect);
                Connection plain = ledger.source.getConnection()) {
            Sqlite.execute(plain, "CREATE TEMP TABLE signet_fence (resource, role, store_id, max_token, term_id)");
            Sqlite.execute(
                    plain,
                    "INSERT INTO temp.signet_fence VALUES ('ledger', 'nightly', 'store-1', 7, '"
                            + OLD.termId().secret() + "')");
            assertThatThrownBy(() -> insert(plain, "x", OLD)).hasMessageContaining("STALE");
            Sqlite.execute(plain, "CREATE TEMP VIEW seen AS SELECT * FROM ledger");
            Sqlite.execute(
                    plain,
                    "CREATE TEMP TRIGGER through INSTEAD OF DELETE ON seen"
                            + " BEGIN DELETE FROM ledger WHERE id = OLD.id; END");
            assertThatThrownBy(() -> Sqlite.execute(plain, "DELETE FROM seen")).hasMessageContaining("NO_STAMP");
            try (Connection other = java.sql.DriverManager.getConnection("jdbc:sqlite::memory:")) {
                Sqlite.execute(other, "ATTACH '" + ledger.file + "' AS far");
                assertThatThrownBy(() -> Sqlite.execute(other, "DELETE FROM far.ledger"))
                        .hasMessageContaining("NO_STAMP");
                assertThatThrownBy(() -> Sqlite.execute(other, "UPDATE far.ledger SET amount = 9, " + STAMPED_BY_OLD))
                        .hasMessageContaining("STALE");
            }
            assertThat(content(ledger)).isEqualTo("1|a|1|7\n2|b|1|8");
        }
    }

    private static void oddTables(Dialect dialect) throws Exception {
        try (Ledger ledger = guarded(dialect);
                Connection plain = ledger.source.getConnection()) {
            String stamps = "signet_token INTEGER, signet_term TEXT";
            String stamp = "8, '" + NEW.termId().secret() + "')";
            for (String table : List.of(
                    "\"Päir\" (a TEXT, \"b c\" INT, " + stamps + ", PRIMARY KEY (a, \"b c\")) WITHOUT ROWID",
                    "\"it's \"\"odd\"\"\" (a TEXT, rowid TEXT, " + stamps + ")",
                    "\"select\" (a TEXT, \"key\" INTEGER PRIMARY KEY DESC, " + stamps + ")",
                    "[strict one] (a TEXT, b INTEGER, Signet_Token INT, SIGNET_TERM TEXT) STRICT")) {
                Sqlite.execute(plain, "CREATE TABLE " + table);
                String name = table.substring(0, table.indexOf(" ("));
                String bare =
                        name.replace("\"\"", "\0").replaceAll("[\\[\\]\"]", "").replace('\0', '"');
                ledger.fence.protect(bare);
                for (int row = 1; row <= 2; row++) {
                    Sqlite.execute(
                            plain,
                            "INSERT INTO " + name + " VALUES ('" + row + "', " + (bare.contains("odd") ? 1 : row) + ", "
                                    + stamp);
                }
                assertThatThrownBy(() -> Sqlite.execute(plain, "UPDATE " + name + " SET a = 'x'"))
                        .hasMessageContaining("NO_STAMP");
                assertThatThrownBy(() -> Sqlite.execute(plain, "DELETE FROM " + name))
                        .hasMessageContaining("NO_STAMP");
                Sqlite.execute(plain, "UPDATE " + name + " SET a = '3', " + STAMPED_BY_NEW + " WHERE a = '1'");
                Sqlite.execute(
                        plain,
                        "UPDATE " + name + " SET signet_token = 8, signet_term = 'delete:"
                                + NEW.termId().secret() + "' WHERE a = '3'");
                assertThat(Sqlite.texts(plain, "SELECT a || ifnull(signet_term, '-') FROM " + name))
                        .containsExactly("2-");
                assertThat(ledger.fence.protectedTables()).allMatch(ProtectedTable::isIntact);
                ledger.fence.unprotect(bare);
                Sqlite.execute(plain, "DELETE FROM " + name);
            }
        }
    }

    private static void uncleared(Dialect dialect) throws Exception {
        try (Ledger ledger = guarded(dialect)) {
            ledger.run("CREATE TABLE awkward (id INTEGER PRIMARY KEY, signet_token INTEGER, signet_term TEXT"
                    + " CHECK (signet_term IS NOT NULL))");
            ledger.fence.protect("awkward");
            String insert = " INTO awkward VALUES (1, 8, '" + NEW.termId().secret() + "')";
            assertThatThrownBy(() -> ledger.run("INSERT" + insert)).isInstanceOf(SQLException.class);
            assertThatThrownBy(() -> ledger.run("INSERT OR IGNORE" + insert))
                    .hasMessageContaining("signet: the stamp could not be taken off");
            assertThat(ledger.number("SELECT count(*) FROM awkward")).isZero();
        }
    }

    private static void ownTriggers(Dialect dialect) throws Exception {
        try (Ledger ledger = guarded(dialect)) {
            ledger.run("CREATE TABLE log (line TEXT)");
            ledger.run("CREATE TRIGGER own AFTER UPDATE OF amount ON ledger BEGIN"
                    + " INSERT INTO log VALUES (OLD.amount || '->' || NEW.amount);"
                    + " UPDATE ledger SET what = 'seen' WHERE id = NEW.id; END");
            ledger.run("UPDATE ledger SET amount = 4, " + STAMPED_BY_NEW + " WHERE what = 'a'");
            assertThat(ledger.number("SELECT count(*) FROM log WHERE line = '1->4'"))
                    .isEqualTo(1);
            assertThat(content(ledger)).isEqualTo("1|seen|4|8\n2|b|1|8");
            assertThat(ledger.number("SELECT count(*) FROM ledger WHERE signet_term IS NOT NULL"))
                    .isZero();
            refused(ledger, "NO_STAMP", "UPDATE ledger SET amount = 9");
        }
    }

    private static void fenceRow(Dialect dialect) throws Exception {
        try (Ledger ledger = guarded(dialect)) {
            for (String sql : List.of(
                    "UPDATE signet_fence SET max_token = 7, term_id = 'x'",
                    "UPDATE signet_fence SET term_id = 'x'",
                    "UPDATE signet_fence SET store_id = 'x'",
                    "UPDATE signet_fence SET role = 'x'",
                    "DELETE FROM signet_fence",
                    "REPLACE INTO signet_fence VALUES ('ledger', 'nightly', 'store-1', 7, 'x')",
                    "INSERT INTO signet_fence VALUES ('ledger', 'x', 'x', 1, 'x') ON CONFLICT DO UPDATE SET max_token = 1")) {
                assertThatThrownBy(() -> ledger.run(sql)).as(sql).hasMessageContaining("signet: ");
            }
            assertThatThrownBy(
                            () -> ledger.run("INSERT INTO signet_fence VALUES ('r', 'r', 's', 9007199254740992, '')"))
                    .hasMessageContaining("CHECK");
            assertThat(ledger.view().highest()).isEqualTo(8);
        }
    }

    private static void status(Dialect dialect) throws Exception {
        try (Ledger ledger = guarded(dialect)) {
            assertThat(ledger.view().notes())
                    .anyMatch(note -> note.contains("'ledger' is protected, its triggers intact"));
            ledger.run("DROP TRIGGER signet_delete_ledger");
            ledger.run("DROP TRIGGER signet_update_ledger");
            ledger.run("CREATE TRIGGER signet_update_ledger BEFORE UPDATE ON ledger BEGIN SELECT 1; END");
            assertThat(ledger.fence.protectedTables().get(0).faults())
                    .containsExactly(
                            "trigger signet_update_ledger was changed; run protect again",
                            "trigger signet_delete_ledger is missing; run protect again");
            assertThat(ledger.view().notes()).anyMatch(note -> note.contains("BUT: "));
            ledger.fence.protect("LEDGER");
            assertThat(ledger.fence.protectedTables().get(0).faults()).isEmpty();
            ledger.run("DROP TRIGGER signet_fence_stays");
            assertThat(ledger.fence.protectedTables().get(0).faults())
                    .singleElement()
                    .asString()
                    .contains("signet_fence_stays is missing")
                    .contains("run init again");
            ledger.fence.init(NEW.role(), NEW.storeId());
            assertThat(ledger.fence.protectedTables().get(0).faults()).isEmpty();

            ledger.run("CREATE TRIGGER bad AFTER INSERT ON ledger BEGIN SELECT RAISE(IGNORE); END");
            assertThat(ledger.fence.protectedTables().get(0).faults())
                    .anyMatch(fault -> fault.contains("RAISE(IGNORE)"));
            ledger.run("DROP TRIGGER bad");
            ledger.run("ALTER TABLE ledger RENAME TO moved");
            assertThat(ledger.fence.protectedTables().get(0).faults()).anyMatch(fault -> fault.contains("no table"));
            assertThatThrownBy(() -> ledger.run("DELETE FROM moved")).hasMessageContaining("NO_STAMP");
            ledger.run("ALTER TABLE moved RENAME TO ledger");
            ledger.fence.protect("ledger");
            JdbcFence other = ledger.fence(dialect, ResourceName.of("other"));
            other.init(ROLE, STORE);
            assertThatThrownBy(() -> other.protect("ledger")).hasMessageContaining("protected by resource 'ledger'");
            assertThatThrownBy(() -> other.unprotect("ledger")).hasMessageContaining("protected by resource 'ledger'");
            ledger.fence.unprotect("ledger");
            assertThat(ledger.fence.protectedTables()).isEmpty();
            ledger.run("DELETE FROM ledger");
            assertThat(ledger.view().notes()).anyMatch(note -> note.startsWith("no table is protected"));
        }
    }

    private static void unsuitable(Dialect dialect) throws Exception {
        try (Ledger ledger = guarded(dialect)) {
            unsuitable(ledger, "nothing", "there is no table", "SELECT 1");
            unsuitable(ledger, "v", "not an ordinary table", "CREATE VIEW v AS SELECT * FROM ledger");
            unsuitable(ledger, "f", "not an ordinary table", "CREATE VIRTUAL TABLE f USING fts5(x)");
            unsuitable(ledger, "signet_fence", "not an ordinary table", "SELECT 1");
            unsuitable(ledger, "t1", "has no column signet_term", "CREATE TABLE t1 (signet_token INTEGER)");
            unsuitable(ledger, "t2", "type INTEGER", "CREATE TABLE t2 (signet_token TEXT, signet_term TEXT)");
            unsuitable(
                    ledger, "t3", "without NOT NULL", "CREATE TABLE t3 (signet_token INT, signet_term TEXT NOT NULL)");
            unsuitable(ledger, "t4", "index", "CREATE TABLE t4 (signet_token INT, signet_term TEXT UNIQUE)");
            unsuitable(
                    ledger,
                    "t5",
                    "rename one",
                    "CREATE TABLE t5 (rowid TEXT, oid TEXT, _rowid_ TEXT, signet_token INT, signet_term TEXT)");
            unsuitable(
                    ledger,
                    "t6",
                    "RAISE(IGNORE)",
                    "CREATE TABLE t6 (signet_token INT, signet_term TEXT);"
                            + " CREATE TRIGGER i BEFORE INSERT ON t6 BEGIN SELECT raise ( ignore ); END");
            JdbcFence other = ledger.fence(dialect, ResourceName.of("other"));
            assertThatThrownBy(() -> other.protect("ledger")).hasMessageContaining("run first: signet fence init");
        }
    }

    private static void unsuitable(Ledger ledger, String table, String why, String ddl) throws SQLException {
        ledger.run(ddl);
        assertThatThrownBy(() -> ledger.fence.protect(table))
                .isInstanceOf(FenceException.class)
                .hasMessageContaining(why);
        assertThat(ledger.number("SELECT count(*) FROM sqlite_schema WHERE type = 'trigger' AND tbl_name = '" + table
                        + "' AND name LIKE 'signet_insert%'"))
                .isZero();
    }
}
