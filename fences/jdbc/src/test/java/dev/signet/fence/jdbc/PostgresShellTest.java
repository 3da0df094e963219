package dev.signet.fence.jdbc;

import static dev.signet.fence.jdbc.EnforcedLedger.execute;
import static dev.signet.fence.jdbc.Ledger.NEW;
import static dev.signet.fence.jdbc.Ledger.OLD;
import static dev.signet.fence.jdbc.Ledger.ROLE;
import static dev.signet.fence.jdbc.Ledger.otherTerm;
import static dev.signet.fence.jdbc.Ledger.stamp;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.signet.Answer;
import dev.signet.Role;
import dev.signet.Stamp;
import dev.signet.StoreId;
import dev.signet.fence.jdbc.Shell.Ended;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** A ledger that PostgreSQL guards, and its plain commands, in processes of their own. A missing psql fails. */
@Tag("process")
@Execution(ExecutionMode.CONCURRENT)
class PostgresShellTest {

    private static final String CHECKED = "psql -v ON_ERROR_STOP=1 -q -o /dev/null --single-transaction"
            + " -c \"SELECT signet_check('ledger', $SIGNET_TOKEN, '$SIGNET_TERM_ID')\" -c ";

    private static final String OPTIONS =
            "export PGOPTIONS=\"-c signet.token=$SIGNET_TOKEN -c signet.term_id=$SIGNET_TERM_ID\"; ";

    @TempDir
    private Path folder;

    private EnforcedLedger ledger;

    @BeforeEach
    void protect() throws Exception {
        ledger = new EnforcedLedger(new PostgresDialect(PostgresSite.LONGEST_IDLE));
        ledger.fence.protect("ledger");
    }

    @AfterEach
    void close() {
        ledger.close();
    }

    @Test
    void scriptOfTheCurrentTermWritesAndOneOfTheOldTermIsToldWhyNot() throws Exception {
        String insert = CHECKED + "\"INSERT INTO ledger VALUES (random(), 1)\"";
        assertThat(script(OLD, insert)).isEqualTo(new Ended(0, ""));
        ledger.sealed(NEW);
        assertThat(script(OLD, insert).output())
                .contains(
                        "signet: STALE: a later term has sealed resource ledger with token 8; this one is over: stop");
        assertThat(script(NEW, insert)).isEqualTo(new Ended(0, ""));
        assertThat(script(stamp(9), insert).output()).contains("signet: UNSEALED: ");
        assertThat(script(otherTerm(NEW), insert).output()).contains("signet: SAME_TOKEN_OTHER_TERM: ");
        Ended unstamped = script(NEW, "psql -q -c 'DELETE FROM ledger'");
        assertThat(unstamped.code()).isNotZero();
        assertThat(unstamped.output())
                .contains("signet: NO_STAMP: ", "SELECT signet_check('ledger', $SIGNET_TOKEN, '$SIGNET_TERM_ID')");
        assertThat(ledger.text("SELECT count(*) FROM ledger")).isEqualTo("2");
    }

    @Test
    void programThatKnowsNothingCarriesTheStampInItsEnvironment() throws Exception {
        String program = OPTIONS + "psql -q -c \"INSERT INTO ledger VALUES (random(), 1)\"; echo 'x\t1' |"
                + " psql -q -c '\\copy ledger FROM STDIN'; psql -q -c 'TRUNCATE ledger'";
        assertThat(script(OLD, program)).isEqualTo(new Ended(0, ""));
        ledger.sealed(NEW);
        assertThat(script(OLD, program).output().split("signet: STALE: ", -1)).hasSize(4);
        assertThat(script(NEW, program)).isEqualTo(new Ended(0, ""));
    }

    @Test
    void processStoppedInItsTransactionHoldsNoSealUp() throws Exception {
        try (Shell shell = new Shell(ledger.command(OLD, "psql", "-q"), "\\echo '%s'")) {
            shell.run("SET signet.token = " + OLD.token() + "; SET signet.term_id = '"
                    + OLD.termId().secret() + "'; BEGIN; INSERT INTO ledger VALUES ('zombie', 1);");
            shell.signal("STOP");
            assertThat(ledger.seal(NEW, Duration.ofSeconds(2))).isInstanceOf(Answer.Done.class);
            shell.signal("CONT");
            assertThat(shell.run("COMMIT;")).contains("signet: STALE: ");
            assertThat(ledger.content()).isEmpty();
        }
    }

