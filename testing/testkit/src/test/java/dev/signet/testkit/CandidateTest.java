package dev.signet.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.signet.Candidate;
import dev.signet.Election;
import dev.signet.FencingToken;
import dev.signet.LeadershipListener;
import dev.signet.Protection;
import dev.signet.ResourceName;
import dev.signet.Role;
import dev.signet.Signet;
import dev.signet.Term;
import dev.signet.TermEnd;
import dev.signet.TermEnd.Reason;
import dev.signet.Verdict;
import dev.signet.fence.Refusal;
import dev.signet.lease.LeaseTiming;
import dev.signet.observe.Counter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** The runtime under time that the test moves; listeners run on the loop. */
class CandidateTest {

    private static final Role ROLE = Role.of("nightly");
    private static final Protection UNFENCED = Protection.unfenced("a test");
    private static final Duration LEASE = LeaseTiming.DEFAULT.leaseDuration();

    private final ManualTime time = new ManualTime();
    private final MemoryServer server = new MemoryServer(time);

    @Test
    void oneOfTwoLeadsAndTheOtherKnowsWho() {
        Node ada = new Node("ada");
        Node bob = new Node("bob");
        time.settle();

        assertThat(ada.leads() ^ bob.leads()).isTrue();
        Node follower = ada.leads() ? bob : ada;
        Node leader = ada.leads() ? ada : bob;
        assertThat(leader.election.guard()).isInstanceOf(Verdict.Proceed.class);
        assertThat(follower.election.guard()).isInstanceOfSatisfying(Verdict.Refuse.class, refuse -> {
            assertThat(refuse.why()).isEqualTo(Verdict.Why.NOT_LEADING);
            assertThat(refuse.hint()).hasValueSatisfying(hint -> {
                assertThat(hint.leader()).isEqualTo(leader.candidate.id());
                assertThat(hint.token()).isEqualTo(leader.term().token());
            });
        });
    }

    @Test
    void theGuardLetsInFromTheFirstLineOfOnElected() {
        ManualHost host = time.host();
        AtomicReference<Election> election = new AtomicReference<>();
        List<Verdict> verdicts = new ArrayList<>();
        election.set(Signet.candidate("ada", server.connect())
                .time(host, host)
                .executor(Runnable::run)
                .join()
                .campaign(ROLE, UNFENCED, term -> verdicts.add(election.get().guard())));
        time.settle();

        assertThat(verdicts).singleElement().isInstanceOf(Verdict.Proceed.class);
    }

    @Test
    void aSecondTransferToTheSameSuccessorIsRefusedAndTheFirstGoesOn() {
        Node ada = leading("ada");
        Node bob = new Node("bob");
        time.settle();

        var first = ada.election.transfer(bob.candidate.id(), Duration.ofSeconds(20));
        var second = ada.election.transfer(bob.candidate.id(), Duration.ofSeconds(20));
        time.advance(Duration.ofSeconds(1));

        assertThat(first.toCompletableFuture()).isCompleted();
        assertThat(second.toCompletableFuture()).isCompletedExceptionally();
        assertThat(bob.leads()).isTrue();
    }

    @Test
    void aCleanCloseHandsOverAtOnceWithTheNextToken() {
        Node ada = leading("ada");
        Node bob = new Node("bob");
        time.settle();
        FencingToken before = ada.term().token();

        ada.beginClose();
        time.advance(Duration.ofMillis(100));

        assertThat(bob.leads()).isTrue();
        assertThat(bob.term().token().value()).isEqualTo(before.value() + 1);
        assertThat(ada.ends).extracting(TermEnd::reason).containsExactly(Reason.CLOSED);
    }

    @Test
    void aLeaderThatFallsSilentIsFollowedAfterAWholeLeaseAndNotBefore() {
        Node ada = leading("ada");
        Node bob = new Node("bob");
        time.advance(Duration.ofSeconds(4));

        ada.host.pause();
        time.advance(LEASE.minusMillis(1));
        assertThat(bob.leads()).isFalse();

        time.advance(Duration.ofSeconds(1));
        assertThat(bob.leads()).isTrue();
        assertThat(bob.term().token().value()).isEqualTo(2);
    }

    @Test
    void aLeaderCutOffFromTheStoreStopsByItselfAtItsDeadline() {
        Node ada = leading("ada");
        time.advance(Duration.ofSeconds(4));
        ada.store.cutOff();

        time.advance(Duration.ofMillis(9_999));
        assertThat(ada.term().isValid()).isTrue();
        assertThat(ada.ends).isEmpty();

        time.advance(Duration.ofMillis(2));
        assertThat(ada.term().isValid()).isFalse();
        assertThat(ada.ends).extracting(TermEnd::reason).containsExactly(Reason.RENEW_DEADLINE);
    }

