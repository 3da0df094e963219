package dev.signet.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.signet.Answer;
import dev.signet.Candidate;
import dev.signet.Election;
import dev.signet.Protection;
import dev.signet.Role;
import dev.signet.Signet;
import dev.signet.TermId;
import dev.signet.Verdict;
import dev.signet.store.Acquire;
import dev.signet.store.Grant;
import dev.signet.store.OpenSession;
import dev.signet.store.Opened;
import dev.signet.store.SessionGone;
import dev.signet.store.SessionId;
import dev.signet.store.StoreRefusal;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The heartbeat compares what a session holds with what its roles know: R6. */
class HeldTest {

    private static final Role ROLE = Role.of("nightly");
    private static final Role OTHER = Role.of("hourly");
    private static final Duration SOON = Duration.ofSeconds(5);

    private final ManualTime time = new ManualTime();
    private final MemoryServer server = new MemoryServer(time);
    private final MemoryStore line = server.connect();
    private final Listening store = new Listening(line);
    private final ManualHost host = time.host();
    private final Candidate candidate = Signet.candidate("ada", store)
            .time(host, host)
            .executor(Runnable::run)
            .join();

    @Test
    void aGrantThatNobodyKnowsOfIsFoundAndReleased() {
        Election election = campaign(ROLE);
        time.advance(SOON);
        assertThat(leads(election)).isTrue();

        var stray = line.acquire(new Acquire(store.session(), OTHER, 1, TermId.random(), 0, 0), Duration.ofSeconds(1));
        time.advance(SOON);

        assertThat(stray.toCompletableFuture().join().<Boolean>fold(grant -> true, why -> false, unknown -> false))
                .isTrue();
        assertThat(isClaimable(OTHER)).isTrue();
        assertThat(leads(election)).isTrue();
    }

    @Test
    void whileBothAgreeTheHeartbeatIsAllThatIsAsked() {
        Election first = campaign(ROLE);
        time.advance(SOON);
        Election second = campaign(OTHER);
        time.advance(SOON);
        second.resign();
        time.advance(SOON);
        int before = store.timesHeld;

        time.advance(Duration.ofMinutes(2));

        assertThat(leads(first)).isTrue();
        assertThat(store.timesHeld).isEqualTo(before);
    }

    private Election campaign(Role role) {
        return candidate.campaign(role, Protection.unfenced("nothing is written"), term -> {});
    }

    private boolean isClaimable(Role role) {
        var asked = line.read(role, Duration.ofSeconds(1)).toCompletableFuture();
        time.settle();
        return asked.join().<Boolean>fold(view -> view.claimable(), refused -> false, unknown -> false);
    }

    private static boolean leads(Election election) {
        return election.guard() instanceof Verdict.Proceed;
    }

    /** Hears which session was opened, and how often it was asked what it holds. */
    private static final class Listening extends ForwardingStore {

        private @Nullable SessionId session;
        private int timesHeld;

        private Listening(MemoryStore store) {
            super(store);
        }

        SessionId session() {
            SessionId opened = session;
            assertThat(opened).isNotNull();
            return opened;
        }

        @Override
        public CompletionStage<Answer<Opened, StoreRefusal>> open(OpenSession request, Duration timeout) {
            session = request.session();
            return super.open(request, timeout);
        }

        @Override
        public CompletionStage<Answer<List<Grant>, SessionGone>> held(SessionId asked, Duration timeout) {
            timesHeld++;
            return super.held(asked, timeout);
        }
    }
}
