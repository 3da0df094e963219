package dev.signet.app.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.signet.app.child.BootClock;
import dev.signet.app.run.SignetProcess.Wait;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Two terminals, one command: what a kill or a pause of its owner does, at the default timings. */
@Tag("process")
@Execution(ExecutionMode.CONCURRENT)
final class TakeOverTest {
    /** From the end of the lease to the successor's first write: noticing it, sealing, starting; wide, as machines are slow at times. */
    private static final Duration AFTER_LEASE = Duration.ofSeconds(6);

    /** From a renewal at the store to the guard's knowing of it; wide, and less than the second by which twelve are survived. */
    private static final Duration TOLD = Duration.ofMillis(300);

    @TempDir
    Path folder;

    private Ledger ledger;
    private SignetProcess first;
    private SignetProcess second;

    @BeforeEach
    void twoTerminals() throws IOException {
        ledger = new Ledger(folder);
        first = ledger.campaign("first");
        first.awaitLeading(1);
        second = ledger.campaign("second");
        second.awaitErr("campaigning");
        Wait.until(() -> ledger.rows("writer = 'first'") >= 2, () -> "rows of the first");
    }

    @AfterEach
    void leaveNothing() {
        first.close();
        second.close();
    }

    @Test
    void exactlyOneRunsAndTheOtherTakesOverWhenItsOwnerIsKilled() {
        long child = first.childPid();
        Ledger.Lease last = ledger.awaitRenewal();
        first.signal("KILL");
        long killed = System.nanoTime();
        Wait.until(() -> !Shell.lives(child), () -> "the end of the killed owner's child");
        assertThat((System.nanoTime() - killed) / 1e9)
                .as("seconds until the guard ended the child, whose own deadline is at 13.75 s")
                .isLessThan(9);
        assertThat(second.err()).doesNotContain("leading");

        second.awaitLeading(2);
        assertTakenOverInTime(last);
        assertOldTokenIsRefused();
    }

    @Test
    void aSuccessorThatCannotReachTheLedgerSaysSoAndLeadsOnceItCan() throws IOException {
        Path file = folder.resolve("ledger.db");
        Path away = folder.resolve("away.db");
        Files.move(file, away);
        // a folder in its place, or the writer's sqlite3 would make an empty ledger
        Files.createDirectory(file);
        first.signal("TERM");
        second.awaitErr("granted, but cannot lead yet");
        assertThat(second.err()).doesNotContain("leading");

        Files.delete(file);
        Files.move(away, file);
        second.awaitLeading(2);
    }

    @Test
    void aPauseOfFiveSecondsChangesNothing() throws IOException {
        assertSurvives(Duration.ofSeconds(5));
    }

    @Test
    void aPauseOfTwelveSecondsSuspendsTheTermAndTheSameOneGoesOn() throws IOException {
        assertSurvives(Duration.ofSeconds(12));
        assertThat(first.err()).contains("suspended").contains("resumed");
    }

    @Test
    void afterAPauseOfTwentySecondsTheOtherLeads() {
        long child = first.childPid();
        Ledger.Lease last = ledger.awaitRenewal();
        long began = System.nanoTime();
        first.signal("STOP");
        second.awaitLeading(2);
        assertThat(Shell.lives(child)).as("the paused owner's child lives").isFalse();
        assertTakenOverInTime(last);
        assertOldTokenIsRefused();
        Wait.pause(Duration.ofSeconds(20).minusNanos(System.nanoTime() - began));

        first.signal("CONT");
        assertThat(first.exitCode()).as(first.err()).isEqualTo(75);
        assertThat(first.err()).contains("leadership was lost");
        assertThat(ledger.rows("signet_token = 1 AND id > (SELECT min(id) FROM ledger WHERE signet_token = 2)"))
                .isZero();
    }

    private void assertSurvives(Duration pause) throws IOException {
        long child = first.childPid();
        ledger.awaitRenewal();
        // the store knows of a renewal before signet has its answer, and signet before the guard has been told
        Wait.pause(TOLD);
        first.signal("STOP");
        Wait.pause(pause);
        first.signal("CONT");

        long after = ledger.rows("signet_token = 1");
        Wait.until(
                () -> ledger.rows("signet_token = 1") >= after + 2,
                () -> "the same term's writes to go on\n" + first.err() + second.err());
        // and not for a moment only: over what would have been the end of the old lease
        Wait.pause(Duration.ofSeconds(4));
        long later = ledger.rows("signet_token = 1");
        Wait.until(() -> ledger.rows("signet_token = 1") > later, () -> "the same term's writes to go on");
        assertThat(Shell.lives(child)).as("the same child lives").isTrue();
        assertThat(first.childPid()).isEqualTo(child);
        assertThat(second.err()).doesNotContain("leading");
        assertThat(ledger.rows("writer = 'second'")).isZero();
        assertThat(ledger.refusedTo("first")).isEmpty();
    }

    /** The successor wrote after the end of the last lease, and soon after. */
    private void assertTakenOverInTime(Ledger.Lease last) {
        Wait.until(() -> ledger.rows("signet_token = 2") > 0, () -> "the successor's first row");
        long nowNanos = BootClock.ofHost().now().hundredths() * 10_000_000L;
        double age = Double.parseDouble(ledger.query(
                "ledger.db", "SELECT (julianday('now') - min(at)) * 86400 FROM ledger WHERE signet_token = 2"));
        Duration afterLease = Duration.ofNanos(nowNanos - (long) (age * 1e9) - last.endsAtNanos());
        assertThat(afterLease)
                .as("from the end of the lease to the successor's first row")
                .isBetween(Duration.ofMillis(-20), AFTER_LEASE);
        assertThat(ledger.rows("writer = 'second' AND signet_token <> 2")).isZero();
    }

    private void assertOldTokenIsRefused() {
        Shell.Result refused = ledger.writeAs(1);
        assertThat(refused.exitCode()).as(refused.text()).isNotZero();
        assertThat(refused.text()).containsIgnoringCase("signet");
        assertThat(ledger.rows("writer = 'zombie'")).isZero();
        assertThat(ledger.writeAs(2).exitCode())
                .as("the control: the present term writes")
                .isZero();
    }
}
