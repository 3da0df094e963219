package dev.signet.app.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.signet.servers.Ports;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Voters as processes: what they say, and with which code they end. */
@Tag("process")
final class ServerTest {
    private static final int CANNOT_BE_USED = 78;
    private static final int NO_QUORUM = 69;

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

    private static void assertRefused(SignetProcess voter, String... told) {
        assertThat(voter.exitCode()).as(voter.err()).isEqualTo(CANNOT_BE_USED);
        assertThat(voter.out()).isEmpty();
        assertThat(voter.err().lines().toList())
                .singleElement()
                .asString()
                .startsWith("signet: ")
                .contains(told)
                .doesNotContain("Exception");
    }

    private static void assertEndsWell(SignetProcess voter) {
        voter.signal("TERM");
        assertThat(voter.exitCode()).as(voter.err()).isZero();
    }

    /** The voters themselves would wait 15 s before they wanted to lead: whoever leads sooner was handed the leadership. */
    @Test
    void whoIsToldToEndHandsTheLeadershipOver() throws IOException {
        VoterGroup voters = new VoterGroup(terminal, 3, "--election-timeout", "15s").startAll();
        int leader = voters.awaitLeader(0);
        assertThat(voters.voter(leader).err()).contains("this voter leads the quorum");

        long told = System.nanoTime();
        assertEndsWell(voters.voter(leader));
        voters.awaitLeader(leader);

        assertThat((System.nanoTime() - told) / 1e9).as("seconds").isLessThan(14);
        assertThat(voters.said())
                .contains("another voter leads the quorum; voter=")
                .doesNotContain("ratis", "Exception");
    }

    @Test
    void theStatusTellsWhoAnswersAndItsCodeWhetherThereIsAQuorum() throws IOException {
        VoterGroup voters = new VoterGroup(terminal, 3).startAll();
        terminal.run("run", voters.environment(), List.of(), "sleep", "1000").awaitLeading(1);

        SignetProcess all = voters.status();
        voters.voter(1).signal("KILL");
        int leader = voters.awaitLeader(1);
        SignetProcess two = voters.status("--json");
        voters.voter(leader).signal("KILL");
        SignetProcess one = voters.status();

        assertThat(all.exitCode()).isZero();
        assertThat(all.out().lines())
                .hasSize(4)
                .allMatch(
                        line -> line.startsWith("there is a quorum, led by voter ")
                                || line.matches(
                                        "voter [123] at \\S+: (leads|follows [123]), \\d+ entries behind, 1 sessions, 1 roles"));
        assertThat(two.exitCode()).as(two.out()).isZero();
        assertThat(two.out())
                .contains("\"quorum\":true", "\"leader\":\"" + leader + "\"")
                .contains("{\"address\":\"" + voters.address(1)
                        + "\",\"answers\":false,\"silence\":\"cannot be reached\"")
                .contains("\"voter\":\"2\"", "\"voter\":\"3\"", "\"sessions\":1,\"roles\":1");
        assertThat(one.exitCode()).as(one.out()).isEqualTo(NO_QUORUM);
        assertThat(one.out()).startsWith("no quorum: ");
    }

    @Test
    void whatCannotBeUsedIsSaidInOneLine() throws IOException {
        VoterGroup one = new VoterGroup(terminal, 1).startAll();
        VoterGroup other = new VoterGroup(terminal, 1);

        assertRefused(other.server(1, other.list(), "voter-1"), "voter-1 is in use by another process");
        try (ServerSocket taken = new ServerSocket(other.port(1), 1, InetAddress.getByName("127.0.0.1"))) {
            assertThat(taken.isBound()).isTrue();
            assertRefused(other.server(1, other.list(), "fresh"), other.address(1), "another process has the port");
        }
        assertThat(one.voter(1).err()).contains("one voter is no quorum");
        assertEndsWell(one.voter(1));
        assertRefused(other.server(2, "2=" + other.address(1), "voter-1"), "voter-1 is that of voter 1, not of 2");
        Files.writeString(folder.resolve("file"), "");
        assertRefused(other.server(1, other.list(), "file"), "file is no folder");

        damage();
        assertRefused(one.server(1, one.list(), "voter-1"), "is damaged: its digest is another");
    }

