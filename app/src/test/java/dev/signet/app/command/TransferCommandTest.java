package dev.signet.app.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.signet.Advertised;
import dev.signet.Answer;
import dev.signet.CandidateId;
import dev.signet.Namespace;
import dev.signet.Role;
import dev.signet.TermId;
import dev.signet.app.Terminal;
import dev.signet.store.Acquire;
import dev.signet.store.OpenSession;
import dev.signet.store.SessionId;
import dev.signet.store.Store;
import dev.signet.store.jdbc.LocalStore;
import dev.signet.store.jdbc.LocalStoreOptions;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is refused before any leader is disturbed. */
class TransferCommandTest {

    private static final Duration TIMEOUT = Duration.ofSeconds(10);
    private static final Role NIGHTLY = Role.of("nightly");

    @TempDir
    private Path folder;

    private Terminal terminal;
    private Store store;

    @BeforeEach
    void open() {
        terminal = Terminal.in(folder);
        terminal.type("init");
        store = LocalStore.open(
                folder.resolve(".local/state/signet/signet.db"), Namespace.DEFAULT, LocalStoreOptions.defaults());
    }

    @AfterEach
    void close() {
        store.close();
    }

    private SessionId campaign(CandidateId candidate) {
        SessionId session = SessionId.random();
        Advertised where = Advertised.at(URI.create("https://" + candidate.name() + ".example"));
        done(store.open(new OpenSession(session, candidate, where, Duration.ofMinutes(1)), TIMEOUT));
        done(store.enlist(session, NIGHTLY, TIMEOUT));
        return session;
    }

    private void lead(CandidateId candidate) {
        done(store.acquire(new Acquire(campaign(candidate), NIGHTLY, 1, TermId.random(), 0, 0), TIMEOUT));
    }

    private static void done(CompletionStage<? extends Answer<?, ?>> answer) {
        assertThat(answer.toCompletableFuture().join()).isInstanceOf(Answer.Done.class);
    }

    private void assertRefused(int code, String to, String... parts) {
        Terminal.Typed typed = terminal.type("transfer", "--role", "nightly", "--to", to);
        assertThat(typed.code()).as(typed.err()).isEqualTo(code);
        assertThat(typed.err()).contains(parts).hasLineCount(1);
        assertThat(typed.out()).isEmpty();
    }

    @Test
    void nobodyLeads() {
        campaign(new CandidateId("bob", "1"));
        assertRefused(65, "bob", "nobody leads role 'nightly': never led");
    }

    @Test
    void whoDoesNotCampaignIsNotToldFromWhoIsUnknownAndWhoDoesIsNamed() {
        lead(new CandidateId("ada", "1"));
        assertRefused(65, "bob", "'bob' does not campaign for role 'nightly'; nobody waits for it");
        campaign(new CandidateId("eve", "1"));
        SessionId bob = campaign(new CandidateId("bob", "1"));
        done(store.withdraw(bob, NIGHTLY, TIMEOUT));
        assertRefused(65, "bob~1", "'bob~1' does not campaign for role 'nightly'; who waits for it: eve~1");
    }

    @Test
    void aSessionThatIsOverCampaignsNoMore() {
        lead(new CandidateId("ada", "1"));
        done(store.close(campaign(new CandidateId("bob", "1")), TIMEOUT));
        assertRefused(65, "bob", "'bob' does not campaign");
    }

    @Test
    void aNameOfTwoIsNotGuessed() {
        lead(new CandidateId("ada", "1"));
        campaign(new CandidateId("bob", "1"));
        campaign(new CandidateId("bob", "2"));
        assertRefused(65, "bob", "'bob' is the name of 2 candidates: bob~1, bob~2; give the whole id of one");
    }

    @Test
    void whoLeadsIsNotHandedItButAnotherOfItsNameIs() {
        lead(new CandidateId("ada", "1"));
        for (String to : List.of("ada", "ada~1")) {
            assertRefused(65, to, "'ada~1' leads role 'nightly' already, token 1");
        }
        campaign(new CandidateId("ada", "2"));
        assertRefused(69, "ada", "is ada~1");
    }

    /** The leader of this test has no process. */
    @Test
    void whoeverCannotReachTheLeaderIsToldWhereToAsk() {
        lead(new CandidateId("ada", "1"));
        campaign(new CandidateId("bob", "1"));
        assertRefused(
                69,
                "bob",
                "only the leader itself can hand the role over, and no signet run of this user on this host is ada~1",
                "ask on its host, as the user who runs it, which says that it is at https://ada.example");
        assertThat(store.read(NIGHTLY, TIMEOUT)
                        .toCompletableFuture()
                        .join()
                        .<Boolean>fold(view -> view.reservation().isEmpty(), why -> false, unknown -> false))
                .as("nothing has changed")
                .isTrue();
    }

    @Test
    void aWindowHasBounds() {
        for (String window : List.of("999ms", "25h", "5")) {
            Terminal.Typed typed = terminal.type("transfer", "--role", "nightly", "--to", "bob", "--window", window);
            assertThat(typed.code()).isEqualTo(64);
        }
    }

    @Test
    void statusOfOneRoleNamesWhoCampaigns() {
        assertThat(terminal.type("status", "--role", "nightly").out()).endsWith("\nnobody campaigns for it\n");
        lead(new CandidateId("ada", "1"));
        campaign(new CandidateId("bob", "1"));
        assertThat(terminal.type("status", "--role", "nightly").out())
                .endsWith("\nwho campaigns for it: ada~1, bob~1\n");
        assertThat(terminal.type("status", "--role", "nightly", "--json").out())
                .contains("\"candidates\":[\"ada~1\",\"bob~1\"]");
        assertThat(terminal.type("status", "--json").out()).contains("\"candidates\":null");
    }
}
