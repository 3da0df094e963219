package dev.signet.app.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.signet.app.run.SignetProcess.Wait;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Contenders that meet in a quorum of voters. */
@Tag("process")
final class QuorumStoreTest {
    private static final List<String> TIMING = List.of("--retry-period", "1s");
    /** Whoever had no renewal taken for so long would have been deposed: the default renew deadline, and more. */
    private static final Duration DEADLINE = Duration.ofSeconds(12);

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

    private SignetProcess campaign(VoterGroup voters, String name) throws IOException {
        return terminal.run(name, voters.environment(), TIMING, "sleep", "1000");
    }

    @Test
    void theKilledIsSucceededAndTheEndOfTheRaftLeaderCostsNobodyTheLeadership() throws IOException {
        VoterGroup voters = new VoterGroup(terminal, 3).startAll();
        terminal.done(voters.environment(), "init");
        SignetProcess first = campaign(voters, "first");
        first.awaitLeading(1);
        SignetProcess second = campaign(voters, "second");
        second.awaitErr("campaigning");

        first.signal("KILL");
        second.awaitLeading(2);

        SignetProcess third = campaign(voters, "third");
        third.awaitErr("campaigning");
        int raftLeader = voters.awaitLeader(0);
        voters.voter(raftLeader).signal("KILL");
        voters.awaitLeader(raftLeader);
        Wait.pause(DEADLINE);
        assertThat(second.isAlive() && Shell.lives(second.childPid())).isTrue();
        assertThat(second.err()).doesNotContain("deposed");
        assertThat(second.token()).isEqualTo(2);
        assertThat(third.err()).doesNotContain("leading");

        second.signal("TERM");
        third.awaitLeading(3);
        assertThat(second.exitCode()).as(second.err()).isEqualTo(143);
        assertThat(second.err() + third.err()).doesNotContain("ratis", "INFO", "Exception");
    }

    @Test
    void aCommandRunsWhileItsCandidateLeadsAndWhatLooksSeesItAndTheRoleIsHandedOver() throws IOException {
        VoterGroup voters = new VoterGroup(terminal, 1).startAll();
        SignetProcess run =
                terminal.run("run", voters.environment(), List.of(), "sh", "-c", "echo token $SIGNET_TOKEN; exit 7");

        assertThat(run.exitCode()).as(run.err()).isEqualTo(7);
        assertThat(run.out()).isEqualTo("token 1\n");
        assertThat(run.err()).contains("one voter is no quorum").doesNotContain("ratis", "INFO");

        SignetProcess status = terminal.signet("look", voters.environment(), "status");
        SignetProcess watch = terminal.signet("watch", voters.environment(), "watch", "--role", Terminal.ROLE);
        assertThat(status.exitCode()).isZero();
        assertThat(status.out()).contains("(no quorum: one server)").contains("role " + Terminal.ROLE + ": ");
        Wait.until(() -> watch.out().contains(Terminal.ROLE), () -> "what watch prints; it said:\n" + watch.err());
        watch.signal("TERM");
        assertThat(watch.exitCode()).isZero();
        assertThat(status.err() + watch.err()).isEmpty();
        terminal.handOverAndBack(voters.environment());
    }
}
