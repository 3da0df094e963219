package dev.signet.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.signet.Advertised;
import dev.signet.Answer;
import dev.signet.CandidateId;
import dev.signet.FencingToken;
import dev.signet.Namespace;
import dev.signet.Role;
import dev.signet.StoreId;
import dev.signet.TermId;
import dev.signet.store.Acquire;
import dev.signet.store.Concluded;
import dev.signet.store.Grant;
import dev.signet.store.HeldDigest;
import dev.signet.store.Holder;
import dev.signet.store.NotGranted;
import dev.signet.store.NotReserved;
import dev.signet.store.OpenSession;
import dev.signet.store.Opened;
import dev.signet.store.Release;
import dev.signet.store.Renewed;
import dev.signet.store.Reserve;
import dev.signet.store.RoleView;
import dev.signet.store.SessionGone;
import dev.signet.store.SessionId;
import dev.signet.store.Store;
import dev.signet.store.Watch;
import dev.signet.store.WatchObserver;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * What every store must do, as tests. A store's own tests extend this class and say how to connect, how time passes and
 * how the store is restarted; each test starts on names of its own, so one store may serve them all.
 *
 * <p>The names of the clauses (C1 and so on) are those of the store contract. What needs the faults of a particular store
 * (a stopped server, a lost packet, a killed process) is tested beside it: this kit cannot know how to cause them.
 */
public abstract class StoreContract {

    private static final Role LEDGER = Role.of("ledger");

    private final List<Store> clients = new ArrayList<>();
    private final List<Watch> watches = new ArrayList<>();
    private final Namespace namespace =
            new Namespace("kit-" + TermId.random().secret().substring(0, 12));

    /** A client of the store under test, with connections of its own. The kit closes it. */
    protected abstract Store connect(Namespace inNamespace);

    /** Returns after at least this much time has passed on the store's clock, and hardly more. */
    protected abstract void pass(Duration time);

    /** Ends the store and starts it again on the same records. Clients made before it are used no more. */
    protected abstract void restart();

    /** The lease of the sessions here; a store on real time sets the shortest that it keeps well. */
    protected Duration lease() {
        return Duration.ofSeconds(15);
    }

    /** For each call, and for how long the kit waits beyond it before it calls the store hung. */
    protected Duration timeout() {
        return Duration.ofSeconds(5);
    }

    /** How much later than the lease's end a role may become grantable (C4). */
    protected Duration grantableAfterExpiry() {
        return Duration.ofMillis(100);
    }

    /** Rounds of the races that cost a lease each. */
    protected int races() {
        return 40;
    }

    /** Roles on one session in the everyday run (C15). */
    protected int manyRoles() {
        return 1_000;
    }

    @AfterEach
    void closeClients() {
        watches.forEach(Watch::close);
        clients.forEach(Store::close);
    }

    // C1, C2, C10, C19: tokens and terms

    @Test
    void theFirstGrantHasTokenOneAndEachNextOneMore() {
        Actor ada = actor("ada");
        Actor bob = actor("bob");

        assertThat(ada.acquire(LEDGER).token()).isEqualTo(FencingToken.FIRST);
        ada.release(LEDGER);
        assertThat(bob.acquire(LEDGER).token()).isEqualTo(FencingToken.of(2));
        bob.close();
        assertThat(ada.acquire(LEDGER).token()).isEqualTo(FencingToken.of(3));
        passLease();
        assertThat(actor("eve").acquire(LEDGER).token()).isEqualTo(FencingToken.of(4));
    }

    @Test
    void tokensAndTheStoreIdOutliveARestart() {
        Actor ada = actor("ada");
        Grant before = ada.acquire(LEDGER);
        clients.forEach(Store::close);

        restart();

        passLease();
        Grant after = actor("bob").acquire(LEDGER);
        assertThat(after.token()).isEqualTo(FencingToken.of(2));
        assertThat(after.storeId()).isEqualTo(before.storeId());
        assertThat(after.version()).isGreaterThan(before.version());
    }

    @Test
    void theSameCandidateWinningAgainGetsANewToken() {
        Actor ada = actor("ada");
        ada.acquire(LEDGER);
        ada.release(LEDGER);

        assertThat(ada.acquire(LEDGER).token()).isEqualTo(FencingToken.of(2));
    }

    @Test
    void aHolderThatAsksWithANewerAttemptGetsANewToken() {
        Actor ada = actor("ada");
        Grant first = ada.acquire(LEDGER);

        Grant second = ada.acquire(LEDGER);

        assertThat(second.token()).isEqualTo(FencingToken.of(2));
        assertThat(second.termId()).isNotEqualTo(first.termId());
        assertThat(second.version()).isGreaterThan(first.version());
        assertThat(ada.held()).containsExactly(second);
    }

    @Test
    void aGrantNamesItsStoreItsTermItsAttemptAndTheRecordItWrote() {
        Actor ada = actor("ada");
        Acquire request = ada.request(LEDGER);

        Grant grant = granted(ada.send(request));

        assertThat(grant.role()).isEqualTo(LEDGER);
        assertThat(grant.termId()).isEqualTo(request.termId());
        assertThat(grant.attempt()).isEqualTo(request.attempt());
        assertThat(grant.storeId()).isEqualTo(ada.storeId);
        assertThat(ada.read(LEDGER).version()).isEqualTo(grant.version());
    }

