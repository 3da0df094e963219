package dev.signet.fence.jdbc;

import static dev.signet.fence.jdbc.EnforcedLedger.execute;
import static dev.signet.fence.jdbc.EnforcedLedger.guarded;
import static dev.signet.fence.jdbc.Ledger.NEW;
import static dev.signet.fence.jdbc.Ledger.OLD;
import static dev.signet.fence.jdbc.Ledger.RESOURCE;
import static dev.signet.fence.jdbc.Ledger.otherTerm;
import static dev.signet.fence.jdbc.Ledger.stamp;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.signet.Stamp;
import dev.signet.WriteRefusedException;
import dev.signet.fence.Refusal;
import java.io.StringReader;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import org.postgresql.PGConnection;
import org.postgresql.ds.PGSimpleDataSource;

/** What PostgreSQL itself must refuse, and must not, from connections that know nothing of Signet. */
final class EnforceScenarios {

    /** Each writes to the ledger in a way of its own. */
    private static final List<String> WRITES = List.of(
            "INSERT INTO ledger VALUES ('x', 1)",
            "INSERT INTO ledger SELECT 'x' || i, i FROM generate_series(1, 3) i",
            "UPDATE ledger SET amount = 9",
            "DELETE FROM ledger WHERE what = 'a'",
            "TRUNCATE ledger",
            "INSERT INTO ledger VALUES ('a', 9) ON CONFLICT (what) DO UPDATE SET amount = excluded.amount",
            "WITH gone AS (DELETE FROM ledger RETURNING *) INSERT INTO free SELECT what FROM gone",
            "DO $$ BEGIN UPDATE ledger SET amount = 9; EXCEPTION WHEN OTHERS THEN NULL; END $$",
            "MERGE INTO ledger USING (VALUES ('a'), ('m')) v(w) ON what = w"
                    + " WHEN MATCHED THEN DELETE WHEN NOT MATCHED THEN INSERT VALUES (w, 9)");

    static final List<Scenario> ALL = List.of(
            new Scenario("the current term writes in every way", EnforceScenarios::current),
            new Scenario("a write without a stamp is refused, and told how", EnforceScenarios::unstamped),
            new Scenario("half a stamp is none", EnforceScenarios::half),
            new Scenario("each kind of wrong stamp is refused by its name", EnforceScenarios::kinds),
            new Scenario("a program that knows nothing carries the stamp of its session", EnforceScenarios::session),
            new Scenario("COPY is a write", EnforceScenarios::copy),
            new Scenario("an UPDATE that changes nothing is a write", EnforceScenarios::nothingChanged),
            new Scenario("cascades of foreign keys are writes", EnforceScenarios::cascades),
            new Scenario("one refused row among many writes refuses them all", EnforceScenarios::manyRows),
            new Scenario("no row of another stamp among many of the right one", EnforceScenarios::changedStamp),
            new Scenario("what is remembered from row to row opens nothing", EnforceScenarios::remembered),
            new Scenario("a session that says it is a replica is refused", EnforceScenarios::replica),
            new Scenario("what a search path or TEMP table shadows changes nothing", EnforceScenarios::shadows),
            new Scenario("rules and views lead past nothing", EnforceScenarios::detours),
            new Scenario("a server that failed over since the seal takes nothing", EnforceScenarios::failedOver),
            new Scenario("writing through the fence from Java needs nothing more", EnforceScenarios::java));

    private EnforceScenarios() {}

    private static void current(Dialect dialect) throws Exception {
        try (EnforcedLedger ledger = guarded(dialect)) {
            String before = ledger.content();
            for (String write : WRITES) {
                ledger.run(NEW, write);
                assertThat(ledger.content()).as(write).isNotEqualTo(before);
                ledger.run(NEW, "TRUNCATE ledger", "INSERT INTO ledger VALUES ('a', 1), ('b', 1)");
            }
        }
    }

    private static void unstamped(Dialect dialect) throws Exception {
        try (EnforcedLedger ledger = guarded(dialect)) {
            for (String write : WRITES) {
                ledger.unstamped(write);
                ledger.refused("STALE", OLD, write);
            }
            assertThatThrownBy(() -> ledger.run("DELETE FROM ledger"))
                    .hasMessageContaining(
                            "signet: NO_STAMP: a write to resource ledger must carry the stamp of its term; in the"
                                    + " same transaction, first: SELECT signet_check('ledger', $SIGNET_TOKEN, '$SIGNET_TERM_ID')");
            ledger.run("INSERT INTO free VALUES ('as ever')");
            ledger.run("DELETE FROM ledger WHERE what = 'nobody'");
        }
    }

    private static void half(Dialect dialect) throws Exception {
        try (EnforcedLedger ledger = guarded(dialect)) {
            String id = NEW.termId().secret();
            for (String settings : List.of(
                    "SET LOCAL signet.token = 8",
                    "SET LOCAL signet.token = 8; SET LOCAL signet.term_id = ''",
                    "SET LOCAL signet.term_id = '" + id + "'",
                    "SET LOCAL signet.token = ''; SET LOCAL signet.term_id = '" + id + "'",
                    "SET LOCAL signet.token = 'eight'; SET LOCAL signet.term_id = '" + id + "'",
                    "SET LOCAL signet.token = '-8'; SET LOCAL signet.term_id = '" + id + "'")) {
                ledger.unstamped("BEGIN; " + settings + "; INSERT INTO ledger VALUES ('x', 1); COMMIT");
            }
        }
    }

