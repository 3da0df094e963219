package dev.signet.app.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.signet.app.run.SignetProcess.Wait;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** A role that is handed over to a candidate by name, at the default timings: whoever leads soon was handed it. */
@Tag("process")
@Execution(ExecutionMode.CONCURRENT)
final class TransferTest {

    @TempDir
    Path folder;

    private Terminal terminal;

    @BeforeEach
    void open() {
        terminal = new Terminal(folder);
    }

    @AfterEach
    void close() {
        terminal.close();
    }

    private SignetProcess transfer(String name, String to, String... more) throws IOException {
        return terminal.transfer(name, Map.of(), to, more);
    }

    private SignetProcess campaign(String name) throws IOException {
        SignetProcess run = terminal.run(name, List.of("--id", name), "sleep", "1000");
        terminal.awaitCampaigning(Map.of(), run);
        return run;
    }

    private SignetProcess leading(String name) throws IOException {
        SignetProcess run = terminal.run(name, List.of("--id", name), "sleep", "1000");
        run.awaitLeading(1);
        return run;
    }

    @Test
    void theNamedOneLeadsWithTheNextTokenAndTheOldLeadersWriteIsRefused() throws IOException {
        Ledger ledger = new Ledger(folder);
        Map<String, String> store = Map.of("SIGNET_STORE", "local:store.db");
        try (SignetProcess first = ledger.campaign("first")) {
            first.awaitLeading(1);
            long child = first.childPid();
            Wait.until(() -> ledger.rows("writer = 'first'") >= 1, () -> "a row of the first");
            try (SignetProcess second = ledger.campaign("second");
                    SignetProcess third = ledger.campaign("third")) {
                terminal.awaitCampaigning(store, second);
                terminal.awaitCampaigning(store, third);
                SignetProcess transfer = terminal.transfer("transfer", store, "third");
                assertThat(transfer.exitCode()).as(transfer.err()).isZero();
                assertThat(transfer.out()).contains("led by " + third.candidate() + ", token 2");

                third.awaitLeading(2);
                assertThat(Shell.lives(child))
                        .as("the old leader's command lives")
                        .isFalse();
                Wait.until(() -> ledger.rows("signet_token = 2") >= 1, () -> "a row of the successor");
                Shell.Result refused = ledger.writeAs(1);
                assertThat(refused.exitCode()).as(refused.text()).isNotZero();
                assertThat(ledger.writeAs(2).exitCode()).as("the control").isZero();
                assertThat(second.err()).doesNotContain("leading");

                SignetProcess back = terminal.transfer("back", store, "first");
                assertThat(back.exitCode()).as(back.err()).isZero();
                first.awaitLeading(3);
                assertThat(second.err()).doesNotContain("leading");
            }
        }
    }

    @Test
    void aRoleIsKeptForWhoCannotTakeItAndIsOpenToAllWhenTheWindowHasPassed() throws IOException {
        SignetProcess first = leading("first");
        SignetProcess second = campaign("second");
        SignetProcess stopped = campaign("stopped");
        String successor = stopped.candidate();
        stopped.signal("STOP");
        long began = System.nanoTime();
        SignetProcess transfer = transfer("transfer", "stopped", "--window", "4s", "--json");
        Wait.until(() -> (first.err() + second.err()).contains("token=2"), () -> "somebody leads again");
        double after = (System.nanoTime() - began) / 1e9;

        assertThat(after).as("seconds, of which the role was kept for four").isGreaterThan(4);
        assertThat(transfer.exitCode()).as(transfer.err()).isEqualTo(1);
        assertThat(transfer.out()).contains("\"outcome\":\"NOT_IN_TIME\"");
        assertThat(transfer.err()).contains("was released for '" + successor + "', which does not lead it");
    }

    @Test
    void anAnswerThatIsLostIsUnknown() throws IOException {
        SignetProcess first = terminal.run(
                "first", List.of("--kill-after", "4s"), "sh", "-c", "trap '' TERM; while :; do sleep 0.1; done");
        first.awaitLeading(1);
        SignetProcess second = campaign("second");

        SignetProcess transfer = transfer("transfer", "second");
        first.awaitErr("asked to hand over");
        first.signal("KILL");

        assertThat(transfer.exitCode()).as(transfer.err()).isEqualTo(76);
        assertThat(transfer.err()).contains("it is not known whether").contains("its answer was lost");
        assertThat(transfer.out()).isEmpty();
        second.awaitLeading(2);
    }

    /** Whoever gave up waiting must not be surprised by what a leader does that wakes up later. */
    @Test
    void aStoppedLeaderIsUnknownAndDoesNotHandOverWhenItGoesOn() throws IOException {
        SignetProcess first = leading("first");
        SignetProcess second = campaign("second");
        first.signal("STOP");
        SignetProcess transfer = transfer("transfer", "second", "--json");
        assertThat(transfer.exitCode()).as(transfer.err()).isEqualTo(76);
        assertThat(transfer.err()).contains("did not answer within 5 s");
        assertThat(transfer.out())
                .startsWith("{\"outcome\":\"UNKNOWN\",\"role\":\"nightly\",\"from\":\"" + first.candidate() + "\",");
        first.signal("CONT");

        SignetProcess later = transfer("later", "first");
        assertThat(later.exitCode()).as(later.err()).isEqualTo(65);
        assertThat(first.err()).doesNotContain("asked to hand over");
        assertThat(second.err()).doesNotContain("leading");
    }

    @Test
    void whoeverEndsTakesItsSocketAlongAndWhoeverWasKilledIsSweptAway() throws IOException {
        Path sockets = folder.resolve("runtime/signet");
        SignetProcess killed = leading("killed");
        assertThat(Shell.text(folder, "stat -c %a " + sockets)).isEqualTo("700");
        killed.signal("KILL");
        killed.exitCode();
        assertThat(count(sockets)).isEqualTo(1);

        SignetProcess next = campaign("next");
        assertThat(count(sockets)).as("its own only").isEqualTo(1);
        next.signal("TERM");
        next.exitCode();
        assertThat(count(sockets)).isZero();
    }

    private static long count(Path sockets) throws IOException {
        try (Stream<Path> files = Files.list(sockets)) {
            return files.count();
        }
    }
}
