package dev.signet.app.command;

import static dev.signet.app.Ada.PASSWORD;
import static dev.signet.app.Sql.execute;
import static org.assertj.core.api.Assertions.assertThat;

import dev.signet.app.Ada;
import dev.signet.app.Terminal;
import dev.signet.servers.PostgresServer;
import dev.signet.servers.Servers;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Commands on resources in PostgreSQL, which asks for passwords here, and in MariaDB. */
@Tag("process")
@Execution(ExecutionMode.CONCURRENT)
class ServerFenceTest {

    private static PostgresServer postgres;

    @TempDir
    private Path folder;

    private Terminal terminal;

    @BeforeAll
    static void start() {
        postgres = Ada.postgres();
    }

    @AfterAll
    static void stop() {
        postgres.close();
    }

    @BeforeEach
    void open() {
        terminal = Terminal.in(folder);
        terminal.type("init");
    }

    /** @return the resource's URI, without anybody */
    private static String newLedger(String database) {
        execute(postgres.createDatabase(database), "GRANT ALL ON SCHEMA public TO ada");
        execute(postgres.jdbcUrl(database, "ada", PASSWORD), "CREATE TABLE ledger (v int)");
        return "jdbc:postgresql://127.0.0.1:" + postgres.port() + "/" + database + "#ledger";
    }

    private Terminal asAda() {
        return terminal.with("SIGNET_RESOURCE_USER", "ada").with("SIGNET_RESOURCE_PASSWORD", PASSWORD);
    }

    private Terminal.Typed fence(String verb, String resource, String... more) {
        String[] words = new String[4 + more.length];
        words[0] = "fence";
        words[1] = verb;
        words[2] = "--protect";
        words[3] = resource;
        System.arraycopy(more, 0, words, 4, more.length);
        return terminal.type(words);
    }

    @Test
    void aTableIsProtectedLookedAtAndLetGo() {
        String ledger = newLedger("commands");
        asAda();

        fence("status", ledger).assertRefused(78, "is not initialised; run: signet fence init --protect '" + ledger);
        fence("protect", ledger, "--table", "ledger").assertRefused(78, "signet fence init");
        assertThat(fence("init", ledger, "--role", "nightly").out())
                .startsWith("the fence of " + ledger + " is ready for role nightly of store ");
        fence("protect", ledger, "--table", "leger").assertRefused(78, "there is no table 'leger' here");
        assertThat(fence("protect", ledger, "--table", "public.ledger").out())
                .isEqualTo("table public.ledger is protected by the fence of " + ledger + "\n");
        Terminal.Typed status = fence("status", ledger, "--json");
        assertThat(status.out())
                .contains("\"tables\":[{\"table\":\"ledger\",\"intact\":true,\"faults\":[]}]")
                .contains("\"uri\":\"" + ledger + "\"");
        execute(postgres.jdbcUrl("commands"), "ALTER TABLE ledger DISABLE TRIGGER ALL");
        assertThat(fence("status", ledger).out())
                .contains("BUT: trigger signet_enforce is disabled; run protect again");
        assertThat(fence("unprotect", ledger, "--table", "ledger").code()).isZero();
        assertThat(fence("status", ledger, "--json").out()).contains("\"tables\":[]");
    }

    @Test
    void resetBindsAnewForAReason() {
        String ledger = newLedger("resets");
        asAda();
        fence("init", ledger, "--role", "nightly");

        fence("init", ledger, "--role", "daily").assertRefused(78, "belongs to role 'nightly'");
        fence("reset", ledger, "--role", "daily").assertRefused(64, "--reason");
        Terminal.Typed reset = fence("reset", ledger, "--role", "daily", "--reason", "the store burnt down");

        assertThat(reset.out()).as(reset.err()).contains("was reset, and is ready for role daily of store ");
        assertThat(fence("init", ledger, "--role", "daily").code()).isZero();
        Terminal.Typed onSqlite = fence("reset", sqlite(), "--role", "daily", "--reason", "r");
        onSqlite.assertRefused(78, "cannot be reset");
    }