    private static void kinds(Dialect dialect) throws Exception {
        try (EnforcedLedger ledger = guarded(dialect)) {
            for (String write :
                    List.of("INSERT INTO ledger VALUES ('x', 1)", "DELETE FROM ledger", "TRUNCATE ledger")) {
                ledger.refused("STALE", OLD, write);
                ledger.refused("SAME_TOKEN_OTHER_TERM", otherTerm(NEW), write);
                ledger.refused("UNSEALED", stamp(9), write);
            }
            ledger.run("DELETE FROM signet_fence");
            ledger.refused("NOT_INITIALISED", NEW, "INSERT INTO ledger VALUES ('x', 1)");
            ledger.unstamped("INSERT INTO ledger VALUES ('x', 1)");
        }
    }

    private static void session(Dialect dialect) throws Exception {
        try (EnforcedLedger ledger = guarded(dialect);
                Connection of = ofSession(ledger, NEW);
                Connection late = ofSession(ledger, OLD)) {
            execute(of, "INSERT INTO ledger VALUES ('x', 1)");
            execute(of, "UPDATE ledger SET amount = 2");
            assertThatThrownBy(() -> execute(late, "UPDATE ledger SET amount = 3"))
                    .hasMessageContaining("signet: STALE: ");
            assertThat(ledger.content()).isEqualTo("a 2, b 2, x 2");
            ledger.sealed(stamp(9));
            assertThatThrownBy(() -> execute(of, "UPDATE ledger SET amount = 3"))
                    .hasMessageContaining("signet: STALE: ");
            // a check cannot make it another's
            of.setAutoCommit(false);
            assertThatThrownBy(() -> execute(of, ledger.check(stamp(9)))).hasMessageContaining("OTHER_STAMP");
        }
    }

    /** As PGOPTIONS has it. */
    private static Connection ofSession(EnforcedLedger ledger, Stamp stamp) throws SQLException {
        PGSimpleDataSource source = new PGSimpleDataSource();
        source.setUrl(ledger.server.jdbcUrl(ledger.database));
        source.setOptions("-c signet.token=" + stamp.token() + " -c signet.term_id="
                + stamp.termId().secret());
        return source.getConnection();
    }

    private static void copy(Dialect dialect) throws Exception {
        try (EnforcedLedger ledger = guarded(dialect);
                Connection connection = ledger.connect()) {
            assertThatThrownBy(() -> copyInto(connection)).hasMessageContaining("signet: NO_STAMP: ");
            connection.setAutoCommit(false);
            execute(connection, ledger.carry(OLD));
            copyInto(connection);
            assertThatThrownBy(connection::commit).hasMessageContaining("signet: STALE: ");
            connection.rollback();
            execute(connection, ledger.check(NEW));
            copyInto(connection);
            connection.commit();
            assertThat(ledger.content()).isEqualTo("a 1, b 1, x 1, y 2");
        }
    }

    private static void copyInto(Connection connection) throws Exception {
        connection
                .unwrap(PGConnection.class)
                .getCopyAPI()
                .copyIn("COPY ledger FROM STDIN", new StringReader("x\t1\ny\t2\n"));
    }

    private static void nothingChanged(Dialect dialect) throws Exception {
        try (EnforcedLedger ledger = guarded(dialect)) {
            ledger.unstamped("UPDATE ledger SET amount = amount");
        }
    }

    private static void cascades(Dialect dialect) throws Exception {
        try (EnforcedLedger ledger = guarded(dialect)) {
            ledger.run("CREATE TABLE owner (name text PRIMARY KEY)");
            ledger.run("INSERT INTO owner VALUES ('me')");
            ledger.run(NEW, "ALTER TABLE ledger ADD owner text REFERENCES owner ON DELETE CASCADE ON UPDATE CASCADE");
            ledger.run(NEW, "UPDATE ledger SET owner = 'me'");
            ledger.unstamped("DELETE FROM owner", "UPDATE owner SET name = 'you'", "TRUNCATE owner CASCADE");
            ledger.refused("STALE", OLD, "DELETE FROM owner");
            ledger.run(NEW, "DELETE FROM owner");
            assertThat(ledger.content()).isEmpty();
        }
    }

    private static void manyRows(Dialect dialect) throws Exception {
        try (EnforcedLedger ledger = guarded(dialect)) {
            ledger.unstamped(
                    "BEGIN; INSERT INTO free SELECT 'f' || i FROM generate_series(1, 50) i; UPDATE ledger SET amount = 2"
                            + " WHERE what = 'a'; INSERT INTO free VALUES ('last'); COMMIT");
            ledger.refused("STALE", OLD, "INSERT INTO ledger SELECT 'r' || i, i FROM generate_series(1, 500) i");
            assertThat(ledger.text("SELECT count(*) FROM free")).isEqualTo("0");
            ledger.run(NEW, "INSERT INTO ledger SELECT 'r' || i, i FROM generate_series(1, 500) i");
            assertThat(ledger.text("SELECT count(*) FROM ledger")).isEqualTo("502");
        }
    }

