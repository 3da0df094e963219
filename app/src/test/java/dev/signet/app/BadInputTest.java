package dev.signet.app;

import static org.assertj.core.api.Assertions.assertThat;

import dev.signet.app.cli.ExitCode;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Whatever is wrong is told in one line that says what to do, with the documented exit code, and nothing was made or changed. */
class BadInputTest {

    @TempDir
    private Path folder;

    private Terminal terminal;

    @BeforeEach
    void open() {
        terminal = Terminal.in(folder);
    }

    private record Wrong(ExitCode code, List<String> told, String... typed) {
        @Override
        public String toString() {
            return String.join(" ", typed);
        }
    }

    private static Wrong usage(String told, String... typed) {
        return new Wrong(ExitCode.USAGE, List.of(told), typed);
    }

    private static final String TOO_LONG = "x".repeat(201);

    static Stream<Wrong> wrong() {
        return Stream.of(
                usage(
                        "'consul:' is no scheme of a store; there are: local:[PATH], sqlite:PATH,"
                                + " jdbc:postgresql://HOST/DATABASE, jdbc:mariadb://HOST/DATABASE, etcd://HOST",
                        "init",
                        "--store",
                        "consul://a:8500"),
                usage("'signet.db' has no scheme; there are: local:", "status", "--store", "signet.db"),
                usage("'postgres:' is no scheme", "status", "--store", "postgres://ada:geheim@db/x"),
                usage("names no file", "init", "--store", "sqlite:"),
                usage(
                        "'jdbc:oracle:' is no store; there are: jdbc:postgresql://",
                        "init",
                        "--store",
                        "jdbc:oracle:thin:ada/geheim@db"),
                usage("'jdbc:db.example:' is no store", "init", "--store", "jdbc:db.example"),
                usage(
                        "MySQL is not supported; if the server is a MariaDB, write jdbc:mariadb://HOST/DATABASE",
                        "status",
                        "--store",
                        "jdbc:mysql://db/x"),
                usage("write jdbc:postgresql://HOST/DATABASE", "status", "--store", "jdbc:postgresql:signet"),
                usage("write jdbc:mariadb://HOST/DATABASE", "status", "--store", "jdbc:mariadb://db/?user=ada"),
                usage("'' is no HOST or HOST:PORT", "status", "--store", "jdbc:postgresql:///signet"),
                usage("port 70000 is outside 1 to 65535", "status", "--store", "jdbc:postgresql://db:70000/signet"),
                usage(
                        "'jdbc:postgresql://ada:***@db/signet': name the user by ?user=NAME or --store-user NAME",
                        "status",
                        "--store",
                        "jdbc:postgresql://ada:geheim@db/signet"),
                usage(
                        "in the value of application_name a '%' has to be written as %25",
                        "status", "--store", "jdbc:postgresql://db/signet?application_name=5%zz"),
                usage("write etcd://HOST", "status", "--store", "etcd:host"),
                usage("'' is no HOST or HOST:PORT", "status", "--store", "etcd://a,/signet"),
                usage("port 99999 is outside 1 to 65535", "status", "--store", "etcd://a:99999"),
                usage("does not end with a slash", "status", "--store", "etcd://a/signet/"),
                usage("cacert is of TLS: write etcds://", "status", "--store", "etcd://a?cacert=ca.pem"),
                usage("cert and key go together", "status", "--store", "etcds://a?cert=c.pem"),
                usage("there is no parameter 'ca'", "status", "--store", "etcds://a?ca=ca.pem"),
                usage("cacert has no value", "status", "--store", "etcds://a?cacert="),
                usage("name the user by ?user=NAME", "status", "--store", "etcd://ada:geheim@a"),
                usage("no password for user 'ada'", "status", "--store", "etcds://a?user=ada"),
                usage("name one host", "status", "--store", "jdbc:mariadb://one,two/signet"),
                usage("targetServerType=primary", "status", "--store", "jdbc:postgresql://one,two:5433/signet"),
                usage(
                        "'etcd:' is no scheme of a resource; there are: sqlite:PATH#RESOURCE, jdbc:postgresql://HOST",
                        "fence",
                        "status",
                        "--protect",
                        "etcd:db/x#ledger"),
                usage(
                        "such as jdbc:postgresql://db/x?password=***",
                        "fence",
                        "status",
                        "--protect",
                        "jdbc:postgresql://db/x?password=geheim"),
                usage(
                        "write sqlite:PATH#RESOURCE, such as sqlite:ledger.db#ledger",
                        "fence",
                        "status",
                        "--protect",
                        "sqlite:ledger.db"),
                usage("names no file", "fence", "status", "--protect", "sqlite:#ledger"),
                usage("resource '' is empty", "fence", "status", "--protect", "sqlite:ledger.db#"),
                usage("unknown option '--stor=local:x'; did you mean --store", "init", "--stor=local:x"),
                usage("unexpected argument 'now'", "init", "now"),
                usage(
                        "--protect and --unfenced exclude each other",
                        "run",
                        "--role",
                        "r",
                        "--unfenced",
                        "a test",
                        "--protect",
                        "sqlite:ledger.db#ledger",
                        "--",
                        "true"),
                usage("--role is missing", "watch"),
                usage("--protect is missing; --role is missing", "fence", "init"),
                usage("role '' is empty", "status", "--role", ""),
                usage("has 201 bytes", "status", "--role", TOO_LONG),
                usage("'a\\u0009b' holds a control character", "status", "--role", "a\tb"),
                usage("'a\\u0085b' holds a control character", "status", "--role", "a\u0085b"),
                usage("is not in normalization form C", "status", "--role", "ro\u0302le"),
                usage("is not well-formed Unicode", "status", "--role", "a\ud800"),
                usage("namespace '' is empty", "status", "--namespace", ""),
                new Wrong(
                        ExitCode.USAGE,
                        List.of(
                                "--retry-period 20000 ms is above a third of --lease-duration 15000 ms",
                                "--renew-deadline 15000 ms is not above 1.2 · --retry-period 24000 ms",
                                "--renew-deadline 15000 ms is not below --lease-duration 15000 ms"),
                        "run",
                        "--role",
                        "r",
                        "--unfenced",
                        "a test",
                        "--renew-deadline",
                        "15s",
                        "--retry-period",
                        "20s",
                        "--",
                        "true"),
                usage(
                        "'15' is no duration",
                        "run",
                        "--role",
                        "r",
                        "--unfenced",
                        "a test",
                        "--lease-duration",
                        "15",
                        "--",
                        "true"),
                new Wrong(
                        ExitCode.NOT_FOUND,
                        List.of("no-such-command"),
                        "run",
                        "--role",
                        "r",
                        "--unfenced",
                        "a test",
                        "--",
                        "no-such-command"),
                new Wrong(
                        ExitCode.NOT_EXECUTABLE, List.of("/"), "run", "--role", "r", "--unfenced", "a test", "--", "/"),
                new Wrong(ExitCode.CONFIGURATION, List.of("signet init"), "status"),
                new Wrong(
                        ExitCode.CONFIGURATION,
                        List.of("signet init"),
                        "run",
                        "--role",
                        "r",
                        "--unfenced",
                        "a test",
                        "--store",
                        "local:absent.db",
                        "--",
                        "true"),
                new Wrong(
                        ExitCode.CONFIGURATION,
                        List.of("there is no database at"),
                        "fence",
                        "protect",
                        "--protect",
                        "sqlite:absent.db#x",
                        "--table",
                        "t"));
    }

