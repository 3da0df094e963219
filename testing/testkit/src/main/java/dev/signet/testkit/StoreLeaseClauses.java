package dev.signet.testkit;

import static dev.signet.testkit.Answers.done;
import static dev.signet.testkit.Answers.doneOrNot;
import static dev.signet.testkit.Answers.gone;
import static dev.signet.testkit.Answers.refused;
import static org.assertj.core.api.Assertions.assertThat;

import dev.signet.Answer;
import dev.signet.FencingToken;
import dev.signet.Role;
import dev.signet.store.Acquire;
import dev.signet.store.Grant;
import dev.signet.store.NotGranted;
import dev.signet.store.Opened;
import dev.signet.store.Renewed;
import dev.signet.store.RoleView;
import dev.signet.store.SessionGone;
import dev.signet.store.SessionId;
import dev.signet.store.Store;
import dev.signet.store.StoreRefusal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

/** How long a role is held, and by whom it is decided: C3, C4, C5 and C17. */
abstract class StoreLeaseClauses extends StoreTokenClauses {

    @Test
    @Checks(StoreClause.C3)
    void aRoleIsHeldForAFullLeaseAfterEachRenewal() {
        StoreActor ada = actor("ada");
        StoreActor bob = actor("bob");
        ada.acquire(LEDGER);

        for (int i = 0; i < 3; i++) {
            letPass(tenths(7));
            bob.renew();
            assertThat(refused(bob.send(bob.request(LEDGER))).reason()).isEqualTo(NotGranted.Reason.HELD);
            ada.renew();
        }
    }

    /** The one that measures: on a machine however slow, a grant that comes within a lease of the renewal comes too soon. */
    @Test
    @Checks({StoreClause.C3, StoreClause.C4})
    void aRoleIsGrantedAfterAFullLeaseAndWithinTheStatedBound() {
        Duration step = aLease().dividedBy(40);
        StoreActor ada = actor("ada");
        StoreActor bob = actor("bob");
        ada.acquire(LEDGER);
        letPass(tenths(2));
        long sent = nanos();
        ada.renew();
        long answered = nanos();

        Duration latest = aLease().plus(grantableAfterExpiry()).plus(step).plus(slack());
        boolean taken = false;
        while (!taken && nanos() - answered < latest.toNanos()) {
            letPass(step);
            bob.renew();
            taken = doneOrNot(bob.send(bob.request(LEDGER))).isPresent();
        }
        Duration after = Duration.ofNanos(nanos() - sent);

        assertThat(taken).as("granted within %s", latest).isTrue();
        assertThat(after).isGreaterThanOrEqualTo(aLease().multipliedBy(95).dividedBy(100));
        System.out.printf(
                "figure: %s: granted %d ms after the last renewal, lease %d ms%n",
                getClass().getSimpleName(), after.toMillis(), aLease().toMillis());
    }

    @Test
    @Checks(StoreClause.C4)
    void anAcquireExtendsNothing() {
        StoreActor ada = actor("ada");
        letPass(tenths(7));
        StoreActor bob = actor("bob");
        ada.acquire(LEDGER);
        letPass(tenths(3).plus(grantableAfterExpiry()));

        assertThat(bob.acquire(LEDGER).token()).isEqualTo(FencingToken.of(2));
    }

    @Test
    @Checks(StoreClause.C4)
    void afterItsLeaseARoleIsGrantedToAnother() {
        StoreActor ada = actor("ada");
        ada.acquire(LEDGER);

        passLease();

        StoreActor bob = actor("bob");
        RoleView seen = bob.read(LEDGER);
        assertThat(seen.claimable()).isTrue();
        assertThat(done(bob.send(bob.requestOn(seen))).token()).isEqualTo(FencingToken.of(2));
    }

    @Test
    @Checks(StoreClause.C3)
    void theLeaseThatTheHolderRecordedDecidesNotTheChallengers() {
        StoreActor slow = actor("slow", connected(), aLease().multipliedBy(2));
        slow.acquire(LEDGER);
        letPass(aLease());
        slow.renew();

        passLease();
        letPass(aLease().dividedBy(2));

        StoreActor bob = actor("bob");
        assertThat(refused(bob.send(bob.request(LEDGER))).reason()).isEqualTo(NotGranted.Reason.HELD);
        slow.renew();
    }

    @Test
    @Checks(StoreClause.C5)
    void aRenewalAfterTheTakeoverIsGone() {
        StoreActor ada = actor("ada");
        ada.acquire(LEDGER);
        passLease();
        StoreActor bob = actor("bob");
        Grant successor = bob.acquire(LEDGER);

        gone(ada.store().renew(ada.session(), timeout()));
        gone(ada.store().held(ada.session(), timeout()));
        gone(ada.store().enlist(ada.session(), LEDGER, timeout()));
        assertThat(refused(ada.send(ada.request(LEDGER))).reason()).isEqualTo(NotGranted.Reason.SESSION_GONE);
        assertThat(bob.held()).containsExactly(successor);
    }

    @Test
    @Checks(StoreClause.C5)
    void aTakeoverEndsTheWholeSession() {
        Role other = Role.of("nightly-billing");
        StoreActor ada = actor("ada");
        ada.acquire(LEDGER);
        ada.acquire(other);
        passLease();
        StoreActor bob = actor("bob");
        bob.acquire(LEDGER);

        assertThat(bob.read(other).claimable()).isTrue();
        gone(ada.store().renew(ada.session(), timeout()));
        assertThat(bob.acquire(other).token()).isEqualTo(FencingToken.of(2));
    }