    @Test
    void aGrantLiesAboveTheFloor() {
        Actor ada = actor("ada");
        ada.acquire(LEDGER);

        assertThat(ada.acquireAbove(LEDGER, 41).token()).isEqualTo(FencingToken.of(42));
        assertThat(ada.acquireAbove(LEDGER, 7).token()).isEqualTo(FencingToken.of(43));
    }

    @Test
    void aFloorCountsForARoleThatNobodyEverHeld() {
        assertThat(actor("ada").acquireAbove(LEDGER, 41).token()).isEqualTo(FencingToken.of(42));
    }

    @Test
    void noTokenIsGrantedAboveTheLast() {
        Actor ada = actor("ada");
        assertThat(ada.acquireAbove(LEDGER, FencingToken.MAX_VALUE - 1).token().value())
                .isEqualTo(FencingToken.MAX_VALUE);

        NotGranted refusal = refused(ada.send(ada.request(LEDGER)));

        assertThat(refusal.reason()).isEqualTo(NotGranted.Reason.TOKENS_EXHAUSTED);
        assertThat(ada.held()).hasSize(1);
    }

    @Test
    void whenManyContendTermsDoNotOverlapAndNoTokenIsSkipped() throws InterruptedException {
        int rounds = 8;
        ConcurrentLinkedQueue<Grant> grants = new ConcurrentLinkedQueue<>();
        ConcurrentLinkedQueue<Throwable> faults = new ConcurrentLinkedQueue<>();
        CountDownLatch ready = new CountDownLatch(1);
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            Actor actor = actor("contender-" + i);
            threads.add(new Thread(() -> {
                try {
                    ready.await();
                    for (int won = 0; won < rounds; ) {
                        RoleView seen = actor.read(LEDGER);
                        if (seen.claimable()) {
                            Optional<Grant> grant = grantedOrNot(actor.send(actor.requestOn(seen)));
                            if (grant.isPresent()) {
                                grants.add(grant.get());
                                won++;
                                actor.release(LEDGER);
                            }
                        }
                    }
                } catch (Throwable fault) {
                    faults.add(fault);
                }
            }));
        }
        threads.forEach(Thread::start);
        ready.countDown();
        for (Thread thread : threads) {
            thread.join();
        }

