package dev.signet.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.signet.Candidate;
import dev.signet.Election;
import dev.signet.Protection;
import dev.signet.Role;
import dev.signet.Signet;
import dev.signet.Term;
import dev.signet.Verdict;
import dev.signet.WriteRefusedException;
import dev.signet.fence.Refusal;
import dev.signet.observe.Counter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A candidate, its fences, and stores that forget. */
class CandidateSealingTest {

    private static final Role ROLE = Role.of("nightly");

    private final ManualTime time = new ManualTime();
    private final MemoryServer server = new MemoryServer(time);
    private final MemoryFence ledger = new MemoryFence("ledger", ROLE, server.storeId(), time);
    private final MemoryFence remote = new MemoryFence("remote", ROLE, server.storeId(), time);

    @Test
    void aTermWhoseRequiredResourceIsAwayDoesNotLead() {
        Fault.Injected away = ledger.inject(Fault.requestLost());
        Node ada = new Node("ada", Protection.by(ledger));
        time.advance(Duration.ofSeconds(5));
        assertThat(ada.terms).isEmpty();
        assertThat(ada.election.guard())
                .isInstanceOfSatisfying(
                        Verdict.Refuse.class, refuse -> assertThat(refuse.why()).isEqualTo(Verdict.Why.NOT_READY));

        assertThat(ada.candidate.counters().get(Counter.SEALS_UNANSWERED))
                .as("told once, however often it is asked")
                .isEqualTo(1);

        away.mend();
        time.advance(Duration.ofSeconds(4));

        assertThat(ada.leads()).isTrue();
        assertThat(ada.term().isSealed(ledger.resource())).isTrue();
    }

    @Test
    void aTermStartsWithoutAResourceThatMayBeAwayAndSealsItLater() {
        Fault.Injected away = remote.inject(Fault.requestLost());
        Node ada = new Node("ada", Protection.by(ledger).onContact(remote));
        time.advance(Duration.ofSeconds(5));
        assertThat(ada.leads()).isTrue();
        assertThat(ada.term().isSealed(remote.resource())).isFalse();

        away.mend();
        time.advance(Duration.ofSeconds(4));

        assertThat(ada.term().isSealed(remote.resource())).isTrue();
    }

    @Test
    void aPausedLeadersWriteIsRefusedOnceItsSuccessorHasSealed() {
        Node ada = new Node("ada", Protection.by(ledger));
        time.settle();
        Term old = ada.term();
        ledger.write(old.stamp(), "before");
        Node bob = new Node("bob", Protection.by(ledger));

        ada.host.pause();
        time.advance(Duration.ofSeconds(16));

        assertThat(bob.leads()).isTrue();
        assertThatExceptionOfType(WriteRefusedException.class)
                .isThrownBy(() -> ledger.write(old.stamp(), "zombie"))
                .satisfies(refused -> assertThat(refused.refusal()).isEqualTo(Refusal.STALE));
        ledger.write(bob.term().stamp(), "after");
    }

    @Test
    void aRestoredStoreHealsItselfAboveWhatTheFenceHasSeen() {
        MemoryServer.Backup yesterday = server.backUp();
        fiveTermsPass();

        server.restore(yesterday);
        Node ada = new Node("ada", Protection.by(ledger));
        time.advance(Duration.ofSeconds(30));

        assertThat(ada.leads()).isTrue();
        assertThat(ada.term().token().value()).isEqualTo(6);
        assertThat(ada.candidate.counters().get(Counter.TOKENS_SKIPPED)).isEqualTo(1);
    }

    @Test
    void aDeletedRecordHealsItselfUnderACandidateThatWasThereBefore() {
        fiveTermsPass();
        Node ada = new Node("ada", Protection.by(ledger));
        time.settle();
        assertThat(ada.term().token().value()).isEqualTo(6);

        server.forget(dev.signet.Namespace.DEFAULT, ROLE);
        time.advance(Duration.ofSeconds(30));

        assertThat(ada.leads()).isTrue();
        assertThat(ada.term().token().value()).isEqualTo(7);
    }

    @Test
    void aWipedStoreIsAnotherStoreAndNeverHealsAtTheOldOnesFence() {
        fiveTermsPass();
        Node ada = new Node("ada", Protection.by(ledger));
        time.settle();
        int before = ada.terms.size();

        server.wipe();
        time.advance(Duration.ofMinutes(2));

        assertThat(ada.terms).hasSize(before);
        assertThat(ada.leads()).isFalse();
        assertThat(ada.candidate.counters().get(Counter.ALARMS)).isPositive();
        assertThat(ada.candidate.counters().get(Counter.TOKENS_SKIPPED)).isZero();
    }

    private void fiveTermsPass() {
        Node one = new Node("earlier", Protection.by(ledger));
        time.settle();
        for (int i = 0; i < 4; i++) {
            one.election.resign();
            one.election.campaign();
            time.advance(Duration.ofSeconds(1));
        }
        one.election.resign();
        time.advance(Duration.ofSeconds(1));
        assertThat(one.term().token().value()).isEqualTo(5);
    }

    private final class Node {

        final ManualHost host = time.host();
        final List<Term> terms = new ArrayList<>();
        final Candidate candidate;
        final Election election;

        Node(String name, Protection protection) {
            candidate = Signet.candidate(name, server.connect())
                    .time(host, host)
                    .executor(Runnable::run)
                    .join();
            election = candidate.campaign(ROLE, protection, terms::add);
        }

        boolean leads() {
            return election.guard() instanceof Verdict.Proceed;
        }

        Term term() {
            return terms.get(terms.size() - 1);
        }
    }
}
