package dev.signet.app.run;

import static dev.signet.app.Ada.PASSWORD;
import static dev.signet.app.run.Shell.proc;
import static org.assertj.core.api.Assertions.assertThat;

import dev.signet.app.Ada;
import dev.signet.app.Sql;
import dev.signet.app.run.SignetProcess.Wait;
import dev.signet.servers.PostgresServer;
import dev.signet.servers.Servers;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Contenders that meet at a server. */
@Tag("process")
@Execution(ExecutionMode.CONCURRENT)
final class ServerStoreTest {
    private static final double LEASE = 6;
    private static final List<String> TIMING =
            List.of("--lease-duration", "6s", "--renew-deadline", "4s", "--retry-period", "1s");
    /** So long that whoever takes over sooner was told. */
    private static final List<String> SLOW =
            List.of("--lease-duration", "120s", "--renew-deadline", "80s", "--retry-period", "2s");

    @TempDir
    Path folder;

    private Terminal terminal;
    private PostgresServer server;
    private Map<String, String> environment;

    @BeforeEach
    void open() {
        terminal = new Terminal(folder);
    }

    @AfterEach
    void close() {
        terminal.close();
        if (server != null) {
            server.close();
        }
    }

    private void makeStore() throws IOException {
        server = Ada.postgres();
        server.createDatabase("signet");
        server.execute("ALTER DATABASE signet OWNER TO ada");
        environment = Map.of(
                "SIGNET_STORE",
                "jdbc:postgresql://127.0.0.1:" + server.port() + "/signet",
                "SIGNET_STORE_USER",
                "ada",
                "SIGNET_STORE_PASSWORD",
                PASSWORD);
        terminal.done(environment, "init");
    }

    private SignetProcess campaign(String name, List<String> timing) throws IOException {
        return terminal.run(name, environment, timing, "sleep", "1000");
    }

    @Test
    void whoeverWaitsTakesOverFromTheKilledAndFromWhoIsToldToEnd() throws IOException {
        makeStore();
        SignetProcess first = campaign("first", TIMING);
        first.awaitLeading(1);
        SignetProcess second = campaign("second", SLOW);
        second.awaitErr("campaigning");
        assertNobodyShowsThePassword(first);

        long killed = System.nanoTime();
        first.signal("KILL");
        second.awaitLeading(2);
        assertThat((System.nanoTime() - killed) / 1e9)
                .as("seconds, with a lease of which a renewal period may be over")
                .isBetween(LEASE - 1.5, LEASE + 8);

        SignetProcess third = terminal.run("third", byPasswordFileOfPostgres(), SLOW, "sleep", "1000");
        third.awaitErr("campaigning");
        long told = System.nanoTime();
        second.signal("TERM");
        third.awaitLeading(3);
        assertThat((System.nanoTime() - told) / 1e9).as("seconds").isLessThan(30);
        assertThat(second.exitCode()).as(second.err()).isEqualTo(143);
        assertThat(third.err()).contains("one database server elects").doesNotContain(PASSWORD);
    }

    private Map<String, String> byPasswordFileOfPostgres() throws IOException {
        Path file = Files.writeString(folder.resolve("pgpass"), "127.0.0.1:*:signet:ada:" + PASSWORD + "\n");
        return Map.of(
                "SIGNET_STORE", environment.get("SIGNET_STORE"),
                "SIGNET_STORE_USER", "ada",
                "PGPASSFILE", file.toString());
    }

    private void assertNobodyShowsThePassword(SignetProcess run) throws IOException {
        long child = run.childPid();
        assertThat(proc(child, "environ")).contains("SIGNET_TOKEN=1").doesNotContain("SIGNET_STORE_PASSWORD");
        for (long pid : new long[] {child, terminal.guardPid(run)}) {
            assertThat(proc(pid, "environ")).doesNotContain(PASSWORD);
        }
        for (long pid : new long[] {child, terminal.guardPid(run), run.pid()}) {
            assertThat(proc(pid, "cmdline")).doesNotContain(PASSWORD);
        }
    }

    @Test
    void aRestartOfTheServerCostsNobodyTheLeadership() throws IOException {
        makeStore();
        SignetProcess leader = campaign("leader", List.of("--retry-period", "1s"));
        leader.awaitLeading(1);
        SignetProcess other = campaign("other", List.of());
        other.awaitErr("campaigning");
        String session = session();

        server.restart();
        long renewals = renewals(session);
        Wait.until(() -> renewals(session) >= renewals + 3, () -> "renewals after the restart\n" + leader.err());

        assertThat(session()).isEqualTo(session);
        assertThat(leader.isAlive() && Shell.lives(leader.childPid())).isTrue();
        assertThat(leader.err()).doesNotContain("deposed");
        assertThat(other.err()).doesNotContain("leading");
        leader.signal("TERM");
        other.awaitLeading(2);
    }

    @Test
    void theRoleIsHandedOver() throws IOException {
        makeStore();
        terminal.handOverAndBack(environment);
    }

    private String session() {
        return Sql.query(server.jdbcUrl("signet"), "SELECT holder FROM signet_role");
    }

    private long renewals(String session) {
        return Long.parseLong(
                Sql.query(server.jdbcUrl("signet"), "SELECT renewals FROM signet_session WHERE number = " + session));
    }

    @Test
    void aCommandRunsWhileItsCandidateLeadsByMariaDbAndTheRoleIsHandedOver() throws IOException {
        environment = Map.of("SIGNET_STORE", Servers.mariaDb().createDatabase("run"));
        terminal.done(environment, "init");
        SignetProcess run = terminal.run("run", environment, List.of(), "sh", "-c", "echo token $SIGNET_TOKEN; exit 7");

        assertThat(run.exitCode()).as(run.err()).isEqualTo(7);
        assertThat(run.out()).isEqualTo("token 1\n");
        terminal.handOverAndBack(environment);
    }
}
