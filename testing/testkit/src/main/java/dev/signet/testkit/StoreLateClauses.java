package dev.signet.testkit;

import static dev.signet.testkit.Answers.await;
import static dev.signet.testkit.Answers.done;
import static dev.signet.testkit.Answers.gone;
import static dev.signet.testkit.Answers.isUnknown;
import static dev.signet.testkit.Answers.refused;
import static org.assertj.core.api.Assertions.assertThat;

import dev.signet.Answer;
import dev.signet.CandidateId;
import dev.signet.FencingToken;
import dev.signet.TermId;
import dev.signet.store.Acquire;
import dev.signet.store.Concluded;
import dev.signet.store.Grant;
import dev.signet.store.NotGranted;
import dev.signet.store.NotReserved;
import dev.signet.store.OpenSession;
import dev.signet.store.Release;
import dev.signet.store.RoleView;
import dev.signet.store.SessionGone;
import dev.signet.store.SessionId;
import dev.signet.store.StoreRefusal;
import java.util.Arrays;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/**
 * Requests that are late, doubled, or whose answers are lost, on a {@link LateStore} before the store under test: C16, and
 * C17 where it is a renewal that is late. Whatever arrives, a session holds what its candidate knows of, and the next token
 * is one more.
 */
abstract class StoreLateClauses extends StoreAttemptClauses {

    /** A candidate at the end of a way that the test disturbs. */
    private record Far(LateStore way, StoreActor actor) {}

    private Far far(String name) {
        LateStore way = new LateStore(connected());
        return new Far(way, actor(name, way, aLease()));
    }

    private void holds(StoreActor actor, Grant... known) {
        assertThat(actor.held()).containsExactlyInAnyOrder(known);
        assertDigest(actor, Arrays.stream(known).collect(Collectors.toMap(Grant::role, Grant::token)));
    }

    private static Release releaseOf(Acquire given) {
        return new Release(given.session(), given.role(), given.attempt(), given.expectedVersion());
    }

    @Test
    @Checks(StoreClause.C16)
    void anAcquireThatIsDeliveredAfterItsCallerReleasedIsNoGrant() {
        Far ada = far("ada");
        LateStore.Delivery late = ada.way.keepNext(Call.ACQUIRE);
        Acquire request = ada.actor.request(LEDGER);
        assertThat(isUnknown(await(ada.actor.send(request)))).isTrue();
        done(ada.way.release(releaseOf(request), timeout()));

        await(late.arrive());
        await(late.arrive());

        holds(ada.actor);
        assertThat(actor("bob").acquire(LEDGER).token()).isEqualTo(FencingToken.FIRST);
    }

    @Test
    @Checks(StoreClause.C16)
    void aCopyOfAnAcquireThatIsDeliveredAfterItsReleaseIsNoGrant() {
        Far ada = far("ada");
        LateStore.Delivery copy = ada.way.copyNext(Call.ACQUIRE);
        ada.actor.acquire(LEDGER);
        ada.actor.release(LEDGER);

        await(copy.arrive());

        holds(ada.actor);
        Grant next = actor("bob").acquire(LEDGER);
        assertThat(next.token()).isEqualTo(FencingToken.of(2));
        await(copy.arrive());
        holds(ada.actor);
        assertThat(ada.actor.read(LEDGER).version()).isEqualTo(next.version());
    }

    @Test
    @Checks(StoreClause.C16)
    void aCopyOfARefusedAcquireIsNoGrantAfterTheHolderClosed() {
        aCopyOfARefusedAcquireIsNoGrantAfter(StoreActor::close);
    }

    @Test
    @Checks(StoreClause.C16)
    void aCopyOfARefusedAcquireIsNoGrantAfterTheHoldersLease() {
        aCopyOfARefusedAcquireIsNoGrantAfter(holder -> {});
    }