    @Test
    @Checks({StoreClause.C5, StoreClause.C17})
    void aRenewalAfterTheLeaseButBeforeAnyTakeoverDecidesOneWayForGood() {
        StoreActor ada = actor("ada");
        ada.acquire(LEDGER);
        passLease();

        boolean renewed = doneOrNot(ada.store().renew(ada.session(), timeout())).isPresent();

        StoreActor bob = actor("bob");
        Optional<Grant> taken = doneOrNot(bob.send(bob.request(LEDGER)));
        assertThat(taken.isPresent()).isEqualTo(!renewed);
        assertThat(doneOrNot(ada.store().renew(ada.session(), timeout())).isPresent())
                .isEqualTo(renewed);
    }

    @Test
    @Checks(StoreClause.C17)
    void aRenewalThatMeetsTheDecisionToExpireIsNeverAnsweredOk() {
        Store adas = connected();
        Store bobs = connected();
        List<StoreActor> holders = new ArrayList<>();
        List<Long> opened = new ArrayList<>();
        for (int round = 0; round < races(); round++) {
            StoreActor ada = actor("ada", adas, aLease());
            opened.add(nanos());
            ada.acquire(Role.of("race-" + round));
            ada.renew();
            holders.add(ada);
        }
        int takeovers = 0;
        for (int round = 0; round < races(); round++) {
            StoreActor ada = holders.get(round);
            StoreActor bob = actor("bob", bobs, aLease());
            passUntil(opened.get(round), aLease().plus(grantableAfterExpiry()));
            Acquire takeover = bob.request(Role.of("race-" + round));

            // the head start goes back and forth, and grows, so that each may come first however long it takes
            long headStartNanos = round * 250_000L;
            CompletionStage<Answer<Renewed, SessionGone>> renewal;
            CompletionStage<Answer<Grant, NotGranted>> taking;
            if (round % 2 == 0) {
                renewal = ada.store().renew(ada.session(), timeout());
                LockSupport.parkNanos(headStartNanos);
                taking = bob.send(takeover);
            } else {
                taking = bob.send(takeover);
                LockSupport.parkNanos(headStartNanos);
                renewal = ada.store().renew(ada.session(), timeout());
            }
            boolean taken = doneOrNot(taking).isPresent();
            boolean renewed = doneOrNot(renewal).isPresent();

            assertThat(taken && renewed)
                    .as("taken and renewed in round %d", round)
                    .isFalse();
            takeovers += taken ? 1 : 0;
        }
        assertThat(takeovers).as("takeovers: without any, this says nothing").isPositive();
    }

    @Test
    @Checks(StoreClause.C5)
    void anUnknownSessionIsGone() {
        Store store = connected();
        gone(store.renew(SessionId.random(), timeout()));
        gone(store.held(SessionId.random(), timeout()));
    }

    @Test
    @Checks(StoreClause.C5)
    void aClosedSessionIsGoneAndItsRolesAreFreeAtOnce() {
        StoreActor ada = actor("ada");
        ada.acquire(LEDGER);

        ada.close();
        ada.close();

        gone(ada.store().renew(ada.session(), timeout()));
        StoreActor bob = actor("bob");
        assertThat(bob.read(LEDGER).claimable()).isTrue();
        assertThat(bob.acquire(LEDGER).token()).isEqualTo(FencingToken.of(2));
    }

    @Test
    @Checks(StoreClause.C16)
    void openingTwiceOpensOneSession() {
        StoreActor ada = actor("ada");
        ada.acquire(LEDGER);

        Opened again = done(ada.open());

        assertThat(again.storeId()).isEqualTo(ada.storeId());
        assertThat(ada.held()).hasSize(1);
        ada.close();
        gone(ada.store().renew(ada.session(), timeout()));
    }

    @Test
    @Checks(StoreClause.C3)
    void aSessionThatIsOpenedAgainLastsAFullLeaseFromThen() {
        StoreActor ada = actor("ada");
        ada.acquire(LEDGER);
        letPass(tenths(7));
        done(ada.open());
        letPass(tenths(7));

        StoreActor bob = actor("bob");
        assertThat(refused(bob.send(bob.request(LEDGER))).reason()).isEqualTo(NotGranted.Reason.HELD);
    }

    @Test
    @Checks({StoreClause.C5, StoreClause.C16})
    void aSessionThatHasEndedIsNeverOpenedAgain() {
        StoreActor closed = actor("closed");
        closed.close();
        StoreActor succeeded = actor("succeeded");
        succeeded.acquire(LEDGER);
        passLease();
        actor("bob").acquire(LEDGER);

        for (StoreActor each : List.of(closed, succeeded)) {
            assertThat(refused(each.open()).kind()).isEqualTo(StoreRefusal.Kind.SESSION_ENDED);
            gone(each.store().renew(each.session(), timeout()));
        }
    }

    @Test
    @Checks(StoreClause.C16)
    void aRenewalCarriesTheDigestOfWhatIsHeldWhereItCan() {
        StoreActor ada = actor("ada");
        Map<Role, FencingToken> held = new HashMap<>();
        for (String name : List.of("a", "b", "c")) {
            held.put(Role.of(name), ada.acquire(Role.of(name)).token());
        }
        assertDigest(ada, held);

        held.put(Role.of("b"), ada.acquire(Role.of("b")).token());
        assertDigest(ada, held);

        ada.release(Role.of("a"));
        held.remove(Role.of("a"));
        assertDigest(ada, held);
        assertDigest(actor("bob"), Map.of());
    }
}
