package dev.signet.fence.jdbc;

import static dev.signet.fence.jdbc.Ledger.NEW;
import static dev.signet.fence.jdbc.Ledger.OLD;
import static dev.signet.fence.jdbc.Ledger.SOON;
import static dev.signet.fence.jdbc.Ledger.isDone;
import static org.assertj.core.api.Assertions.assertThat;

import dev.signet.Answer;
import dev.signet.Stamp;
import dev.signet.fence.jdbc.Shell.Ended;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** A protected ledger and the plain sqlite3 command, in processes of its own. A missing sqlite3 fails. */
@Tag("process")
@Execution(ExecutionMode.CONCURRENT)
class SqliteShellTest {

    private static final String INSERT = "INSERT INTO ledger (what, signet_token, signet_term) VALUES ";

    private Ledger ledger;

    @BeforeEach
    void protect() throws Exception {
        ledger = Ledger.sealed(new SqliteDialect());
        ledger.fence.protect("ledger");
    }

    @AfterEach
    void close() throws Exception {
        ledger.close();
    }

    @Test
    void scriptOfTheCurrentTermWritesAndOneOfTheOldTermIsToldWhyNot() throws Exception {
        String insert = "sqlite3 ledger.db \"INSERT INTO ledger (what, signet_token, signet_term)"
                + " VALUES (hex(randomblob(8)), $SIGNET_TOKEN, '$SIGNET_TERM_ID')\"";
        assertThat(script(OLD, insert)).isEqualTo(new Ended(0, ""));
        ledger.sealed(NEW);
        Ended stale = script(OLD, insert);
        assertThat(stale.code()).isNotZero();
        assertThat(stale.output())
                .contains("signet: STALE: a later term has sealed resource ledger", "stop, do not retry");
        assertThat(script(NEW, insert)).isEqualTo(new Ended(0, ""));
        assertThat(script(Ledger.stamp(9), insert).output()).contains("signet: UNSEALED: ", "retry once it leads");
        assertThat(script(Ledger.otherTerm(NEW), insert).output()).contains("signet: SAME_TOKEN_OTHER_TERM: ");
        Ended unstamped = script(NEW, "sqlite3 ledger.db 'UPDATE ledger SET amount = 0'");
        assertThat(unstamped.output())
                .contains("signet: NO_STAMP: ", "signet_token = $SIGNET_TOKEN, signet_term = '$SIGNET_TERM_ID'");
        assertThat(ledger.count()).isEqualTo(2);

        Ended plain = script(NEW, "sqlite3 ledger.db 'DELETE FROM ledger'");
        assertThat(plain.output()).contains("signet: NO_STAMP: ", "'delete:$SIGNET_TERM_ID'");
        String delete = "sqlite3 ledger.db \"UPDATE ledger SET signet_token = $SIGNET_TOKEN,"
                + " signet_term = 'delete:$SIGNET_TERM_ID'\"";
        assertThat(script(OLD, delete).output()).contains("STALE");
        assertThat(ledger.count()).isEqualTo(2);
        assertThat(script(NEW, delete)).isEqualTo(new Ended(0, ""));
        assertThat(ledger.count()).isZero();
    }

    @Test
    void sealWaitsForAnotherProcessInItsTransaction() throws Exception {
        try (Shell shell = shell()) {
            shell.run("BEGIN IMMEDIATE; " + insertOf(OLD, "in flight"));
            assertThat(isDone(ledger.seal(NEW, SOON))).isFalse();
            shell.run("COMMIT;");
            ledger.sealed(NEW);
            assertThat(ledger.count()).isEqualTo(1);
            assertThat(shell.run(insertOf(OLD, "late"))).contains("STALE");
        }
    }

    @Test
    void otherProcessThatReadBeforeTheSealCannotWriteAfterIt() throws Exception {
        try (Shell shell = shell()) {
            shell.run("BEGIN; SELECT count(*) FROM ledger;");
            ledger.sealed(NEW);
            assertThat(shell.run(insertOf(OLD, "late"))).contains("database is locked");
            shell.run("ROLLBACK;");
            assertThat(shell.run(insertOf(OLD, "late"))).contains("STALE");
        }
    }

    /** The stated limit: SQLite knows no way to take the lock from a process that does not run. */
    @Test
    void stoppedProcessKeepsTheSealOutUntilItIsKilled() throws Exception {
        try (Shell shell = shell()) {
            shell.run("BEGIN IMMEDIATE; " + insertOf(OLD, "zombie"));
            shell.signal("STOP");
            long asked = System.nanoTime();
            assertThat(ledger.seal(NEW, Duration.ofMillis(500))).isInstanceOf(Answer.Unknown.class);
            assertThat(System.nanoTime() - asked)
                    .isLessThan(Duration.ofSeconds(5).toNanos());
            shell.signal("KILL");
            assertThat(shell.process.waitFor(5, TimeUnit.SECONDS)).isTrue();
            ledger.sealed(NEW);
            assertThat(ledger.count()).as("the killed transaction").isZero();
        }
    }