    private void aCopyOfARefusedAcquireIsNoGrantAfter(Consumer<StoreActor> end) {
        StoreActor holder = actor("holder");
        holder.acquire(LEDGER);
        Far ada = far("ada");
        LateStore.Delivery copy = ada.way.copyNext(Call.ACQUIRE);
        assertThat(refused(ada.actor.send(ada.actor.request(LEDGER))).reason()).isEqualTo(NotGranted.Reason.HELD);
        end.accept(holder);
        letPass(tenths(7));
        ada.actor.renew();
        letPass(tenths(3).plus(grantableAfterExpiry()));

        await(copy.arrive());

        holds(ada.actor);
        assertThat(ada.actor.acquire(LEDGER).token()).isEqualTo(FencingToken.of(2));
    }

    @Test
    @Checks({StoreClause.C7, StoreClause.C16})
    void aGrantWhoseAnswerWasLostIsGivenToWhoAsksAgain() {
        Far ada = far("ada");
        ada.way.muteNext(Call.ACQUIRE);
        Acquire request = ada.actor.request(LEDGER);
        assertThat(isUnknown(await(ada.actor.send(request)))).isTrue();

        Grant grant = done(ada.actor.send(request));

        assertThat(grant.token()).isEqualTo(FencingToken.FIRST);
        assertThat(grant.termId()).isEqualTo(request.termId());
        assertThat(done(ada.actor.send(request))).isEqualTo(grant);
        holds(ada.actor, grant);
        assertThat(ada.actor.read(LEDGER).lastToken()).isEqualTo(1);
    }

    @Test
    @Checks(StoreClause.C16)
    void aGrantWhoseAnswerWasLostIsToldByTheNextRenewalAndByWhatIsHeld() {
        Far ada = far("ada");
        ada.way.muteNext(Call.ACQUIRE);
        Acquire request = ada.actor.request(LEDGER);
        assertThat(isUnknown(await(ada.actor.send(request)))).isTrue();

        assertDigest(ada.actor, Map.of(LEDGER, FencingToken.FIRST));
        assertThat(ada.actor.held()).singleElement().satisfies(grant -> {
            assertThat(grant.termId()).isEqualTo(request.termId());
            assertThat(grant.attempt()).isEqualTo(request.attempt());
        });
        done(ada.way.release(releaseOf(request), timeout()));
        holds(ada.actor);
    }

    @Test
    @Checks(StoreClause.C16)
    void anAcquireThatIsDeliveredWhileANewerOneStandsChangesNothing() {
        Far ada = far("ada");
        LateStore.Delivery late = ada.way.keepNext(Call.ACQUIRE);
        assertThat(isUnknown(await(ada.actor.send(ada.actor.request(LEDGER))))).isTrue();
        Grant newer = ada.actor.acquire(LEDGER);

        await(late.arrive());

        holds(ada.actor, newer);
        assertThat(ada.actor.read(LEDGER).version()).isEqualTo(newer.version());
    }

    @Test
    @Checks({StoreClause.C6, StoreClause.C16})
    void aReleaseWhoseAnswerWasLostIsAskedAgainWithoutHarmToASuccessor() {
        Far ada = far("ada");
        Grant old = ada.actor.acquire(LEDGER);
        Release release = new Release(ada.actor.session(), LEDGER, old.attempt(), old.version());
        LateStore.Delivery muted = ada.way.muteNext(Call.RELEASE);
        assertThat(isUnknown(await(ada.way.release(release, timeout())))).isTrue();
        StoreActor bob = actor("bob");
        Grant grant = bob.acquire(LEDGER);

        done(ada.way.release(release, timeout()));
        await(muted.arrive());

        holds(bob, grant);
        assertThat(bob.read(LEDGER).version()).isEqualTo(grant.version());
    }

