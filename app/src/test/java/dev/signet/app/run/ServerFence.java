package dev.signet.app.run;

import static dev.signet.app.Ada.PASSWORD;
import static dev.signet.app.run.Shell.proc;
import static org.assertj.core.api.Assertions.assertThat;

import dev.signet.app.Sql;
import dev.signet.app.run.SignetProcess.Wait;
import dev.signet.servers.DatabaseServer;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A program that writes to a ledger on a server for as long as it is let, and the terms under which it is. */
abstract class ServerFence {

    @TempDir
    Path folder;

    private Terminal terminal;
    private Map<String, String> environment;

    /** On which ada may seal, and somebody else writes. */
    abstract DatabaseServer server();

    /** Makes the ledger, with its fence. */
    abstract void prepare(Map<String, String> environment) throws IOException;

    /** The program, which ends when it is refused. */
    abstract List<String> writer(String name);

    /** What the program needs besides the variables of its term. */
    Map<String, String> writersEnvironment() {
        return Map.of();
    }

    final Terminal terminal() {
        return terminal;
    }

    @BeforeEach
    void open() throws IOException {
        terminal = new Terminal(folder);
        server().createDatabase("bank");
        environment = new HashMap<>(writersEnvironment());
        environment.put("SIGNET_STORE", "local:store.db");
        environment.put("SIGNET_PROTECT", server().jdbcUrl("bank").replaceFirst("[?].*", "") + "#ledger");
        environment.put("SIGNET_RESOURCE_USER", "ada");
        environment.put("SIGNET_RESOURCE_PASSWORD", PASSWORD);
        terminal.done(environment, "init");
        prepare(environment);
    }

    @AfterEach
    void close() {
        terminal.close();
        server().close();
    }

    /** The first write of each is admitted: it would end at a refusal. */
    @Test
    void aChildWritesWhileItsCandidateLeadsAndWhatItLeavesBehindIsRefused() throws IOException {
        SignetProcess first = campaign("first");
        first.awaitLeading(1);
        awaitRowsOf("first", first);
        assertThat(proc(first.childPid(), "environ"))
                .contains("SIGNET_TOKEN=1")
                .doesNotContain(PASSWORD)
                .doesNotContain("SIGNET_RESOURCE");
        assertThat(proc(first.pid(), "cmdline") + proc(terminal.guardPid(first), "environ"))
                .doesNotContain(PASSWORD);
        Map<String, String> kept = Arrays.stream(
                        proc(first.childPid(), "environ").split("\0"))
                .map(variable -> variable.split("=", 2))
                .collect(Collectors.toMap(variable -> variable[0], variable -> variable[1]));

        first.signal("TERM");
        assertThat(first.exitCode()).isEqualTo(143);
        SignetProcess second = campaign("second");
        second.awaitLeading(2);
        awaitRowsOf("second", second);

        List<String> again = new ArrayList<>(List.of("timeout", "60"));
        again.addAll(writer("zombie"));
        Shell.Result zombie = Shell.run(folder, kept, again);
        assertThat(zombie.text()).contains("STALE");
        assertThat(zombie.exitCode()).isNotZero();
        assertThat(rowsOf("zombie")).isEqualTo("0");
        assertThat(first.err() + second.err()).doesNotContain(PASSWORD);
        assertThat(second.isAlive()).isTrue();
        SignetProcess status = terminal.signet("status", environment, "fence", "status", "--json");
        assertThat(status.exitCode()).as(status.err()).isZero();
        assertThat(status.out()).contains("\"highest\":2");
    }

    private SignetProcess campaign(String name) throws IOException {
        List<String> words = new ArrayList<>(List.of("run", "--role", Terminal.ROLE, "--"));
        words.addAll(writer(name));
        return terminal.signet(name, environment, words.toArray(new String[0]));
    }

    private void awaitRowsOf(String writer, SignetProcess of) {
        Wait.until(() -> !of.isAlive() || !rowsOf(writer).equals("0"), () -> "rows of " + writer + "\n" + of.err());
        assertThat(of.isAlive()).as(of.err()).isTrue();
    }

    private String rowsOf(String writer) {
        return Sql.query(server().jdbcUrl("bank"), "SELECT count(*) FROM ledger WHERE writer = '" + writer + "'");
    }
}