    /** Some rows were looked at under the right stamp already. */
    private static void changedStamp(Dialect dialect) throws Exception {
        try (EnforcedLedger ledger = guarded(dialect);
                Connection connection = ledger.carrying(NEW, Connection.TRANSACTION_READ_COMMITTED)) {
            execute(connection, "UPDATE ledger SET amount = 2");
            execute(connection, "SET CONSTRAINTS ALL IMMEDIATE");
            execute(connection, "SET CONSTRAINTS ALL DEFERRED");
            execute(connection, "UPDATE ledger SET amount = 3");
            execute(connection, ledger.carry(OLD));
            assertThatThrownBy(connection::commit).hasMessageContaining("signet: STALE: ");
            assertThat(ledger.content()).isEqualTo("a 1, b 1");
        }
    }

    private static void remembered(Dialect dialect) throws Exception {
        try (EnforcedLedger ledger = guarded(dialect)) {
            ledger.refused(
                    "STALE", OLD, "SET signet.enforced = 'ledger 7'; INSERT INTO ledger VALUES ('x', 1), ('y', 1)");
            ledger.refused(
                    "SAME_TOKEN_OTHER_TERM",
                    otherTerm(NEW),
                    "SET signet.enforced = 'ledger 8'; INSERT INTO ledger VALUES ('x', 1), ('y', 1)");
        }
    }

    private static void replica(Dialect dialect) throws Exception {
        try (EnforcedLedger ledger = guarded(dialect)) {
            for (String write : WRITES) {
                ledger.unstamped("SET session_replication_role = replica; " + write);
            }
        }
    }

    private static void shadows(Dialect dialect) throws Exception {
        try (EnforcedLedger ledger = guarded(dialect)) {
            ledger.run("CREATE SCHEMA evil");
            ledger.run("CREATE TABLE evil.signet_fence AS SELECT resource, role, store_id, 7::bigint AS max_token, '"
                    + OLD.termId().secret() + "'::text AS term_id, place FROM signet_fence");
            // with the rights of the fence's owner it could read the stamp that is asked for
            ledger.run(
                    "CREATE FUNCTION evil.current_setting(name text, missing boolean) RETURNS text LANGUAGE plpgsql AS $$ BEGIN"
                            + " RETURN CASE name WHEN 'signet.token' THEN (SELECT max_token::text FROM public.signet_fence)"
                            + " WHEN 'signet.term_id' THEN (SELECT term_id FROM public.signet_fence) END; END $$");
            ledger.refused(
                    "STALE",
                    OLD,
                    "SET search_path = evil, pg_catalog; CREATE TEMP TABLE signet_fence AS SELECT * FROM evil.signet_fence;"
                            + " INSERT INTO public.ledger VALUES ('x', 1)");
        }
    }

    private static void detours(Dialect dialect) throws Exception {
        try (EnforcedLedger ledger = guarded(dialect)) {
            ledger.run("CREATE VIEW shown AS SELECT * FROM ledger");
            ledger.unstamped("UPDATE shown SET amount = 9");
            ledger.run("CREATE RULE onward AS ON INSERT TO free DO ALSO INSERT INTO ledger VALUES (NEW.what, 9)");
            ledger.unstamped("INSERT INTO free VALUES ('x')");
            ledger.run(
                    "CREATE RULE elsewhere AS ON UPDATE TO ledger DO INSTEAD DELETE FROM ledger WHERE what = OLD.what");
            ledger.unstamped("UPDATE ledger SET amount = 9");
        }
    }

    private static void failedOver(Dialect dialect) throws Exception {
        try (EnforcedLedger ledger = guarded(dialect)) {
            ledger.run("UPDATE signet_fence SET place = '1/00000001'");
            ledger.refused("UNSEALED", NEW, "INSERT INTO ledger VALUES ('x', 1), ('y', 1)");
            ledger.sealed(NEW);
            ledger.run(NEW, "INSERT INTO ledger VALUES ('x', 1)");
        }
    }

    private static void java(Dialect dialect) throws Exception {
        try (EnforcedLedger ledger = guarded(dialect)) {
            ledger.fence.inTransaction(NEW, connection -> {
                execute(connection, "UPDATE ledger SET amount = 2");
                return "";
            });
            WriteRefusedException refused = catchThrowableOfType(
                    WriteRefusedException.class,
                    () -> ledger.fence.inTransaction(OLD, connection -> {
                        execute(connection, "UPDATE ledger SET amount = 3");
                        return "";
                    }));
            assertThat(refused.refusal()).isEqualTo(Refusal.STALE);
            assertThat(refused.resource()).isEqualTo(RESOURCE);
            assertThat(ledger.content()).isEqualTo("a 2, b 2");
        }
    }
}