    @Test
    void stoppedProcessThatGoesOnCommitsBeforeTheSealOrNotAtAll() throws Exception {
        try (Shell shell = shell()) {
            shell.run("BEGIN IMMEDIATE; " + insertOf(OLD, "zombie"));
            shell.signal("STOP");
            assertThat(isDone(ledger.seal(NEW, SOON))).isFalse();
            shell.signal("CONT");
            shell.run("COMMIT;");
            assertThat(ledger.count()).isEqualTo(1);
            ledger.sealed(NEW);
            assertThat(shell.run(insertOf(OLD, "after"))).contains("STALE");
        }
    }

    @Test
    void noRowOfAnotherProcessLandsAfterTheSealWhileItWritesAtFullSpeed() throws Exception {
        StringBuilder script = new StringBuilder(".timeout 2000\n");
        for (int i = 0; i < 20_000; i++) {
            script.append(insertOf(OLD, "row " + i)).append('\n');
        }
        try (Shell shell = shell()) {
            shell.send(script.toString());
            while (ledger.count() < 20) {
                Thread.onSpinWait();
            }
            ledger.sealed(NEW);
            long sealedAfter = ledger.number("SELECT max(id) FROM ledger");
            assertThat(shell.run("SELECT 'read all';")).contains("STALE").contains("read all");
            assertThat(ledger.number("SELECT max(id) FROM ledger"))
                    .isEqualTo(sealedAfter)
                    .isLessThan(20_000);
        }
    }

    @Test
    void holesAreAsStated() throws Exception {
        ledger.run(insertOf(OLD, "a"));
        ledger.sealed(NEW);
        try (Shell shell = shell()) {
            shell.run(".dbconfig enable_trigger off");
            assertThat(shell.run("UPDATE ledger SET amount = 99; SELECT 'passed';"))
                    .contains("passed")
                    .doesNotContain("signet");
            assertThat(ledger.number("SELECT amount FROM ledger")).isEqualTo(99);
            assertThat(ledger.fence.protectedTables()).as("it leaves no trace").allMatch(ProtectedTable::isIntact);
        }
        try (Shell shell = shell()) {
            shell.run(".dbconfig defensive off");
            shell.run("PRAGMA writable_schema = ON; DELETE FROM sqlite_schema WHERE name = 'signet_update_ledger';");
        }
        try (Shell shell = shell()) {
            assertThat(shell.run("UPDATE ledger SET amount = 98;")).doesNotContain("signet");
            assertThat(ledger.fence.protectedTables().get(0).faults()).anyMatch(fault -> fault.contains("is missing"));
            ledger.fence.protect("ledger");
            assertThat(shell.run("UPDATE ledger SET amount = 97;")).contains("NO_STAMP");
            assertThat(shell.run("DROP TABLE ledger;")).doesNotContain("signet");
            assertThat(ledger.fence.protectedTables().get(0).faults()).anyMatch(fault -> fault.contains("no table"));
        }
    }

    @Test
    void triggerThatSaysIgnoreLeavesTheStampAndIsReported() throws Exception {
        ledger.run("CREATE TRIGGER careless AFTER INSERT ON ledger BEGIN SELECT RAISE(IGNORE); END");
        ledger.run(insertOf(OLD, "a"));
        assertThat(ledger.fence.protectedTables().get(0).faults())
                .anyMatch(fault -> fault.contains("rows still carry a stamp"))
                .anyMatch(fault -> fault.contains("RAISE(IGNORE)"));
        try (Shell shell = shell()) {
            assertThat(shell.run("UPDATE ledger SET amount = 99;"))
                    .as("it inherits")
                    .doesNotContain("signet");
            ledger.run("DROP TRIGGER careless");
            ledger.fence.protect("ledger");
            assertThat(ledger.fence.protectedTables()).allMatch(ProtectedTable::isIntact);
            assertThat(shell.run("UPDATE ledger SET amount = 98;")).contains("NO_STAMP");
        }
    }

    private static String insertOf(Stamp stamp, String what) {
        return INSERT + "('" + what + "', " + stamp.token() + ", '"
                + stamp.termId().secret() + "');";
    }

    private Ended script(Stamp stamp, String script) throws IOException, InterruptedException {
        return Shell.script(Shell.command(stamp, Map.of(), "sh", "-c", script)
                .directory(ledger.file.getParent().toFile()));
    }

    private Shell shell() throws IOException {
        return new Shell(Shell.command(OLD, Map.of(), "sqlite3", ledger.file.toString()), ".print '%s'");
    }
}