    @Test
    void aPauseThatTheLeaseOutlivesResumesTheSameTerm() {
        Node ada = leading("ada");
        Node bob = new Node("bob");
        time.advance(Duration.ofSeconds(4));
        Term term = ada.term();

        ada.host.pauseFor(Duration.ofSeconds(12));
        time.advance(Duration.ofSeconds(1));

        assertThat(term.isValid()).isTrue();
        assertThat(ada.terms).containsExactly(term);
        assertThat(bob.terms).isEmpty();
        assertThat(ada.candidate.counters().get(Counter.SUSPENSIONS)).isEqualTo(1);
        assertThat(ada.candidate.counters().get(Counter.RESUMPTIONS)).isEqualTo(1);
        assertThat(ada.candidate.longestPause()).isBetween(Duration.ofSeconds(9), Duration.ofSeconds(12));
    }

    @Test
    void aPauseLongerThanTheLeaseIsDeposedOnWaking() {
        Node ada = leading("ada");
        Node bob = new Node("bob");
        time.advance(Duration.ofSeconds(4));
        Term term = ada.term();

        ada.host.pauseFor(Duration.ofSeconds(20));
        time.advance(Duration.ofSeconds(1));

        assertThat(bob.leads()).isTrue();
        assertThat(term.isValid()).isFalse();
        assertThat(ada.ends)
                .singleElement()
                .extracting(TermEnd::reason)
                .isIn(Reason.SESSION_GONE, Reason.LOST_AT_STORE);
    }

    @Test
    void aWokenLeaderIsInvalidBeforeAnythingElseRuns() {
        Node ada = leading("ada");
        time.advance(Duration.ofSeconds(4));
        List<Boolean> seen = new ArrayList<>();

        ada.host.pause();
        time.advance(Duration.ofSeconds(11));
        seen.add(ada.term().isValid());

        assertThat(seen).containsExactly(false);
    }

    @Test
    void aSuspendedHostsMonotonicClockDeceivesNobody() {
        Node ada = leading("ada");
        time.advance(Duration.ofSeconds(4));
        Term term = ada.term();

        ada.host.suspendFor(Duration.ofSeconds(12));
        assertThat(term.isValid()).isFalse();
        assertThat(ada.candidate.counters().get(Counter.SUSPENSIONS)).isZero();
        time.advance(Duration.ofSeconds(3));

        assertThat(ada.candidate.counters().get(Counter.SUSPENSIONS)).isEqualTo(1);
        assertThat(term.isValid()).isTrue();
    }

    @Test
    void aWriteRefusedByTheResourceEndsTheTermThoughTheStoreAgreesWithIt() {
        Node ada = leading("ada");

        ada.election.refused(ada.term().stamp(), ResourceName.of("ledger"), Refusal.STALE);
        time.settle();

        assertThat(ada.ends).extracting(TermEnd::reason).containsExactly(Reason.SUPERSEDED);
        assertThat(ada.candidate.counters().get(Counter.WRITES_REFUSED)).isEqualTo(1);
    }

    @Test
    void aLostAnswerToAnAcquireCostsNoToken() {
        Node ada = new Node(
                "ada",
                UNFENCED,
                store -> store.inject(Fault.answerLost().of(Call.ACQUIRE).once()));
        time.advance(Duration.ofSeconds(5));

        assertThat(ada.leads()).isTrue();
        assertThat(ada.term().token()).isEqualTo(FencingToken.FIRST);
    }

    @Test
    void aBrokenWatchIsWatchedAgain() {
        Node ada = leading("ada");
        Node bob = new Node("bob");
        time.settle();
        bob.store.breakWatches("a test");
        time.advance(Duration.ofSeconds(1));

        ada.beginClose();
        time.advance(Duration.ofSeconds(3));

        assertThat(bob.leads()).isTrue();
    }

    @Test
    void aTransferGoesToWhomItNamesAndNoOther() {
        Node ada = leading("ada");
        Node bob = new Node("bob");
        Node eve = new Node("eve");
        time.settle();

        var handed = ada.election.transfer(eve.candidate.id(), Duration.ofSeconds(20));
        time.advance(Duration.ofSeconds(1));

        assertThat(handed.toCompletableFuture()).isCompleted();
        assertThat(eve.leads()).isTrue();
        assertThat(bob.terms).isEmpty();
        assertThat(ada.ends).extracting(TermEnd::reason).containsExactly(Reason.TRANSFERRED);
    }

    @Test
    void aTransferToNobodyChangesNothing() {
        Node ada = leading("ada");

        var handed = ada.election.transfer(dev.signet.CandidateId.incarnationOf("nobody"), Duration.ofSeconds(20));
        time.advance(Duration.ofSeconds(1));

        assertThat(handed.toCompletableFuture()).isCompletedExceptionally();
        assertThat(ada.leads()).isTrue();
    }