    @Test
    void ownerSwitchesTheTriggersOffAndIsSeen() throws Exception {
        assertThat(
                        script(
                                OLD,
                                "psql -q -c 'ALTER TABLE ledger DISABLE TRIGGER ALL' -c \"INSERT INTO ledger VALUES ('x', 1)\""))
                .isEqualTo(new Ended(0, ""));
        assertThat(faults()).anyMatch(fault -> fault.contains("is disabled"));
        assertThat(script(OLD, "psql -q -c 'DROP TABLE ledger'")).isEqualTo(new Ended(0, ""));
        assertThat(faults()).anyMatch(fault -> fault.contains("was dropped"));
    }

    @Test
    void rowsOfAnEarlierTermCommitUnderTheStampOfALaterOneThatIsSetByHand() throws Exception {
        try (Connection writer = ledger.carrying(OLD, Connection.TRANSACTION_READ_COMMITTED)) {
            execute(writer, "INSERT INTO ledger VALUES ('decided under 7', 1)");
            ledger.sealed(NEW);
            execute(writer, ledger.carry(NEW));
            writer.commit();
        }
        assertThat(ledger.content()).isEqualTo("decided under 7 1");
        assertThat(faults()).isEmpty();
    }

    @Test
    void dumpIsRestoredOnlyWithTheTriggersOffWhichIsSeen() throws Exception {
        ledger.run(OLD, "INSERT INTO ledger VALUES ('of then', 1)");
        ledger.run("ALTER TABLE ledger OWNER TO postgres");
        assertThat(script(OLD, "pg_dump -Fc -f dump --table=ledger")).isEqualTo(new Ended(0, ""));
        ledger.sealed(NEW);
        ledger.run(NEW, "DELETE FROM ledger");
        String restore = "pg_restore -d $PGDATABASE --data-only dump";
        assertThat(script(OLD, restore).output()).contains("NO_STAMP");
        assertThat(script(OLD, OPTIONS + restore).output()).contains("STALE");
        assertThat(script(OLD, restore + " --disable-triggers")).isEqualTo(new Ended(0, ""));
        assertThat(ledger.content()).isEqualTo("of then 1");
        assertThat(faults())
                .allMatch(fault -> fault.contains("is not enabled ALWAYS"))
                .hasSize(2);
        ledger.run(NEW, "DELETE FROM ledger");
        assertThat(script(NEW, OPTIONS + restore)).isEqualTo(new Ended(0, ""));
    }

    @Test
    void resetBindsAnewAndIsWrittenDown() {
        StoreId other = new StoreId("store-2");
        ledger.sealed(NEW);
        assertThatThrownBy(() -> ledger.fence.reset(ROLE, other, " ")).isInstanceOf(IllegalArgumentException.class);
        ledger.fence.reset(Role.of("daily"), other, "the store burnt down");
        assertThatThrownBy(() -> ledger.run(NEW, "INSERT INTO ledger VALUES ('x', 1)"))
                .hasMessageContaining("UNSEALED");
        assertThat(ledger.seal(NEW, Ledger.LATER)).isInstanceOf(Answer.Refused.class);
        Stamp first = new Stamp(Role.of("daily"), stamp(1).token(), stamp(1).termId(), other);
        ledger.sealed(first);
        assertThat(JdbcSite.asking(
                        () -> ledger.text("SELECT who || ' ' || detail FROM signet_fence_log WHERE act = 'reset'")))
                .isEqualTo("postgres to role daily of store store-2; was role nightly of store store-1, token 8, term "
                        + NEW.termId().digest() + "; the store burnt down");
    }

    private List<String> faults() {
        return ledger.fence.protectedTables().get(0).faults();
    }

    private Ended script(Stamp stamp, String script) throws IOException, InterruptedException {
        return Shell.script(ledger.command(stamp, "sh", "-c", script).directory(folder.toFile()));
    }
}