    /** Of what it wrote at its end. */
    private void damage() throws IOException {
        try (Stream<Path> files = Files.walk(folder.resolve("voter-1"))) {
            Path snapshot = files.filter(file -> file.getFileName().toString().matches("snapshot[.]\\d+_\\d+"))
                    .max(Comparator.naturalOrder())
                    .orElseThrow();
            Files.writeString(snapshot, "more", StandardOpenOption.APPEND);
        }
    }

    @Test
    void aVoterThatLostItsDiskIsReplacedByAnother() throws IOException {
        VoterGroup voters = new VoterGroup(terminal, 3).startAll();
        String swapped = "1=" + voters.address(2) + ",2=" + voters.address(1) + ",3=" + voters.address(3);
        assertEndsWell(voters.voter(3));

        assertRefused(voters.server(3, swapped, "voter-3"), "is voter ", "give every voter the same list");
        delete(folder.resolve("voter-3"));
        assertRefused(voters.server(3, voters.list(), "voter-3"), "the others have a store already", "--join");

        String next = voters.list().replace("3=", "4=");
        voters.server(4, next, "voter-4", "--join").awaitErr("takes part at");
        SignetProcess replace = replace(voters, "3");
        assertThat(replace.exitCode()).as(replace.err()).isZero();
        assertThat(replace.out()).isEqualTo("voter 4 at " + voters.address(3) + " votes in the place of voter 3\n");
        SignetProcess.Wait.until(
                () -> status(voters).matches("(?s).*voter 4 at \\S+: (leads|follows [12]), 0 entries behind.*"),
                () -> "voter 4 to catch up; " + voters.said());

        SignetProcess wrong = replace(voters, "9");
        assertThat(wrong.exitCode()).isOne();
        assertThat(wrong.err())
                .startsWith("signet: voter 9 is not known to have been replaced: ")
                .hasLineCount(1);
    }

    private SignetProcess replace(VoterGroup voters, String old) throws IOException {
        String added = old.equals("3") ? "4=" + voters.address(3) : "5=" + voters.address(3);
        SignetProcess replace = terminal.signet(
                "replace-" + old,
                voters.environment(),
                "quorum",
                "replace",
                "--old",
                old,
                "--new",
                added,
                "--timeout",
                "60s");
        replace.exitCode();
        return replace;
    }

    /** As the page has it. */
    @Test
    void withMutualTlsWhoHasNoCertificateLearnsNothing() throws IOException {
        Files.writeString(folder.resolve("voter.ext"), """
                extendedKeyUsage = serverAuth, clientAuth
                subjectAltName = DNS:localhost, IP:127.0.0.1
                """);
        Shell.text(folder, """
                openssl req -x509 -newkey rsa:2048 -nodes -days 30 -subj "/CN=signet" -keyout ca.key -out ca.crt
                openssl req -newkey rsa:2048 -nodes -subj "/CN=voter" -keyout voter.key -out voter.csr
                openssl x509 -req -in voter.csr -CA ca.crt -CAkey ca.key -CAcreateserial -days 30 -extfile voter.ext -out voter.crt
                """);
        String[] tls = {
            "--tls-authority", "ca.crt", "--tls-certificate", "voter.crt", "--tls-key", "voter.key", "--tls-mutual"
        };
        VoterGroup voters = new VoterGroup(terminal, 1, tls);
        voters.start(1);

        String secure = voters.uri() + "?cacert=ca.crt&cert=voter.crt&key=voter.key";
        SignetProcess init = terminal.signet("init", Map.of(), "init", "--store", secure);
        assertThat(init.exitCode()).as(init.err()).isZero();
        SignetProcess known = terminal.signet("known", Map.of(), "quorum", "status", "--store", secure);
        SignetProcess stranger = terminal.signet("stranger", Map.of(), "quorum", "status", "--store", voters.uri());

        assertThat(known.exitCode()).as(known.out() + known.err()).isZero();
        assertThat(stranger.exitCode()).as(stranger.out()).isEqualTo(NO_QUORUM);
        assertRefused(
                new VoterGroup(
                                terminal,
                                1,
                                "--tls-authority",
                                "absent",
                                "--tls-certificate",
                                "voter.crt",
                                "--tls-key",
                                "voter.key")
                        .server(1, "1=127.0.0.1:" + Ports.free(1)[0], "other"),
                "TLS cannot be used",
                "absent");
    }

    private static String status(VoterGroup voters) {
        try {
            return voters.status().out();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private static void delete(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }
}