    private String sqlite() {
        execute("jdbc:sqlite:" + folder.resolve("file.db"), "CREATE TABLE t (v)");
        return "sqlite:" + folder.resolve("file.db") + "#ledger";
    }

    @Test
    void thePasswordComesFromAFileAVariableOrTheUriAndIsShownNowhere() throws IOException {
        String ledger = newLedger("passwords");
        Path file = Files.writeString(folder.resolve("password"), PASSWORD + "\n");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
        String inUri = ledger.replace("#", "?user=ada&password=" + PASSWORD + "#");

        assertThat(fence(
                                "init",
                                ledger,
                                "--role",
                                "r",
                                "--resource-user",
                                "ada",
                                "--resource-password-file",
                                "password")
                        .code())
                .isZero();
        Terminal.Typed typed = fence("status", inUri);
        assertThat(typed.code()).as(typed.err()).isZero();
        assertThat(typed.errLines())
                .singleElement()
                .asString()
                .contains("whoever lists processes sees the password in --protect", "SIGNET_RESOURCE_PASSWORD");
        assertThat(typed.out() + typed.err()).doesNotContain(PASSWORD);
        Terminal.Typed byVariable = terminal.with("SIGNET_PROTECT", inUri).type("fence", "status", "--verbose");
        assertThat(byVariable.code()).isZero();
        assertThat(byVariable.out() + byVariable.err()).doesNotContain(PASSWORD).doesNotContain("warning");
        terminal.with("SIGNET_RESOURCE_USER", "ada").with("SIGNET_RESOURCE_PASSWORD", "guessed");
        for (String verb : new String[] {"status", "init"}) {
            fence(verb, ledger, verb.equals("init") ? new String[] {"--role", "r"} : new String[0])
                    .assertRefused(78, "does not let us in", "check user, password");
        }
        fence("status", ledger, "--resource-password-file", "nosuch")
                .assertRefused(
                        78,
                        "the password file " + folder.resolve("nosuch") + " is not there",
                        "--resource-password-file");
    }

    @Test
    void whatIsNotThereOrAwayIsTold() {
        asAda();

        fence("status", "jdbc:postgresql://127.0.0.1:" + postgres.port() + "/nosuch#ledger")
                .assertRefused(78, "\"nosuch\" does not exist");
        fence("init", "jdbc:postgresql://127.0.0.1:1/x#ledger", "--role", "r")
                .assertRefused(69, "Connection to 127.0.0.1:1 refused", "try again later");
        fence("status", "jdbc:postgresql://ada@db/x#ledger")
                .assertRefused(64, "name the user by ?user=NAME or --resource-user NAME");
        fence("status", "jdbc:oracle:x#ledger").assertRefused(64, "is no resource");
    }

    @Test
    void aResourceInMariaDbIsBoundGuardedAndLookedAt() {
        String url = Servers.mariaDb().createDatabase("fences");
        terminal.with("SIGNET_PROTECT", url + "#ledger");

        Terminal.Typed init = terminal.type("fence", "init", "--role", "nightly");
        assertThat(init.code()).as(init.err()).isZero();
        assertThat(terminal.type("fence", "status").out()).contains("never sealed", "no table is protected");
        terminal.type("fence", "init", "--role", "daily").assertRefused(78, "belongs to role 'nightly'");
        terminal.type("fence", "protect", "--table", "t").assertRefused(78, "there is no such table");
        execute(url, "CREATE TABLE t (v INT) ENGINE = InnoDB");
        assertThat(terminal.type("fence", "protect", "--table", "t").code()).isZero();
        assertThat(terminal.type("fence", "status").out())
                .contains("table 't' is protected, its triggers intact", "DELETE HISTORY, fire no triggers");
        assertThat(terminal.type("fence", "unprotect", "--table", "t").code()).isZero();
        assertThat(terminal.type("fence", "reset", "--role", "daily", "--reason", "r")
                        .code())
                .isZero();
        assertThat(terminal.type("fence", "init", "--role", "daily").code()).isZero();
    }
}
