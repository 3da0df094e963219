package dev.signet.app.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.signet.app.Ada;
import dev.signet.app.Terminal;
import dev.signet.servers.EtcdOptions;
import dev.signet.servers.EtcdServer;
import dev.signet.servers.Transport;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Commands on stores in etcd. */
@Tag("process")
@Execution(ExecutionMode.CONCURRENT)
class EtcdStoreTest {

    private static EtcdServer server;

    @TempDir
    private Path folder;

    private Terminal terminal;

    @BeforeAll
    static void start() {
        server = EtcdServer.alone();
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @BeforeEach
    void open() {
        terminal = Terminal.in(folder);
    }

    private static String store(String prefix) {
        return "etcd://127.0.0.1:" + server.port() + "/" + prefix;
    }

    @Test
    void aStoreIsMadeLookedAtAndNamedByAFence() throws IOException {
        String store = store("made");
        terminal.with("SIGNET_STORE", store);
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
                .hasLineCount(2);
        assertThat(again.out())
                .isEqualTo(made.out().replaceFirst("made the store (\\S+)", "the store $1 is there already"));
        assertThat(status.out()).isEqualTo("store " + store + ", namespace default\nno role was ever led here\n");
        String id = made.out().lines().toList().get(1);
        assertThat(fence.out()).endsWith("role r of " + id.replace("store id", "store") + "\n");
        assertThat(terminal.type("status", "--json").out())
                .contains("{\"store\":\"" + store + "\",\"kind\":\"QUORUM\",\"warning\":null");
    }

    @Test
    void whoLeadsWithoutAStoreIsRefusedAndMakesNone() {
        String store = store("mistyped");
        Terminal.Typed run =
                terminal.type("run", "--store", store, "--role", "r", "--unfenced", "a test", "--", "touch", "ran");

        assertThat(run.code()).as(run.err()).isEqualTo(78);
        assertThat(run.err())
                .contains("there is no store in " + store + "; make one with: signet init --store " + store);
        assertThat(folder.resolve("ran")).doesNotExist();
        terminal.type("status", "--store", store).assertRefused(78, "there is no store in " + store);
    }

    @Test
    void aNewerStoreIsRefusedAndLeftAsItIs() {
        String store = store("newer");
        server.put("newer/store", "layout 7\nid 8dcd0e29-61a2-4504-b3de-9ec12b93d1bc\n");

        for (String command : new String[] {"init", "status"}) {
            terminal.type(command, "--store", store)
                    .assertRefused(78, "has layout version 7", "use the Signet that made it");
        }
    }

    @Test
    void whatIsNotOfSignetIsRefused() {
        String store = store("foreign");
        server.put("foreign/store", "apples");

        for (String command : new String[] {"init", "status"}) {
            terminal.type(command, "--store", store).assertRefused(78, "is not of Signet");
        }
    }

    @Test
    void whatIsAwayIsGivenUpWithTheCause() {
        for (String command : new String[] {"init", "status"}) {
            long began = System.nanoTime();
            terminal.type(command, "--store", "etcd://127.0.0.1:1,127.0.0.1:2")
                    .assertRefused(69, "did not answer", "Connection refused", "try again later");
            assertThat((System.nanoTime() - began) / 1e9).as("seconds").isLessThan(20);
        }
    }

    @Test
    void withTlsAndAUserItIsUsedAndWithoutEitherRefused() throws IOException {
        EtcdOptions withTls =
                EtcdOptions.defaults().withTransport(Transport.TLS).askingForCertificates();
        try (EtcdServer asking = EtcdServer.alone(withTls)) {
            asking.addUser("ada", Ada.PASSWORD);
            asking.permit("ada", "signet/");
            asking.askForUsers("of-root");
            List<Path> certificate = asking.certificateOf("client");
            Files.copy(asking.authority(), folder.resolve("ca.pem"));
            String hosts = "127.0.0.1:" + asking.port();
            String trusting = "etcds://" + hosts + "?cacert=ca.pem";
            String store = trusting + "&cert=" + certificate.get(0) + "&key=" + certificate.get(1);

            for (String command : new String[] {"init", "status"}) {
                terminal.type(command, "--store", "etcds://" + hosts)
                        .assertRefused(78, "do not trust each other", "check the certificates");
                terminal.type(command, "--store", trusting).assertRefused(78, "do not trust each other");
                // etcd takes the name in the certificate for a user's
                terminal.type(command, "--store", store).assertRefused(78, "denies", "readwrite");
            }
            terminal.with("SIGNET_STORE", store).with("SIGNET_STORE_USER", "ada");
            terminal.type("init").assertRefused(64, "there is no password for user 'ada'");
            terminal.with("SIGNET_STORE_PASSWORD", "guessed");
            terminal.type("init").assertRefused(78, "does not let us in", "check user, password");
            terminal.with("SIGNET_STORE_PASSWORD", Ada.PASSWORD);
            terminal.type("init", "--store", store.replace("?", "/elsewhere?"))
                    .assertRefused(78, "denies", "readwrite");
            Terminal.Typed made = terminal.type("init");
            Terminal.Typed status = terminal.type("status");

            assertThat(made.err() + status.err()).isEmpty();
            assertThat(made.out()).startsWith("made the store " + store + "\n");
            assertThat(status.out()).isEqualTo("store " + store + ", namespace default\nno role was ever led here\n");
            terminal.type("status", "--store", trusting.replace("ca.pem", "none.pem"))
                    .assertRefused(78, "none.pem is not there");
        }
    }

    @Test
    void aPasswordOfNobodyIsRefused() {
        terminal.with("SIGNET_STORE_PASSWORD", Ada.PASSWORD)
                .type("init", "--store", store("nobody"))
                .assertRefused(64, "nobody whose it is", "--store-user");
    }

    @Test
    void aPasswordThatGoesInClearIsWarnedOf() {
        Terminal.Typed typed = terminal.with("SIGNET_STORE_PASSWORD", Ada.PASSWORD)
                .type("init", "--store", store("clear"), "--store-user", "ada");

        assertThat(typed.code()).as(typed.err()).isZero();
        assertThat(typed.errLines())
                .singleElement()
                .asString()
                .contains("warning: the password goes to etcd in clear")
                .doesNotContain(Ada.PASSWORD);
    }

    @Test
    void anUnknownHostIsNamed() {
        terminal.type("status", "--store", "etcd://nosuch.invalid").assertRefused(69, "nosuch.invalid");
    }
}