        assertThat(faults).isEmpty();
        List<Grant> inOrder = new ArrayList<>(grants);
        inOrder.sort((left, right) -> Long.compare(left.version(), right.version()));
        List<Long> tokens = inOrder.stream().map(grant -> grant.token().value()).toList();
        List<Long> expected = new ArrayList<>();
        for (long token = 1; token <= 4L * rounds; token++) {
            expected.add(token);
        }
        assertThat(tokens).isEqualTo(expected);
    }

    // C3, C4, C5, C17: leases

    @Test
    void aRoleIsHeldForAFullLeaseAfterEachRenewal() {
        Actor ada = actor("ada");
        Actor bob = actor("bob");
        ada.acquire(LEDGER);

        for (int i = 0; i < 3; i++) {
            pass(lease().multipliedBy(8).dividedBy(10));
            bob.renew();
            assertThat(refused(bob.send(bob.request(LEDGER))).reason()).isEqualTo(NotGranted.Reason.HELD);
            ada.renew();
        }
    }

    @Test
    void anAcquireExtendsNothing() {
        Actor ada = actor("ada");
        pass(lease().multipliedBy(8).dividedBy(10));
        Actor bob = actor("bob");
        ada.acquire(LEDGER);
        pass(lease().multipliedBy(3).dividedBy(10).plus(grantableAfterExpiry()));

        assertThat(bob.acquire(LEDGER).token()).isEqualTo(FencingToken.of(2));
    }

    @Test
    void afterItsLeaseARoleIsGrantedToAnother() {
        Actor ada = actor("ada");
        ada.acquire(LEDGER);

        passLease();

        Actor bob = actor("bob");
        RoleView seen = bob.read(LEDGER);
        assertThat(seen.claimable()).isTrue();
        assertThat(granted(bob.send(bob.requestOn(seen))).token()).isEqualTo(FencingToken.of(2));
    }

    @Test
    void theLeaseThatTheHolderRecordedDecidesNotTheChallengers() {
        Actor slow = actor("slow", connected(), lease().multipliedBy(2));
        slow.acquire(LEDGER);

        passLease();
        pass(lease().dividedBy(2));

        Actor bob = actor("bob");
        assertThat(refused(bob.send(bob.request(LEDGER))).reason()).isEqualTo(NotGranted.Reason.HELD);
        slow.renew();
    }

    @Test
    void aRenewalAfterTheTakeoverIsGone() {
        Actor ada = actor("ada");
        ada.acquire(LEDGER);
        passLease();
        Actor bob = actor("bob");
        Grant successor = bob.acquire(LEDGER);

        gone(ada.store.renew(ada.session, timeout()));
        gone(ada.store.held(ada.session, timeout()));
        gone(ada.store.enlist(ada.session, LEDGER, timeout()));
        assertThat(refused(ada.send(ada.request(LEDGER))).reason()).isEqualTo(NotGranted.Reason.SESSION_GONE);
        assertThat(bob.held()).containsExactly(successor);
    }

    @Test
    void aTakeoverEndsTheWholeSession() {
        Role other = Role.of("nightly-billing");
        Actor ada = actor("ada");
        ada.acquire(LEDGER);
        ada.acquire(other);
        passLease();
        Actor bob = actor("bob");
        bob.acquire(LEDGER);

        assertThat(bob.read(other).claimable()).isTrue();
        gone(ada.store.renew(ada.session, timeout()));
        assertThat(bob.acquire(other).token()).isEqualTo(FencingToken.of(2));
    }

    @Test
    void aRenewalAfterTheLeaseButBeforeAnyTakeoverDecidesOneWayForGood() {
        Actor ada = actor("ada");
        ada.acquire(LEDGER);
        passLease();

        boolean renewed = grantedOrNot(ada.store.renew(ada.session, timeout())).isPresent();

        Actor bob = actor("bob");
        Optional<Grant> taken = grantedOrNot(bob.send(bob.request(LEDGER)));
        assertThat(taken.isPresent()).isEqualTo(!renewed);
        assertThat(grantedOrNot(ada.store.renew(ada.session, timeout())).isPresent())
                .isEqualTo(renewed);
    }

    @Test
    void aRenewalThatMeetsTheDecisionToExpireIsNeverAnsweredOk() throws InterruptedException {
        Store adas = connected();
        Store bobs = connected();
        int takeovers = 0;
        for (int round = 0; round < races(); round++) {
            Role role = Role.of("race-" + round);
            Actor ada = actor("ada", adas, lease());
            ada.acquire(role);
            passLease();
            Actor bob = actor("bob", bobs, lease());
            Acquire takeover = bob.request(role);

            // the head start goes back and forth, so that each may come first
            CompletionStage<Answer<Renewed, SessionGone>> renewal;
            CompletionStage<Answer<Grant, NotGranted>> taking;
            if (round % 2 == 0) {
                renewal = ada.store.renew(ada.session, timeout());
                taking = bob.send(takeover);
            } else {
                taking = bob.send(takeover);
                renewal = ada.store.renew(ada.session, timeout());
            }
            boolean taken = grantedOrNot(taking).isPresent();
            boolean renewed = grantedOrNot(renewal).isPresent();

            assertThat(taken && renewed)
                    .as("taken and renewed in round %d", round)
                    .isFalse();
            takeovers += taken ? 1 : 0;
            ada.close();
            bob.close();
        }
        assertThat(takeovers).as("takeovers: without any, this says nothing").isPositive();
    }

    @Test
    void anUnknownSessionIsGone() {
        Store store = connected();
        gone(store.renew(SessionId.random(), timeout()));
        gone(store.held(SessionId.random(), timeout()));
    }

    @Test
    void aClosedSessionIsGoneAndItsRolesAreFreeAtOnce() {
        Actor ada = actor("ada");
        ada.acquire(LEDGER);

        ada.close();
        ada.close();

        gone(ada.store.renew(ada.session, timeout()));
        Actor bob = actor("bob");
        assertThat(bob.read(LEDGER).claimable()).isTrue();
        assertThat(bob.acquire(LEDGER).token()).isEqualTo(FencingToken.of(2));
    }

    @Test
    void openingTwiceOpensOneSession() {
        Actor ada = actor("ada");
        ada.acquire(LEDGER);

        Opened again = done(ada.open());

        assertThat(again.storeId()).isEqualTo(ada.storeId);
        assertThat(ada.held()).hasSize(1);
        ada.close();
        gone(ada.store.renew(ada.session, timeout()));
    }

    @Test
    void aRenewalCarriesTheDigestOfWhatIsHeldWhereItCan() {
        Actor ada = actor("ada");
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

    // C6, C7, C16: attempts, late and repeated requests

    @Test
    void theSameAttemptIsGivenTheSameGrantAgain() {
        Actor ada = actor("ada");
        Acquire request = ada.request(LEDGER);
        Grant first = granted(ada.send(request));

        assertThat(granted(ada.send(request))).isEqualTo(first);
        assertThat(ada.read(LEDGER).lastToken()).isEqualTo(1);
    }

    @Test
    void anAttemptIsRefusedOnceItsGrantIsReleased() {
        Actor ada = actor("ada");
        Acquire request = ada.request(LEDGER);
        granted(ada.send(request));
        ada.release(LEDGER);

        refused(ada.send(request));
        RoleView now = ada.read(LEDGER);
        assertThat(refused(ada.send(
                                new Acquire(ada.session, LEDGER, request.attempt(), TermId.random(), 0, now.version())))
                        .reason())
                .isEqualTo(NotGranted.Reason.RELEASED);
        assertThat(ada.read(LEDGER).claimable()).isTrue();
    }

    @Test
    void anAcquireThatArrivesAfterItsReleaseCreatesNoGrant() {
        Actor ada = actor("ada");
        Acquire late = ada.request(LEDGER);
        RoleView freed = done(
                ada.store.release(new Release(ada.session, LEDGER, late.attempt(), late.expectedVersion()), timeout()));
        assertThat(freed.version()).isGreaterThan(late.expectedVersion());

        refused(ada.send(late));

        assertThat(ada.held()).isEmpty();
        assertThat(ada.acquire(LEDGER).token()).isEqualTo(FencingToken.FIRST);
    }

    @Test
    void aReleasedAttemptStaysRefusedAfterOthersHeldTheRole() {
        Actor ada = actor("ada");
        Acquire late = ada.request(LEDGER);
        done(ada.store.release(new Release(ada.session, LEDGER, late.attempt(), late.expectedVersion()), timeout()));
        Actor bob = actor("bob");
        bob.acquire(LEDGER);
        bob.release(LEDGER);
        RoleView now = ada.read(LEDGER);

        NotGranted refusal =
                refused(ada.send(new Acquire(ada.session, LEDGER, late.attempt(), late.termId(), 0, now.version())));

        assertThat(refusal.reason()).isEqualTo(NotGranted.Reason.RELEASED);
    }

    @Test
    void anAcquireDecidedOnAnOlderRecordIsRefused() {
        Actor ada = actor("ada");
        Acquire old = ada.request(LEDGER);
        Actor bob = actor("bob");
        bob.acquire(LEDGER);
        bob.release(LEDGER);

        NotGranted refusal = refused(ada.send(old));

        assertThat(refusal.reason()).isEqualTo(NotGranted.Reason.MOVED);
        assertThat(refusal.view().version()).isGreaterThan(old.expectedVersion());
        assertThat(ada.held()).isEmpty();
    }

    @Test
    void anAcquireThatArrivesAfterItsSessionClosedCreatesNoGrant() {
        Actor ada = actor("ada");
        Acquire late = ada.request(LEDGER);
        ada.close();

        NotGranted refusal = refused(ada.send(late));

        assertThat(refusal.reason()).isEqualTo(NotGranted.Reason.SESSION_GONE);
        assertThat(actor("bob").acquire(LEDGER).token()).isEqualTo(FencingToken.FIRST);
    }

    @Test
    void aReleaseIsIdempotent() {
        Actor ada = actor("ada");
        Grant grant = ada.acquire(LEDGER);
        Release release = new Release(ada.session, LEDGER, grant.attempt(), grant.version());
        RoleView first = done(ada.store.release(release, timeout()));
        assertThat(first.claimable()).isTrue();
        assertThat(first.version()).isGreaterThan(grant.version());

        RoleView second = done(ada.store.release(release, timeout()));

        assertThat(second.version()).isEqualTo(first.version());
        assertThat(ada.held()).isEmpty();
    }

    @Test
    void aReleaseNeverTouchesAnothersGrant() {
        Actor ada = actor("ada");
        Grant old = ada.acquire(LEDGER);
        ada.release(LEDGER);
        Actor bob = actor("bob");
        Grant grant = bob.acquire(LEDGER);

        done(ada.store.release(new Release(ada.session, LEDGER, old.attempt() + 9, old.version()), timeout()));

        assertThat(bob.held()).containsExactly(grant);
        assertThat(ada.read(LEDGER).version()).isEqualTo(grant.version());
    }

    @Test
    void aReleaseThatArrivesLateDoesNotEndANewerAttempt() {
        Actor ada = actor("ada");
        Grant first = ada.acquire(LEDGER);
        Grant second = ada.acquire(LEDGER);

        done(ada.store.release(new Release(ada.session, LEDGER, first.attempt(), first.version()), timeout()));

        assertThat(ada.held()).containsExactly(second);
    }

    @Test
    void aReleaseByASessionThatIsGoneChangesNobodysGrant() {
        Actor ada = actor("ada");
        Grant old = ada.acquire(LEDGER);
        passLease();
        Actor bob = actor("bob");
        Grant grant = bob.acquire(LEDGER);

        done(ada.store.release(new Release(ada.session, LEDGER, old.attempt(), old.version()), timeout()));

        assertThat(bob.held()).containsExactly(grant);
    }

    // C9: transfer

    @Test
    void aReservedRoleIsGrantedToItsTargetOnly() {
        Actor ada = actor("ada");
        Actor bob = actor("bob");
        Actor eve = actor("eve");
        bob.enlist(LEDGER);
        eve.enlist(LEDGER);
        Grant grant = ada.acquire(LEDGER);

        RoleView reserved = done(ada.reserve(grant, bob.id, lease().dividedBy(2)));
        assertThat(reserved.version()).isGreaterThan(grant.version());
        assertThat(reserved.reservation().orElseThrow().target()).isEqualTo(bob.id);
        assertThat(ada.held().get(0).token()).isEqualTo(grant.token());
        ada.release(LEDGER);

        assertThat(refused(eve.send(eve.request(LEDGER))).reason()).isEqualTo(NotGranted.Reason.HELD);
        assertThat(refused(ada.send(ada.request(LEDGER))).reason()).isEqualTo(NotGranted.Reason.HELD);
        assertThat(ada.read(LEDGER).isOpenTo(bob.id)).isTrue();
        assertThat(ada.read(LEDGER).isOpenTo(eve.id)).isFalse();
        assertThat(bob.acquire(LEDGER).token()).isEqualTo(FencingToken.of(2));
        assertThat(bob.read(LEDGER).reservation()).isEmpty();
    }

    @Test
    void afterTheWindowAReservedRoleIsOpenToAll() {
        Actor ada = actor("ada");
        Actor bob = actor("bob");
        bob.enlist(LEDGER);
        Grant grant = ada.acquire(LEDGER);
        done(ada.reserve(grant, bob.id, lease().dividedBy(4)));
        ada.release(LEDGER);

        pass(lease().dividedBy(4).plus(grantableAfterExpiry()));

        assertThat(actor("eve").acquire(LEDGER).token()).isEqualTo(FencingToken.of(2));
    }

    @Test
    void whenTheTargetsSessionEndsAReservedRoleIsOpenToAll() {
        Actor ada = actor("ada");
        Actor bob = actor("bob");
        bob.enlist(LEDGER);
        Grant grant = ada.acquire(LEDGER);
        done(ada.reserve(grant, bob.id, lease().dividedBy(2)));
        ada.release(LEDGER);

        bob.close();

        assertThat(ada.acquire(LEDGER).token()).isEqualTo(FencingToken.of(2));
    }

    @Test
    void aTargetThatDoesNotCampaignIsRefusedAndNothingChanges() {
        Actor ada = actor("ada");
        Grant grant = ada.acquire(LEDGER);
        Actor bob = actor("bob");
        Actor withdrawn = actor("withdrawn");
        withdrawn.enlist(LEDGER);
        done(withdrawn.store.withdraw(withdrawn.session, LEDGER, timeout()));
        Actor elsewhere = actor("elsewhere");
        elsewhere.enlist(Role.of("other"));
        Actor closed = actor("closed");
        closed.enlist(LEDGER);
        closed.close();

        for (CandidateId target :
                List.of(bob.id, withdrawn.id, elsewhere.id, closed.id, CandidateId.incarnationOf("nobody"))) {
            assertThat(refused(ada.reserve(grant, target, lease()))).isEqualTo(NotReserved.TARGET_NOT_CAMPAIGNING);
        }

        assertThat(ada.read(LEDGER).version()).isEqualTo(grant.version());
        assertThat(ada.read(LEDGER).reservation()).isEmpty();
    }

    @Test
    void anExpiredTargetIsRefused() {
        Actor bob = actor("bob");
        bob.enlist(LEDGER);
        passLease();
        Actor ada = actor("ada");
        Grant grant = ada.acquire(LEDGER);

        assertThat(refused(ada.reserve(grant, bob.id, lease()))).isEqualTo(NotReserved.TARGET_NOT_CAMPAIGNING);
        assertThat(ada.read(LEDGER).version()).isEqualTo(grant.version());
    }

    @Test
    void onlyTheHolderByThatAttemptReserves() {
        Actor ada = actor("ada");
        Actor bob = actor("bob");
        bob.enlist(LEDGER);
        Grant old = ada.acquire(LEDGER);
        Grant grant = ada.acquire(LEDGER);

        assertThat(refused(ada.reserve(old, bob.id, lease()))).isEqualTo(NotReserved.NOT_HOLDER);
        assertThat(refused(bob.reserve(grant, bob.id, lease()))).isEqualTo(NotReserved.NOT_HOLDER);
        ada.release(LEDGER);
        assertThat(refused(ada.reserve(grant, bob.id, lease()))).isEqualTo(NotReserved.NOT_HOLDER);
        assertThat(ada.read(LEDGER).reservation()).isEmpty();
    }

    // C8: watches

    @Test
    void aWatcherHearsThePresentRecordFirstThenEachHolder() {
        Actor ada = actor("ada");
        Grant grant = ada.acquire(LEDGER);
        Seen seen = watch(connected(), LEDGER);

        RoleView first = seen.next();
        assertThat(first.version()).isEqualTo(grant.version());
        Holder holder = first.holder().orElseThrow();
        assertThat(holder.candidate()).isEqualTo(ada.id);
        assertThat(holder.advertised()).isEqualTo(Actor.ADDRESSES);
        assertThat(holder.token()).isEqualTo(grant.token());
        assertThat(holder.termDigest()).isEqualTo(grant.termId().digest());
        assertThat(first.claimable()).isFalse();

        ada.release(LEDGER);
        assertThat(seen.until(RoleView::claimable).holder()).isEmpty();
        Actor bob = actor("bob");
        bob.acquire(LEDGER);
        seen.until(view -> isHeldBy(view, bob.id));
    }

    @Test
    void aWatcherOfARoleThatNobodyEverHeldHearsThatFirst() {
        Seen seen = watch(connected(), LEDGER);

        RoleView first = seen.next();
        assertThat(first.version()).isZero();
        assertThat(first.claimable()).isTrue();
        Actor ada = actor("ada");
        ada.acquire(LEDGER);
        seen.until(view -> isHeldBy(view, ada.id));
    }

    @Test
    void aWatcherIsToldWhenTheHoldersLeaseEnds() {
        Actor ada = actor("ada");
        ada.acquire(LEDGER);
        Seen seen = watch(connected(), LEDGER);
        assertThat(seen.next().claimable()).isFalse();

        passLease();

        assertThat(seen.until(RoleView::claimable).lastToken()).isEqualTo(1);
    }

    @Test
    void aWatcherIsToldWhenTheHoldersSessionCloses() {
        Actor ada = actor("ada");
        ada.acquire(LEDGER);
        Seen seen = watch(connected(), LEDGER);
        assertThat(seen.next().claimable()).isFalse();

        ada.close();

        seen.until(RoleView::claimable);
    }

    @Test
    void aRenewedRoleIsNotShownAsClaimable() {
        Actor ada = actor("ada");
        ada.acquire(LEDGER);
        Seen seen = watch(connected(), LEDGER);
        for (int i = 0; i < 4; i++) {
            pass(lease().dividedBy(2));
            ada.renew();
        }
        ada.release(LEDGER);
        seen.until(RoleView::claimable);

        assertThat(seen.history().stream().filter(RoleView::claimable)).hasSize(1);
    }

    @Test
    void versionsThatAWatcherSeesNeverGoBack() {
        Actor ada = actor("ada");
        Actor bob = actor("bob");
        Seen seen = watch(connected(), LEDGER);
        for (int i = 0; i < 20; i++) {
            Actor next = i % 2 == 0 ? ada : bob;
            next.acquire(LEDGER);
            next.release(LEDGER);
        }
        seen.until(view -> view.lastToken() == 20 && view.claimable());

        List<Long> versions = seen.history().stream().map(RoleView::version).toList();
        assertThat(versions).isSorted();
    }

    @Test
    void anyNumberOfWatchesOfARoleRunAndEachEndsByItself() {
        Store store = connected();
        BlockingQueue<RoleView> endedViews = new LinkedBlockingQueue<>();
        Seen kept = watch(store, LEDGER);
        Seen ended = new Seen(endedViews);
        Watch watch = store.watch(LEDGER, ended);
        kept.next();
        ended.next();
        watch.close();
        watch.close();

        Actor ada = actor("ada");
        ada.acquire(LEDGER);

        kept.until(view -> isHeldBy(view, ada.id));
        assertThat(endedViews).isEmpty();
    }

    // C11, C12

    @Test
    void everyCallEndsWithinItsTimeoutHoweverShort() {
        Actor ada = actor("ada");
        Duration hardly = Duration.ofMillis(1);
        Role role = Role.of("hurried");
        for (CompletionStage<?> stage : List.<CompletionStage<?>>of(
                ada.store.renew(ada.session, hardly),
                ada.store.acquire(ada.request(role), hardly),
                ada.store.enlist(ada.session, role, hardly),
                ada.store.withdraw(ada.session, role, hardly),
                ada.store.release(new Release(ada.session, role, 1, 0), hardly),
                ada.store.reserve(new Reserve(ada.session, role, 1, ada.id, lease()), hardly),
                ada.store.held(ada.session, hardly),
                ada.store.read(role, hardly),
                ada.store.roles(hardly),
                ada.store.close(SessionId.random(), hardly))) {
            await(stage);
        }
    }

    @Test
    void aClosedStoreAnswersUnknown() {
        Actor ada = actor("ada");
        Acquire request = ada.request(LEDGER);
        ada.store.close();
        ada.store.close();

        assertThat(isUnknown(await(ada.send(request)))).isTrue();
        assertThat(isUnknown(await(ada.store.renew(ada.session, timeout())))).isTrue();
        assertThat(isUnknown(await(ada.store.read(LEDGER, timeout())))).isTrue();
    }

    @Test
    void aLinearizableReadShowsWhatWasAcknowledgedBefore() {
        Store reader = connected();
        Actor ada = actor("ada");
        for (int i = 0; i < 10; i++) {
            Grant grant = ada.acquire(LEDGER);
            RoleView seen = done(reader.read(LEDGER, timeout()));
            if (reader.traits().linearizableReads()) {
                assertThat(seen.version()).isEqualTo(grant.version());
            } else {
                assertThat(seen.version()).isLessThanOrEqualTo(grant.version());
            }
        }
    }

    @Test
    void aStoreThatIsNoQuorumSaysSo() {
        Store store = connected();
        switch (store.traits().kind()) {
            case QUORUM -> assertThat(store.traits().warning()).isEmpty();
            case SINGLE_SERVER, SINGLE_HOST, IN_PROCESS ->
                assertThat(store.traits().warning()).isPresent();
        }
    }

    // C13, C14: names

    @Test
    void namesThatLookAlikeNeverMeet() {
        List<String> names = List.of(
                "role",
                "Role",
                "ROLE",
                "r\u00f4le",
                "role ",
                " role",
                "a/b",
                "a",
                "b",
                "..",
                ".",
                "%2F",
                "/",
                "%",
                "_",
                "r_le",
                "r%",
                "\u0431",
                "'",
                "\"",
                "\\",
                "\uD83D\uDC51",
                "-",
                "null",
                "x".repeat(200));
        Actor ada = actor("ada");
        Map<String, TermId> terms = new HashMap<>();
        for (String name : names) {
            Grant grant = ada.acquire(Role.of(name));
            assertThat(grant.token()).as("first token of '%s'", name).isEqualTo(FencingToken.FIRST);
            terms.put(name, grant.termId());
        }

        assertThat(ada.held()).hasSize(names.size());
        for (Grant grant : ada.held()) {
            assertThat(grant.termId()).isEqualTo(terms.get(grant.role().name()));
        }
        assertThat(done(ada.store.roles(timeout())).stream()
                        .map(view -> view.role().name()))
                .containsExactlyElementsOf(
                        names.stream().map(Role::of).sorted().map(Role::name).toList());
    }

    @Test
    void namespacesNeverSeeEachOther() {
        Actor here = actor("ada");
        Store elsewhere = connected(new Namespace(namespace.name() + "-other"));
        here.acquire(LEDGER);

        Actor there = actor("bob", elsewhere, lease());
        assertThat(there.read(LEDGER).lastToken()).isZero();
        assertThat(there.acquire(LEDGER).token()).isEqualTo(FencingToken.FIRST);
        gone(elsewhere.renew(here.session, timeout()));
        done(elsewhere.close(here.session, timeout()));
        assertThat(here.held()).hasSize(1);
        there.enlist(LEDGER);
        assertThat(refused(here.reserve(here.held().get(0), there.id, lease())))
                .isEqualTo(NotReserved.TARGET_NOT_CAMPAIGNING);
        assertThat(done(elsewhere.roles(timeout()))).hasSize(1);
    }

    @Test
    void aRoleThatTheStoreNeverHeardOfIsAbsent() {
        assertThat(done(connected().read(LEDGER, timeout()))).isEqualTo(RoleView.absent(LEDGER));
        assertThat(done(connected().roles(timeout()))).isEmpty();
    }

    // C15: many roles

    @Test
    void oneSessionHoldsManyRolesAndLosesThemInOneStep() {
        int inFlight = 64;
        Actor ada = actor("ada");
        acquireMany(ada, inFlight);
        assertThat(ada.held()).hasSize(manyRoles());

        passLease();
        Actor bob = actor("bob");
        bob.acquire(Role.of("many-0"));
        gone(ada.store.renew(ada.session, timeout()));
        acquireMany(bob, inFlight);

        assertThat(bob.held()).hasSize(manyRoles());
        Map<Role, FencingToken> held = new HashMap<>();
        bob.held().forEach(grant -> held.put(grant.role(), grant.token()));
        assertDigest(bob, held);
    }

    private void acquireMany(Actor actor, int inFlight) {
        List<CompletionStage<Answer<Grant, NotGranted>>> pending = new ArrayList<>();
        Map<Role, RoleView> views = new HashMap<>();
        done(actor.store.roles(timeout())).forEach(view -> views.put(view.role(), view));
        for (int i = 0; i < manyRoles(); i++) {
            Role role = Role.of("many-" + i);
            pending.add(actor.send(actor.requestOn(views.getOrDefault(role, RoleView.absent(role)))));
            if (pending.size() == inFlight) {
                actor.renew();
                pending.forEach(StoreContract::granted);
                pending.clear();
            }
        }
        pending.forEach(StoreContract::granted);
    }

    // what the tests above are made of

    /** A client in this test's own namespace. */
    protected final Store connected() {
        return connected(namespace);
    }

    private Store connected(Namespace inNamespace) {
        Store store = connect(inNamespace);
        clients.add(store);
        return store;
    }

    protected final void passLease() {
        pass(lease().plus(grantableAfterExpiry()));
    }

    private Actor actor(String name) {
        return actor(name, connected(), lease());
    }

    private Actor actor(String name, Store store, Duration lease) {
        Actor actor = new Actor(store, CandidateId.incarnationOf(name), lease);
        actor.storeId = done(actor.open()).storeId();
        return actor;
    }

    private Seen watch(Store store, Role role) {
        Seen seen = new Seen(new LinkedBlockingQueue<>());
        watches.add(store.watch(role, seen));
        return seen;
    }

    private static boolean isHeldBy(RoleView view, CandidateId candidate) {
        return !view.claimable()
                && view.holder()
                        .map(holder -> holder.candidate().equals(candidate))
                        .orElse(false);
    }

    private void assertDigest(Actor actor, Map<Role, FencingToken> held) {
        actor.renew().heldDigest().ifPresent(digest -> assertThat(digest).isEqualTo(HeldDigest.of(held)));
    }

    private <T> T await(CompletionStage<T> stage) {
        return awaited(stage);
    }

    private static <T> T awaited(CompletionStage<T> stage) {
        try {
            return stage.toCompletableFuture().get(30, TimeUnit.SECONDS);
        } catch (TimeoutException e) {
            throw new AssertionError("the call hangs", e);
        } catch (ExecutionException e) {
            throw new AssertionError("the call completed exceptionally", e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted", e);
        }
    }

    private static <D, R> D done(CompletionStage<Answer<D, R>> stage) {
        Answer<D, R> answer = awaited(stage);
        return answer.<Optional<D>>fold(Optional::of, why -> Optional.empty(), unknown -> Optional.empty())
                .orElseThrow(() -> unexpected(answer));
    }

    private static <D> D granted(CompletionStage<Answer<D, NotGranted>> stage) {
        return done(stage);
    }

    private static <D, R> R refused(CompletionStage<Answer<D, R>> stage) {
        Answer<D, R> answer = awaited(stage);
        return answer.<Optional<R>>fold(done -> Optional.empty(), Optional::of, unknown -> Optional.empty())
                .orElseThrow(() -> unexpected(answer));
    }

    private static <D, R> Optional<D> grantedOrNot(CompletionStage<Answer<D, R>> stage) {
        Answer<D, R> answer = awaited(stage);
        if (isUnknown(answer)) {
            throw unexpected(answer);
        }
        return answer.fold(Optional::of, why -> Optional.empty(), unknown -> Optional.empty());
    }

    private static <D> void gone(CompletionStage<Answer<D, SessionGone>> stage) {
        assertThat(refused(stage)).isEqualTo(SessionGone.INSTANCE);
    }

    private static boolean isUnknown(Answer<?, ?> answer) {
        return answer.<Boolean>fold(done -> false, refusal -> false, unknown -> true);
    }

    private static AssertionError unexpected(Object answer) {
        return new AssertionError("unexpected answer: " + answer);
    }

    /** One candidate with its session, which numbers its attempts. */
    private final class Actor {

        private static final Advertised ADDRESSES = new Advertised(
                Optional.of(URI.create("https://public.example/x")), Optional.of(URI.create("http://10.0.0.1:8080")));

        private final Store store;
        private final CandidateId id;
        private final Duration lease;
        private final SessionId session = SessionId.random();
        private StoreId storeId = new StoreId("not opened");
        private long attempts;

        Actor(Store store, CandidateId id, Duration lease) {
            this.store = store;
            this.id = id;
            this.lease = lease;
        }

        CompletionStage<Answer<Opened, dev.signet.store.StoreRefusal>> open() {
            return store.open(new OpenSession(session, id, ADDRESSES, lease), timeout());
        }

        Renewed renew() {
            return done(store.renew(session, timeout()));
        }

        void close() {
            assertThat(done(store.close(session, timeout()))).isEqualTo(Concluded.CONCLUDED);
        }

        RoleView enlist(Role role) {
            return done(store.enlist(session, role, timeout()));
        }

        RoleView read(Role role) {
            return done(store.read(role, timeout()));
        }

        List<Grant> held() {
            return done(store.held(session, timeout()));
        }

        Acquire request(Role role) {
            return requestOn(read(role));
        }

        Acquire requestOn(RoleView seen) {
            return new Acquire(session, seen.role(), ++attempts, TermId.random(), 0, seen.version());
        }

        CompletionStage<Answer<Grant, NotGranted>> send(Acquire request) {
            return store.acquire(request, timeout());
        }

        Grant acquire(Role role) {
            return granted(send(request(role)));
        }

        Grant acquireAbove(Role role, long floor) {
            return granted(send(new Acquire(
                    session,
                    role,
                    ++attempts,
                    TermId.random(),
                    floor,
                    read(role).version())));
        }

        void release(Role role) {
            done(store.release(new Release(session, role, attempts, read(role).version()), timeout()));
        }

        CompletionStage<Answer<RoleView, NotReserved>> reserve(Grant grant, CandidateId target, Duration window) {
            return store.reserve(new Reserve(session, grant.role(), grant.attempt(), target, window), timeout());
        }
    }

    /** What a watcher saw, in order. */
    private static final class Seen implements WatchObserver {

        private final BlockingQueue<RoleView> views;
        private final List<RoleView> history = new ArrayList<>();

        Seen(BlockingQueue<RoleView> views) {
            this.views = views;
        }

        @Override
        public void observed(RoleView view) {
            views.add(view);
        }

        @Override
        public void broken(String cause) {}

        RoleView next() {
            try {
                RoleView view = views.poll(30, TimeUnit.SECONDS);
                if (view == null) {
                    throw new AssertionError("the watcher heard nothing more after " + history);
                }
                history.add(view);
                return view;
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new AssertionError("interrupted", e);
            }
        }

        RoleView until(Predicate<RoleView> condition) {
            RoleView view = next();
            while (!condition.test(view)) {
                view = next();
            }
            return view;
        }

        List<RoleView> history() {
            return List.copyOf(history);
        }
    }
}