    @ParameterizedTest
    @MethodSource
    void wrong(Wrong wrong) {
        Terminal.Typed typed = terminal.type(wrong.typed());

        assertThat(typed.code()).isEqualTo(wrong.code().number());
        assertOneLine(typed);
        assertThat(typed.err()).contains(wrong.told()).doesNotContain("geheim");
        assertThat(folder).isEmptyDirectory();
    }

    private static void assertOneLine(Terminal.Typed typed) {
        assertThat(typed.out()).isEmpty();
        assertThat(typed.errLines())
                .singleElement()
                .asString()
                .startsWith("signet: ")
                .doesNotContain("Exception");
    }

    @Test
    void aStateFolderThatCannotBeMade() throws IOException {
        Path inTheWay = Files.writeString(folder.resolve("state"), "a file");
        terminal.with("XDG_STATE_HOME", inTheWay.toString());

        for (String command : List.of("init", "run --role r --unfenced test -- true")) {
            Terminal.Typed typed = terminal.type(command.split(" "));

            assertThat(typed.code()).isEqualTo(78);
            assertOneLine(typed);
            assertThat(typed.err()).contains(inTheWay.toString()).contains("name another place for the store");
        }
        assertThat(inTheWay).hasContent("a file");
    }

    @Test
    void aStoreWithADamagedPage() throws IOException {
        terminal.type("init", "--store", "local:store.db");
        try (RandomAccessFile file =
                new RandomAccessFile(folder.resolve("store.db").toFile(), "rw")) {
            file.seek(100);
            file.write(new byte[4096]);
        }
        for (String command : List.of("init", "status", "status --role r")) {
            Terminal.Typed typed =
                    terminal.with("SIGNET_STORE", "local:store.db").type(command.split(" "));

            assertThat(typed.code()).as(command).isEqualTo(78);
            assertOneLine(typed);
            assertThat(typed.err()).contains("store.db is damaged or no store");
        }
    }

    @Test
    void anEmptyFileAndAFolderAreNoStores() throws IOException {
        Files.createFile(folder.resolve("empty.db"));
        Files.createDirectory(folder.resolve("folder.db"));
        for (String store : List.of("local:empty.db", "local:folder.db")) {
            for (String command : List.of("init", "status")) {
                Terminal.Typed typed = terminal.type(command, "--store", store);

                assertThat(typed.code()).as(command + " " + store).isEqualTo(78);
                assertOneLine(typed);
            }
        }
        assertThat(folder.resolve("empty.db")).isEmptyFile();
    }

    @Test
    void aFenceThatIsNotInitialised() throws Exception {
        terminal.type("init");
        Files.createFile(folder.resolve("ledger.db"));
        for (String command : List.of(
                "fence status --protect sqlite:ledger.db#ledger",
                "run --role r --protect sqlite:ledger.db#ledger -- true")) {
            Terminal.Typed typed = terminal.type(command.split(" "));

            assertThat(typed.code()).as(command).isEqualTo(78);
            assertThat(typed.err()).contains("signet fence init");
        }
        assertThat(folder.resolve("ledger.db")).isEmptyFile();
    }
}
