package dev.signet.app.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.signet.Advertised;
import dev.signet.CandidateId;
import dev.signet.Namespace;
import dev.signet.Role;
import dev.signet.TermId;
import dev.signet.app.Terminal;
import dev.signet.store.Acquire;
import dev.signet.store.OpenSession;
import dev.signet.store.Release;
import dev.signet.store.Reserve;
import dev.signet.store.SessionId;
import dev.signet.store.Store;
import dev.signet.store.jdbc.LocalStore;
import dev.signet.store.jdbc.LocalStoreOptions;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StoreCommandsTest {

    private static final Duration TIMEOUT = Duration.ofSeconds(10);
    private static final Role NIGHTLY = Role.of("nightly");
    private static final SessionId SESSION = SessionId.random();
    private static final TermId TERM = TermId.random();
    private static final CandidateId ADA = new CandidateId("ada", "1");

    @TempDir
    private Path folder;

    private Terminal terminal;
    private Path file;

    @BeforeEach
    void open() {
        terminal = Terminal.in(folder);
        file = folder.resolve(".local/state/signet/signet.db");
    }

    private Store store() {
        return LocalStore.open(file, Namespace.DEFAULT, LocalStoreOptions.defaults());
    }

    private static void lead(Store store) {
        URI uri = URI.create("https://ada.example");
        store.open(new OpenSession(SESSION, ADA, Advertised.at(uri), Duration.ofMinutes(1)), TIMEOUT)
                .toCompletableFuture()
                .join();
        store.enlist(SESSION, NIGHTLY, TIMEOUT).toCompletableFuture().join();
        assertThat(store.acquire(new Acquire(SESSION, NIGHTLY, 1, TERM, 0, 0), TIMEOUT)
                        .toCompletableFuture()
                        .join()
                        .<Long>fold(grant -> grant.token().value(), why -> 0L, unknown -> -1L))
                .isEqualTo(1);
    }

    @Test
    void initMakesTheDefaultStoreAndSaysWhatItIsWorth() {
        Terminal.Typed made = terminal.type("init");

        assertThat(made.code()).isZero();
        assertThat(made.out())
                .startsWith("made the store local:" + file + "\nstore id ")
                .contains("\nmade its folder " + file.getParent() + "\n")
                .contains("\nwarning: a local store elects among the processes of this one host");
        assertThat(file).exists();
    }

    @Test
    void initBringsAnOlderStoreUpAndWhatOnlyLooksDoesNot() throws SQLException {
        terminal.type("init");
        try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + file);
                Statement statement = connection.createStatement()) {
            statement.execute("DROP TABLE signet_holding");
            statement.execute("ALTER TABLE signet_session ADD COLUMN held_digest INTEGER NOT NULL DEFAULT 0");
            statement.execute("PRAGMA user_version = 1");
        }
        assertThat(terminal.type("status").err())
                .contains("has the older layout version 1")
                .contains("signet init --store local:" + file);
        Terminal.Typed up = terminal.type("init");

        assertThat(up.out())
                .startsWith("brought the store local:" + file + " up from layout 1 to 2\n")
                .doesNotContain("made");
        assertThat(terminal.type("status").code()).isZero();
        assertThat(terminal.type("init", "--json").out()).endsWith("\"made\":false,\"layoutBefore\":2,\"layout\":2}\n");
    }

    @Test
    void initOfAStoreThatIsThereChangesNothing() {
        String id = terminal.type("init").out().lines().toList().get(1);

        Terminal.Typed again = terminal.type("init");

        assertThat(again.code()).isZero();
        assertThat(again.out()).startsWith("the store local:" + file + " is there already\n" + id + "\n");
        assertThat(terminal.type("init", "--json").out())
                .startsWith("{\"store\":\"local:" + file + "\",\"kind\":\"SINGLE_HOST\",\"warning\":\"a local store")
                .endsWith("\",\"storeId\":\"" + id.substring("store id ".length())
                        + "\",\"made\":false,\"layoutBefore\":2,\"layout\":2}\n");
    }

    @Test
    void theStateFolderIsThatOfXdgWhichMustBeAbsolute() {
        assertThat(terminal.with("XDG_STATE_HOME", folder.resolve("xdg").toString())
                        .type("init")
                        .out())
                .contains(folder.resolve("xdg/signet/signet.db").toString());
        assertThat(terminal.with("XDG_STATE_HOME", "relative").type("init").out())
                .contains(file.toString());
    }

    @Test
    void aPathMayBeRelativeOrStartAtHome() {
        assertThat(terminal.type("init", "--store", "local:here.db").out())
                .contains("local:" + folder.resolve("here.db"));
        assertThat(terminal.type("init", "--store", "sqlite:~/there.db").out())
                .contains("local:" + folder.resolve("there.db"));
        assertThat(terminal.with("SIGNET_STORE", "local:here.db").type("status").code())
                .isZero();
    }

    @Test
    void statusShowsWhoLeadsAndNothingSecret() {
        terminal.type("init");
        assertThat(terminal.type("status").out()).contains("no role was ever led here");
        try (Store store = store()) {
            lead(store);

            Terminal.Typed status = terminal.type("status");
            Terminal.Typed json = terminal.type("status", "--json");

            assertThat(status.out())
                    .startsWith("store local:" + file + ", namespace default (no quorum: this host only)\n")
                    .containsPattern("\nrole nightly: led by ada~1 at https://ada.example, token 1, term "
                            + TERM.digest() + "; claimable in (60|59)\\.\\d s unless renewed\n");
            assertThat(json.out())
                    .contains("\"namespace\":\"default\",\"roles\":[{\"role\":\"nightly\",\"version\":")
                    .contains("\"lastToken\":1,\"leader\":{\"candidate\":\"ada~1\",\"name\":\"ada\",\"token\":1,"
                            + "\"termDigest\":\"" + TERM.digest() + "\",\"publicUri\":\"https://ada.example\","
                            + "\"internalUri\":\"https://ada.example\"},\"claimable\":false,\"claimableInMillis\":")
                    .contains("\"reservation\":null}],\"candidates\":null}");
            assertThat(status.out() + json.out()).doesNotContain(TERM.secret()).doesNotContain(SESSION.value());
        }
    }

    @Test
    void statusOfOneRoleAlsoIfItWasNeverLedAndOfAnotherNamespace() {
        terminal.type("init");
        try (Store store = store()) {
            lead(store);
        }
        assertThat(terminal.type("status", "--role", "other").out())
                .endsWith("\nrole other: never led\nnobody campaigns for it\n");
        assertThat(terminal.type("status", "--namespace", "theirs").out()).endsWith("no role was ever led here\n");
    }

    @Test
    void statusOfAFreeRoleKeepsItsTokenAndShowsForWhomItIsKept() {
        terminal.type("init");
        try (Store store = store()) {
            lead(store);
            CandidateId eve = new CandidateId("eve", "2");
            SessionId hers = SessionId.random();
            store.open(new OpenSession(hers, eve, Advertised.NOTHING, Duration.ofMinutes(1)), TIMEOUT)
                    .toCompletableFuture()
                    .join();
            store.enlist(hers, NIGHTLY, TIMEOUT).toCompletableFuture().join();
            store.reserve(new Reserve(SESSION, NIGHTLY, 1, eve, Duration.ofSeconds(30)), TIMEOUT)
                    .toCompletableFuture()
                    .join();
            store.release(new Release(SESSION, NIGHTLY, 1, 0), TIMEOUT)
                    .toCompletableFuture()
                    .join();
        }
        assertThat(terminal.type("status").out())
                .containsPattern("role nightly: free, last token 1; kept for eve~2 for \\d+\\.\\d s\n");
        assertThat(terminal.type("status", "--json").out())
                .contains("\"leader\":null")
                .contains("\"reservation\":{\"candidate\":\"eve~2\",\"remainingMillis\":");
    }

    @Test
    void whatOnlyLooksMakesNoStore() {
        Terminal.Typed status = terminal.type("status");

        assertThat(status.code()).isEqualTo(78);
        assertThat(status.errLines()).singleElement().asString().contains("signet init");
        assertThat(terminal.type("watch", "--role", "r").code()).isEqualTo(78);
        assertThat(folder).isEmptyDirectory();
    }

    @Test
    void watchPrintsALinePerChangeUntilItIsEnded() throws Exception {
        terminal.type("init");
        CompletableFuture<Terminal.Typed> watched = new CompletableFuture<>();
        Thread watching = new Thread(() -> watched.complete(terminal.type("watch", "--role", "nightly", "--json")));
        try (Store store = store()) {
            watching.start();
            await(() -> terminal.written().lines().count() == 1);
            lead(store);
            await(() -> terminal.written().lines().count() == 2);
            store.renew(SESSION, TIMEOUT).toCompletableFuture().join();
            store.release(new Release(SESSION, NIGHTLY, 1, 0), TIMEOUT)
                    .toCompletableFuture()
                    .join();
            await(() -> terminal.written().lines().count() == 3);
        } finally {
            watching.interrupt();
        }
        Terminal.Typed typed = ended(watched);

        assertThat(typed.code()).isEqualTo(130);
        assertThat(typed.out().lines())
                .allMatch(line -> line.startsWith("{\"time\":\"20"))
                .satisfiesExactly(
                        line -> assertThat(line).contains("\"lastToken\":0,\"leader\":null"),
                        line -> assertThat(line).contains("\"candidate\":\"ada~1\""),
                        line -> assertThat(line).contains("\"lastToken\":1,\"leader\":null"));
    }

    private static Terminal.Typed ended(CompletableFuture<Terminal.Typed> typed)
            throws InterruptedException, ExecutionException, TimeoutException {
        return typed.get(TIMEOUT.toSeconds(), TimeUnit.SECONDS);
    }

    /** Bounded; a local store polls for others' writes, so there is nothing to be told by. */
    private static void await(BooleanSupplier condition) {
        long deadline = System.nanoTime() + TIMEOUT.toNanos();
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime()).as("time").isLessThan(deadline);
            LockSupport.parkNanos(5_000_000);
        }
    }

    @Test
    void aForeignFileIsLeftAsItIs() throws Exception {
        Path foreign = Files.writeString(folder.resolve("notes.txt"), "not a database, but somebody's notes");

        for (String command : new String[] {"init", "status"}) {
            Terminal.Typed typed = terminal.type(command, "--store", "local:notes.txt");
            assertThat(typed.code()).isEqualTo(78);
            assertThat(typed.errLines()).singleElement().asString().contains("notes.txt is damaged or no store");
        }
        assertThat(foreign).hasContent("not a database, but somebody's notes");
        assertThat(folder.toFile().list()).containsExactly("notes.txt");
    }
}
