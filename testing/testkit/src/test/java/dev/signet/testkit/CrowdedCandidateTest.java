package dev.signet.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.signet.Answer;
import dev.signet.Candidate;
import dev.signet.Election;
import dev.signet.Protection;
import dev.signet.Role;
import dev.signet.Signet;
import dev.signet.Verdict;
import dev.signet.store.Acquire;
import dev.signet.store.Grant;
import dev.signet.store.NotGranted;
import dev.signet.store.Renewed;
import dev.signet.store.RoleView;
import dev.signet.store.SessionGone;
import dev.signet.store.SessionId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** More roles on one session than a store is asked about at once. */
class CrowdedCandidateTest {

    private static final int ROLES = 1_000;
    private static final int MOST_UNDER_WAY = 256;
    private static final Duration SOON = Duration.ofSeconds(30);

    private final ManualTime time = new ManualTime();
    private final MemoryServer server = new MemoryServer(time);
    private final MemoryStore line = server.connect();
    private final Counting store = new Counting(line);
    private final ManualHost host = time.host();

    @Test
    void whatAThousandRolesAskIsAskedFewAtATime() {
        line.inject(Fault.delayed(Duration.ofMillis(100)).of(Call.ENLIST, Call.ACQUIRE));
        List<Election> elections = campaign();
        time.advance(SOON);

        assertThat(elections).allMatch(CrowdedCandidateTest::leads);
        assertThat(store.mostUnderWay).isEqualTo(MOST_UNDER_WAY);
    }

    @Test
    void theHeartbeatDoesNotWaitBehindRoles() {
        Fault.Injected silence = line.inject(Fault.requestLost().of(Call.ENLIST, Call.ACQUIRE));
        List<Election> elections = campaign();
        time.advance(Duration.ofMinutes(1));
        assertThat(elections).noneMatch(CrowdedCandidateTest::leads);
        assertThat(store.renewals).isGreaterThan(25);

        silence.mend();
        time.advance(SOON);

        assertThat(elections).allMatch(CrowdedCandidateTest::leads);
    }

    @Test
    void whatWaitsWhenTheSessionIsLostIsAskedForTheNext() {
        Fault.Injected cut = line.cutOff();
        List<Election> elections = campaign();
        time.advance(Duration.ofMinutes(1));
        cut.mend();
        time.advance(SOON);
        assertThat(elections).allMatch(CrowdedCandidateTest::leads);

        Fault.Injected again = line.cutOff();
        time.advance(Duration.ofMinutes(1));
        assertThat(elections).noneMatch(CrowdedCandidateTest::leads);
        again.mend();
        time.advance(SOON);
        assertThat(elections).allMatch(CrowdedCandidateTest::leads);
    }

    private List<Election> campaign() {
        Candidate candidate = Signet.candidate("ada", store)
                .time(host, host)
                .executor(Runnable::run)
                .join();
        List<Election> elections = new ArrayList<>();
        IntStream.range(0, ROLES)
                .mapToObj(number -> Role.of("role-" + number))
                .forEach(role ->
                        elections.add(candidate.campaign(role, Protection.unfenced("nothing is written"), term -> {})));
        return elections;
    }

    private static boolean leads(Election election) {
        return election.guard() instanceof Verdict.Proceed;
    }

    /** Counts what it was asked for roles and has not answered yet. */
    private static final class Counting extends ForwardingStore {

        private int underWay;
        private int mostUnderWay;
        private int renewals;

        private Counting(MemoryStore store) {
            super(store);
        }

        private <T> CompletionStage<T> counted(CompletionStage<T> answer) {
            underWay++;
            mostUnderWay = Math.max(mostUnderWay, underWay);
            return answer.whenComplete((told, fault) -> underWay--);
        }

        @Override
        public CompletionStage<Answer<Renewed, SessionGone>> renew(SessionId session, Duration timeout) {
            renewals++;
            return super.renew(session, timeout);
        }

        @Override
        public CompletionStage<Answer<RoleView, SessionGone>> enlist(SessionId session, Role role, Duration timeout) {
            return counted(super.enlist(session, role, timeout));
        }

        @Override
        public CompletionStage<Answer<Grant, NotGranted>> acquire(Acquire request, Duration timeout) {
            return counted(super.acquire(request, timeout));
        }
    }
}