    @Test
    void anElectionThatResignedCampaignsAgainWhenAsked() {
        Node ada = leading("ada");
        ada.election.resign();
        time.advance(Duration.ofSeconds(1));
        assertThat(ada.leads()).isFalse();

        ada.election.campaign();
        time.advance(Duration.ofSeconds(1));

        assertThat(ada.leads()).isTrue();
        assertThat(ada.term().token().value()).isEqualTo(2);
    }

    @Test
    void aSecondElectionForARoleIsRefusedUntilTheFirstIsClosed() {
        Node ada = leading("ada");
        assertThatIllegalStateException()
                .isThrownBy(() -> ada.candidate.campaign(ROLE, UNFENCED, ada))
                .withMessageContaining("nightly");

        ada.election.resign();
        ada.election.campaign();
        time.settle();
        assertThat(ada.leads()).isTrue();
    }

    @Test
    void aRoleWithoutAFenceIsCountedWithItsReason() {
        Node ada = leading("ada");

        assertThat(ada.candidate.counters().get(Counter.UNFENCED_ROLES)).isEqualTo(1);
        assertThatIllegalArgumentException().isThrownBy(() -> Protection.unfenced(" "));
        assertThatIllegalArgumentException().isThrownBy(Protection::by);
    }

    @Test
    void aProbeThatFailsGivesTheRoleToOthers() {
        List<Boolean> works = new ArrayList<>(List.of(true));
        Node ada = new Node(
                "ada",
                UNFENCED,
                store -> {},
                signet -> signet.probe(() -> {
                    if (!works.get(0)) {
                        throw new IllegalStateException("the disk is gone");
                    }
                }));
        time.settle();
        Node bob = new Node("bob");
        time.advance(Duration.ofSeconds(10));
        assertThat(ada.leads()).isTrue();

        works.set(0, false);
        time.advance(Duration.ofSeconds(5));

        assertThat(bob.leads()).isTrue();
        assertThat(ada.ends).extracting(TermEnd::reason).contains(Reason.PROBE_FAILED);
    }

    @Test
    void aProbeThatThrewAnErrorOnceDoesNotKeepTheCandidateFromLeadingForEver() {
        List<Boolean> works = new ArrayList<>(List.of(true));
        Node ada = new Node(
                "ada",
                UNFENCED,
                store -> {},
                signet -> signet.probe(() -> {
                    if (!works.get(0)) {
                        throw new AssertionError("the ledger does not add up");
                    }
                }));
        time.settle();
        assertThat(ada.leads()).isTrue();

        works.set(0, false);
        time.advance(Duration.ofSeconds(5));
        works.set(0, true);
        time.advance(Duration.ofMinutes(5));
        assertThat(ada.ends).extracting(TermEnd::reason).containsOnly(Reason.PROBE_FAILED);
        int endedByThen = ada.ends.size();
        time.advance(Duration.ofMinutes(5));

        assertThat(ada.leads()).isTrue();
        assertThat(ada.ends).hasSize(endedByThen);
    }

    private Node leading(String name) {
        Node node = new Node(name);
        time.settle();
        assertThat(node.leads()).isTrue();
        return node;
    }

    /** A process: a candidate with clocks, a loop and a connection of its own, which campaigns for the role. */
    private final class Node implements LeadershipListener {

        final ManualHost host = time.host();
        final MemoryStore store = server.connect();
        final List<Term> terms = new ArrayList<>();
        final List<TermEnd> ends = new ArrayList<>();
        final Candidate candidate;
        final Election election;

        Node(String name) {
            this(name, UNFENCED);
        }

        Node(String name, Protection protection) {
            this(name, protection, store -> {});
        }

        Node(String name, Protection protection, java.util.function.Consumer<MemoryStore> fault) {
            this(name, protection, fault, signet -> signet);
        }

        Node(
                String name,
                Protection protection,
                java.util.function.Consumer<MemoryStore> fault,
                java.util.function.UnaryOperator<Signet> options) {
            fault.accept(store);
            candidate = options.apply(
                            Signet.candidate(name, store).time(host, host).executor(Runnable::run))
                    .join();
            election = candidate.campaign(ROLE, protection, this);
        }

        @Override
        public void onElected(Term term) {
            terms.add(term);
        }

        @Override
        public void onDeposed(Term term, TermEnd end) {
            ends.add(end);
        }

        boolean leads() {
            return election.guard() instanceof Verdict.Proceed;
        }

        Term term() {
            return terms.get(terms.size() - 1);
        }

        /** Closes on a thread of its own, since closing waits and time stands still meanwhile. */
        void beginClose() {
            Thread closing = new Thread(election::close, "closing");
            closing.setDaemon(true);
            closing.start();
            while (closing.getState() != Thread.State.TIMED_WAITING && closing.isAlive()) {
                Thread.onSpinWait();
            }
        }
    }
}
