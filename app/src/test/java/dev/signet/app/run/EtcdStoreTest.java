package dev.signet.app.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.signet.app.run.SignetProcess.Wait;
import dev.signet.servers.EtcdServer;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Contenders that meet in an etcd cluster. */
@Tag("process")
@Execution(ExecutionMode.CONCURRENT)
final class EtcdStoreTest {
    private static final double LEASE = 6;
    private static final List<String> TIMING =
            List.of("--lease-duration", "6s", "--renew-deadline", "4s", "--retry-period", "1s");
    /** So long that whoever takes over sooner was told. */
    private static final List<String> SLOW =
            List.of("--lease-duration", "120s", "--renew-deadline", "80s", "--retry-period", "2s");

    @TempDir
    Path folder;

    private Terminal terminal;
    private List<EtcdServer> members = List.of();
    private Map<String, String> environment = Map.of();

    @BeforeEach
    void open() {
        terminal = new Terminal(folder);
    }

    @AfterEach
    void close() {
        terminal.close();
        members.forEach(EtcdServer::close);
    }

    private void makeStore(int size) throws IOException {
        members = EtcdServer.cluster(size);
        environment = Map.of(
                "SIGNET_STORE",
                members.stream()
                        .map(member -> member.host() + ":" + member.port())
                        .collect(Collectors.joining(",", "etcd://", "")));
        terminal.done(environment, "init");
    }

    private SignetProcess campaign(String name, List<String> timing) throws IOException {
        return terminal.run(name, environment, timing, "sleep", "1000");
    }

    @Test
    void whoeverWaitsTakesOverFromTheKilledAndFromWhoIsToldToEnd() throws IOException {
        makeStore(1);
        SignetProcess first = campaign("first", TIMING);
        first.awaitLeading(1);
        SignetProcess second = campaign("second", SLOW);
        second.awaitErr("campaigning");

        long killed = System.nanoTime();
        first.signal("KILL");
        second.awaitLeading(2);
        assertThat((System.nanoTime() - killed) / 1e9)
                .as("seconds, with a lease of which a renewal period may be over")
                .isBetween(LEASE - 1.5, LEASE + 8);

        SignetProcess third = campaign("third", SLOW);
        third.awaitErr("campaigning");
        long told = System.nanoTime();
        second.signal("TERM");
        third.awaitLeading(3);
        assertThat((System.nanoTime() - told) / 1e9).as("seconds").isLessThan(30);
        assertThat(second.exitCode()).as(second.err()).isEqualTo(143);
        assertThat(first.err() + second.err() + third.err()).doesNotContain("io.grpc", "io.netty");
    }

    /** Also when it is the one that the leader talks to, or etcd's own leader. */
    @Test
    void theRestartOfEachMemberInTurnCostsNobodyTheLeadership() throws IOException {
        makeStore(3);
        SignetProcess leader = campaign("leader", List.of("--retry-period", "1s"));
        leader.awaitLeading(1);
        SignetProcess other = campaign("other", List.of());
        other.awaitErr("campaigning");

        members.forEach(EtcdServer::restart);

        assertThat(leader.isAlive() && Shell.lives(leader.childPid())).isTrue();
        assertThat(leader.err()).doesNotContain("deposed");
        assertThat(other.err()).doesNotContain("leading");
        leader.signal("TERM");
        other.awaitLeading(2);
        Wait.until(() -> !leader.isAlive(), () -> "the end of the leader\n" + leader.err());
    }

    @Test
    void aCommandRunsWhileItsCandidateLeadsAndTheRoleIsHandedOver() throws IOException {
        makeStore(1);
        SignetProcess run = terminal.run("run", environment, List.of(), "sh", "-c", "echo token $SIGNET_TOKEN; exit 7");

        assertThat(run.exitCode()).as(run.err()).isEqualTo(7);
        assertThat(run.out()).isEqualTo("token 1\n");
        terminal.handOverAndBack(environment);
    }
}
