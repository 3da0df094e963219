package dev.signet.app.command;

import static dev.signet.app.Ada.PASSWORD;
import static dev.signet.app.Sql.execute;
import static org.assertj.core.api.Assertions.assertThat;

import dev.signet.app.Ada;
import dev.signet.app.Terminal;
import dev.signet.servers.DatabaseServer;
import dev.signet.servers.PostgresServer;
import dev.signet.servers.Servers;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Commands on stores in PostgreSQL, which asks for passwords here, and in MariaDB. */
@Tag("process")
@Execution(ExecutionMode.CONCURRENT)
class ServerStoreTest {

    private static final AtomicInteger DATABASES = new AtomicInteger();

    private static PostgresServer postgres;

    @TempDir
    private Path folder;

    private Terminal terminal;

    @BeforeAll
    static void start() {
        postgres = Ada.postgres();
        Servers.mariaDb().createUser("ada", PASSWORD);
    }

    @AfterAll
    static void stop() {
        postgres.close();
    }

    @BeforeEach
    void open() {
        terminal = Terminal.in(folder);
    }

    enum Product {
        POSTGRESQL(() -> postgres, "SCHEMA public"),
        MARIADB(Servers::mariaDb, "%s.*");

        private final Supplier<DatabaseServer> server;
        private final String everything;

        /** @param everything that is in a database, in the words of a {@code GRANT} */
        Product(Supplier<DatabaseServer> server, String everything) {
            this.server = server;
            this.everything = everything;
        }

        /** @return its URL, without anybody */
        String newDatabase() {
            String name = "commands_" + DATABASES.incrementAndGet();
            String url = server.get().createDatabase(name);
            execute(url, "GRANT ALL ON " + everything.formatted(name) + " TO ada");
            return url.replaceFirst("[?].*", "");
        }

        String superuser(String store) {
            return server.get().jdbcUrl(database(store));
        }
    }

    private static String database(String store) {
        return store.replaceFirst(".*/", "");
    }

    private Terminal asAda(String store) {
        return terminal.with("SIGNET_STORE", store)
                .with("SIGNET_STORE_USER", "ada")
                .with("SIGNET_STORE_PASSWORD", PASSWORD);
    }

    @ParameterizedTest
    @EnumSource
    void aStoreIsMadeLookedAtAndNamedByAFence(Product product) throws IOException {
        String store = product.newDatabase();
        asAda(store);
        Files.createFile(folder.resolve("ledger.db"));
        String command = "signet init --store " + store;
        String[] fenceInit = {"fence", "init", "--role", "r", "--protect", "sqlite:ledger.db#ledger"};

        terminal.type("status").assertRefused(78, "there is no store in " + store, "; make one with: " + command);
        terminal.type("watch", "--role", "r").assertRefused(78, command);
        terminal.type(fenceInit).assertRefused(78, command);
        Terminal.Typed made = terminal.type("init");
        Terminal.Typed again = terminal.type("init");
        Terminal.Typed status = terminal.type("status");
        Terminal.Typed fence = terminal.type(fenceInit);

        assertThat(made.err() + again.err() + status.err() + fence.err()).isEmpty();
        assertThat(made.out())
                .startsWith("made the store " + store + "\nstore id ")
                .contains("warning: one database server");
        assertThat(again.out())
                .isEqualTo(made.out().replaceFirst("made the store (\\S+)", "the store $1 is there already"));
        assertThat(status.out())
                .isEqualTo(
                        "store " + store + ", namespace default (no quorum: one server)\nno role was ever led here\n");
        String id = made.out().lines().toList().get(1);
        assertThat(fence.out()).endsWith("role r of " + id.replace("store id", "store") + "\n");
        assertThat(terminal.type("status", "--json").out())
                .contains("{\"store\":\"" + store + "\",\"kind\":\"SINGLE_SERVER\"");
    }

    @ParameterizedTest
    @EnumSource
    void aNewerStoreIsRefusedAndLeftAsItIs(Product product) {
        String store = product.newDatabase();
        asAda(store).type("init");
        execute(product.superuser(store), "UPDATE signet_store SET layout = 7");

        for (String command : new String[] {"init", "status"}) {
            terminal.type(command).assertRefused(78, "has layout version 7", "use the Signet that made it");
        }
    }

    @ParameterizedTest
    @EnumSource
    void aWrongPasswordIsRefusedAtOnce(Product product) {
        asAda(product.newDatabase()).with("SIGNET_STORE_PASSWORD", "guessed");

        for (String command : new String[] {"init", "status"}) {
            terminal.type(command).assertRefused(78, "does not let us in", "check user, password");
        }
    }

