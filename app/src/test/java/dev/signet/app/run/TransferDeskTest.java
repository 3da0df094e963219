package dev.signet.app.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.signet.Answer;
import dev.signet.Candidate;
import dev.signet.CandidateId;
import dev.signet.Election;
import dev.signet.FencingToken;
import dev.signet.LeadershipListener;
import dev.signet.Namespace;
import dev.signet.Protection;
import dev.signet.Role;
import dev.signet.Signet;
import dev.signet.Term;
import dev.signet.app.cli.Surroundings;
import dev.signet.app.control.ControlClient;
import dev.signet.app.control.ControlPlace;
import dev.signet.app.control.TransferRequest;
import dev.signet.store.Concluded;
import dev.signet.store.Store;
import dev.signet.store.jdbc.LocalStore;
import dev.signet.store.jdbc.LocalStoreOptions;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A candidate of this process, and what it answers to whoever asks for its role. */
@Timeout(60)
class TransferDeskTest {

    private static final Role NIGHTLY = Role.of("nightly");
    private static final CandidateId NOBODY = new CandidateId("nobody", "1");
    private static final Duration BOUND = Duration.ofSeconds(30);

    @TempDir
    private Path folder;

    private final List<String> said = new ArrayList<>();
    private final TransferDesk desk = new TransferDesk(said::add);
    private final CompletableFuture<Term> leads = new CompletableFuture<>();
    private Surroundings surroundings;
    private Store store;
    private Candidate ada;
    private Election election;

    @BeforeEach
    void lead() throws IOException {
        PrintStream nowhere = new PrintStream(new ByteArrayOutputStream(), true, StandardCharsets.UTF_8);
        surroundings = new Surroundings(nowhere, nowhere, Map.of("XDG_RUNTIME_DIR", folder.toString()), folder, folder);
        Path file = folder.resolve("signet.db");
        LocalStore.layOut(file);
        store = LocalStore.open(file, Namespace.DEFAULT, LocalStoreOptions.defaults());
        ada = Signet.candidate("ada", store).join();
        election = ada.campaign(NIGHTLY, Protection.unfenced("a test"), new LeadershipListener() {
            @Override
            public void onElected(Term term) {
                leads.complete(term);
            }
        });
    }

    @AfterEach
    void close() {
        desk.close();
        ada.close();
        store.close();
    }

    private Answer<Concluded, String> ask(Role role, long token, CandidateId successor) throws IOException {
        ControlPlace place = ControlPlace.toListen(surroundings);
        assertThat(place.folder()).isEqualTo(folder.resolve("signet"));
        try (ControlClient client = ControlClient.find(List.of(place), ada.id()).orElseThrow()) {
            return client.ask(new TransferRequest(role, FencingToken.of(token), successor, BOUND), BOUND);
        }
    }

    @Test
    void itHandsOverWhatWasMeantAndNothingElse() throws IOException {
        desk.open(surroundings, ada.id(), election);
        leads.join();
        Candidate bob = Signet.candidate("bob", store).join();
        try {
            CompletableFuture<Term> succeeds = new CompletableFuture<>();
            assertThat(ask(Role.of("other"), 1, bob.id()))
                    .isEqualTo(Answer.refused("it does not campaign for role 'other'"));
            assertThat(ask(NIGHTLY, 2, bob.id())).isEqualTo(Answer.refused("it leads with token 1 by now"));
            assertThat(ask(NIGHTLY, 1, NOBODY))
                    .isEqualTo(Answer.refused("role 'nightly' was not transferred to 'nobody~1':"
                            + " it does not campaign for the role, or its session is over"));
            assertThat(said).singleElement().asString().endsWith("asked to hand over role=nightly token=1 to=nobody~1");

            bob.campaign(NIGHTLY, Protection.unfenced("a test"), succeeds::complete);
            Answer<Concluded, String> handed = ask(NIGHTLY, 1, bob.id());
            while (handed instanceof Answer.Refused) {
                // it does not campaign yet
                handed = ask(NIGHTLY, 1, bob.id());
            }
            assertThat(handed).isEqualTo(Answer.done(Concluded.CONCLUDED));
            assertThat(succeeds.join().token()).isEqualTo(FencingToken.of(2));
            assertThat(ask(NIGHTLY, 1, bob.id())).isEqualTo(Answer.refused("it does not lead"));
        } finally {
            bob.close();
        }
    }

    @Test
    void whoeverCannotListenSaysSoAndLeadsAllTheSame() throws IOException {
        Files.createDirectory(
                folder.resolve("signet"),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwxr-xr-x")));
        desk.open(surroundings, ada.id(), election);

        assertThat(said)
                .singleElement()
                .asString()
                .startsWith("cannot be asked for a transfer: others may enter the folder");
        assertThat(leads.join().isValid()).isTrue();
    }

    @Test
    void whatWasClosedBeforeItOpenedStaysClosed() throws IOException {
        desk.close();
        desk.open(surroundings, ada.id(), election);
        assertThat(ControlClient.find(List.of(ControlPlace.toListen(surroundings)), ada.id()))
                .isEmpty();
    }
}