    @Test
    @Checks({StoreClause.C6, StoreClause.C16})
    void aCopyOfAReleaseDoesNotEndTheNextGrantOfTheSameCandidate() {
        Far ada = far("ada");
        ada.actor.acquire(LEDGER);
        LateStore.Delivery copy = ada.way.copyNext(Call.RELEASE);
        ada.actor.release(LEDGER);
        Grant next = ada.actor.acquire(LEDGER);

        await(copy.arrive());

        holds(ada.actor, next);
    }

    @Test
    @Checks({StoreClause.C9, StoreClause.C16})
    void aTransferThatIsDeliveredAfterTheReleaseReservesNothing() {
        StoreActor bob = actor("bob");
        bob.enlist(LEDGER);
        Far ada = far("ada");
        Grant grant = ada.actor.acquire(LEDGER);
        LateStore.Delivery late = ada.way.keepNext(Call.RESERVE);
        assertThat(isUnknown(await(ada.actor.reserve(grant, bob.id(), aLease()))))
                .isTrue();
        ada.actor.release(LEDGER);

        assertThat(refusal(await(late.arrive()))).isEqualTo(NotReserved.NOT_HOLDER);

        RoleView view = ada.actor.read(LEDGER);
        assertThat(view.reservation()).isEmpty();
        assertThat(actor("eve").acquire(LEDGER).token()).isEqualTo(FencingToken.of(2));
    }

    @Test
    @Checks({StoreClause.C5, StoreClause.C17})
    void aRenewalThatIsDeliveredAfterTheTakeoverIsGone() {
        Far ada = far("ada");
        ada.actor.acquire(LEDGER);
        LateStore.Delivery late = ada.way.keepNext(Call.RENEW);
        assertThat(isUnknown(await(ada.way.renew(ada.actor.session(), timeout()))))
                .isTrue();
        passLease();
        StoreActor bob = actor("bob");
        Grant grant = bob.acquire(LEDGER);

        assertThat(refusal(await(late.arrive()))).isEqualTo(SessionGone.INSTANCE);

        gone(ada.way.renew(ada.actor.session(), timeout()));
        holds(bob, grant);
    }

    @Test
    @Checks(StoreClause.C16)
    void anOpenThatIsDeliveredAfterItsCloseOpensNothing() {
        LateStore way = new LateStore(connected());
        SessionId session = SessionId.random();
        CandidateId id = CandidateId.incarnationOf("ada");
        LateStore.Delivery late = way.keepNext(Call.OPEN);
        assertThat(isUnknown(await(way.open(new OpenSession(session, id, StoreActor.ADDRESSES, aLease()), timeout()))))
                .isTrue();
        assertThat(done(way.close(session, timeout()))).isEqualTo(Concluded.CONCLUDED);

        assertThat(refusal(await(late.arrive())))
                .isInstanceOfSatisfying(
                        StoreRefusal.class, why -> assertThat(why.kind()).isEqualTo(StoreRefusal.Kind.SESSION_ENDED));

        gone(way.renew(session, timeout()));
        Acquire acquire = new Acquire(session, LEDGER, 1, TermId.random(), 0, 0);
        assertThat(refused(way.acquire(acquire, timeout())).reason()).isEqualTo(NotGranted.Reason.SESSION_GONE);
    }

    @Test
    @Checks(StoreClause.C16)
    void aCloseWhoseAnswerWasLostIsAskedAgain() {
        Far ada = far("ada");
        ada.actor.acquire(LEDGER);
        LateStore.Delivery muted = ada.way.muteNext(Call.CLOSE);
        assertThat(isUnknown(await(ada.way.close(ada.actor.session(), timeout()))))
                .isTrue();
        StoreActor bob = actor("bob");
        Grant grant = bob.acquire(LEDGER);

        ada.actor.close();
        await(muted.arrive());

        holds(bob, grant);
        assertThat(grant.token()).isEqualTo(FencingToken.of(2));
    }

    private static Object refusal(Answer<?, ?> answer) {
        Function<Object, Object> other = what -> "no refusal: " + answer;
        return answer.fold(other, why -> (Object) why, unknown -> other.apply(unknown));
    }
}