    @ParameterizedTest
    @EnumSource
    void whoMayNotMakeTablesIsToldSo(Product product) {
        String store = product.newDatabase();
        execute(
                product.superuser(store),
                product == Product.POSTGRESQL
                        ? "REVOKE ALL ON SCHEMA public FROM ada, PUBLIC; GRANT USAGE ON SCHEMA public TO ada"
                        : "REVOKE CREATE ON " + database(store) + ".* FROM ada");

        asAda(store).type("init").assertRefused(78, "denied", "grant it the rights");
    }

    @ParameterizedTest
    @EnumSource
    void thePasswordComesFromAFileAVariableOrTheUri(Product product) throws IOException {
        String store = product.newDatabase();
        Path file = Files.writeString(folder.resolve("password"), PASSWORD + "\r\nmore\n");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
        String[] byFile = {"init", "--store", store + "?user=ada", "--store-password-file", "password"};

        assertThat(terminal.type(byFile).out()).contains("made the store " + store + "?user=ada\n");
        assertThat(terminal.with("SIGNET_STORE_PASSWORD", "wrong").type(byFile).code())
                .as("the file wins")
                .isZero();
        Terminal.Typed inUri = Terminal.in(folder)
                .with("SIGNET_STORE", store + "?password=" + PASSWORD + "&user=eve")
                .type("status", "--store-user", "ada");
        assertThat(inUri.code()).as(inUri.err()).isZero();
        assertThat(inUri.out()).startsWith("store " + store + ", ");
        assertThat(inUri.out() + inUri.err()).doesNotContain(PASSWORD);

        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r--r--"));
        assertThat(terminal.type(byFile).errLines())
                .singleElement()
                .asString()
                .contains("warning: others than its owner may read the password file " + file);
        Files.writeString(file, "\n" + PASSWORD);
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
        terminal.type(byFile).assertRefused(78, "has no password in its first line");
        Files.delete(file);
        terminal.type(byFile).assertRefused(78, "the password file " + file + " is not there");
    }

    @Test
    void aPasswordOnTheCommandLineIsWarnedOfAndShownNowhere() {
        String store = Product.POSTGRESQL.newDatabase();
        String uri = store + "?user=ada&password=" + PASSWORD;

        Terminal.Typed typed = terminal.type("init", "--store", uri, "--json");
        Terminal.Typed inVariable =
                terminal.with("SIGNET_STORE", uri.replace("ada", "eve")).type("status", "--verbose");

        assertThat(typed.code()).isZero();
        assertThat(typed.errLines()).singleElement().asString().contains("whoever lists processes sees the password");
        assertThat(typed.out()).contains("\"store\":\"" + store + "?user=ada\"");
        assertThat(inVariable.err()).contains("does not let us in").doesNotContain("warning");
        assertThat(typed.out() + typed.err() + inVariable.out() + inVariable.err())
                .doesNotContain(PASSWORD);
    }

    @Test
    void aPasswordThatWasNotGivenIsAskedForByTheRefusal() {
        terminal.with("SIGNET_STORE", Product.POSTGRESQL.newDatabase()).with("SIGNET_STORE_USER", "ada");

        terminal.type("status").assertRefused(78, "does not let us in", "no password was provided");
    }

    @Test
    void aDatabaseThatIsNotThereIsNotForInitToMake() {
        asAda("jdbc:postgresql://127.0.0.1:" + postgres.port() + "/nosuch");

        terminal.type("init").assertRefused(78, "\"nosuch\" does not exist", "have it made, then: signet init");
    }

    @Test
    void aServerForReadingIsNotTakenForOneThatTakesWrites() {
        String store = Product.POSTGRESQL.newDatabase();
        asAda(store).type("init");
        execute(
                Product.POSTGRESQL.superuser(store),
                "ALTER DATABASE " + database(store) + " SET default_transaction_read_only = on");

        terminal.type("status").assertRefused(78, "can only be read", "name the server that takes writes");
    }

    @Test
    void whatIsAwayIsGivenUpWithTheCause() {
        long began = System.nanoTime();

        terminal.type("status", "--store", "jdbc:postgresql://127.0.0.1:1/signet")
                .assertRefused(
                        69, "did not answer within 10 s", "Connection to 127.0.0.1:1 refused", "try again later");
        assertThat((System.nanoTime() - began) / 1e9).as("seconds").isBetween(9.0, 13.0);
    }

    @Test
    void initGivesUpWhatIsAwayToo() {
        terminal.type("init", "--store", "jdbc:mariadb://127.0.0.1:1/signet")
                .assertRefused(69, "did not answer", "Connection refused", "try again later");
    }

    @Test
    void anUnknownHostIsNamed() {
        terminal.type("status", "--store", "jdbc:postgresql://nosuch.invalid/signet")
                .assertRefused(69, "did not answer within 10 s", "nosuch.invalid");
    }
}
