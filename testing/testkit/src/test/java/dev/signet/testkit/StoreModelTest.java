package dev.signet.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.signet.Advertised;
import dev.signet.Answer;
import dev.signet.CandidateId;
import dev.signet.FencingToken;
import dev.signet.Role;
import dev.signet.StoreId;
import dev.signet.TermId;
import dev.signet.store.Acquire;
import dev.signet.store.Grant;
import dev.signet.store.NotGranted.Reason;
import dev.signet.store.OpenSession;
import dev.signet.store.Release;
import dev.signet.store.Reserve;
import dev.signet.store.RoleView;
import dev.signet.store.SessionId;
import dev.signet.store.StoreRefusal;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

/** What the reference store does beyond the contract of every store, and where the contract leaves a choice. */
final class StoreModelTest {

    private static final Role ROLE = Role.of("ledger");
    private static final long SECOND = 1_000_000_000;
    private static final long LEASE = 15 * SECOND;

    private final StoreId storeId = new StoreId("first");
    private final StoreModel store = new StoreModel(storeId);
    private final SessionId ada = new SessionId("ada");
    private final SessionId bob = new SessionId("bob");

    @Test
    void aLeaseThatRanOutIsStillRenewedWhileNobodyRecordedItsEnd() {
        open(ada, 0);
        acquire(ada, 1, 0);

        assertThat(isDone(store.renew(ada, LEASE + 1))).isTrue();
        store.sweep(LEASE + 2);

        assertThat(done(store.held(ada, LEASE + 2))).hasSize(1);
    }

    @Test
    void whatTheSweepRecordedIsFinal() {
        open(ada, 0);
        acquire(ada, 1, 0);

        store.sweep(LEASE - 1);
        assertThat(isDone(store.held(ada, LEASE - 1))).isTrue();
        store.sweep(LEASE);

        assertThat(isDone(store.renew(ada, LEASE))).isFalse();
        assertThat(read(LEASE).claimable()).isTrue();
        assertThat(read(LEASE).holder()).isPresent();
    }

    @Test
    void anAcquireThatFindsTheLeaseOverRecordsTheEnd() {
        open(ada, 0);
        Grant first = acquire(ada, 1, 0);
        open(bob, LEASE);

        Grant second = acquire(bob, 1, LEASE);

        assertThat(second.token()).isEqualTo(FencingToken.of(2));
        assertThat(second.version()).isEqualTo(first.version() + 1);
        assertThat(isDone(store.renew(ada, LEASE))).isFalse();
    }

    @Test
    void anOpeningThatArrivesAgainRenews() {
        open(ada, 0);
        acquire(ada, 1, 0);
        open(ada, 10 * SECOND);

        store.sweep(20 * SECOND);

        assertThat(done(store.held(ada, 20 * SECOND))).hasSize(1);
    }

    @Test
    void anOpeningThatArrivesAfterTheEndOpensNothing() {
        open(ada, 0);
        acquire(ada, 1, 0);
        store.sweep(LEASE);

        assertThat(refusedOpening(ada, LEASE)).contains(StoreRefusal.Kind.SESSION_ENDED);
        assertThat(read(LEASE).claimable()).isTrue();
    }

    @Test
    void aSessionThatWasClosedBeforeItWasOpenedNeverOpens() {
        store.close(ada);

        assertThat(refusedOpening(ada, 0)).contains(StoreRefusal.Kind.SESSION_ENDED);
    }

    @Test
    void whoWasToldThatASessionIsGoneIsToldSoForEver() {
        assertThat(isDone(store.renew(ada, 0))).isFalse();

        assertThat(refusedOpening(ada, 0)).contains(StoreRefusal.Kind.SESSION_ENDED);
    }

    @Test
    void leasesOfNothingAndOfMoreThanAnHourAreRefused() {
        for (Duration lease : new Duration[] {Duration.ZERO, Duration.ofSeconds(-1), Duration.ofHours(2)}) {
            Answer<?, StoreRefusal> answer = store.open(opening(ada, lease), 0);
            assertThat(answer.<StoreRefusal.Kind>fold(done -> null, StoreRefusal::kind, unknown -> null))
                    .isEqualTo(StoreRefusal.Kind.LEASE_OUT_OF_RANGE);
        }
    }

    @Test
    void anAttemptThatWasRefusedStaysRefusedThoughTheRecordHasNotMoved() {
        open(ada, 0);
        acquire(ada, 1, 0);
        open(bob, 10 * SECOND);
        Acquire refused = request(bob, 1, 10 * SECOND);
        assertThat(refusal(store.acquire(refused, 10 * SECOND))).contains(Reason.HELD);
        store.sweep(LEASE);
        assertThat(read(LEASE).version()).isEqualTo(refused.expectedVersion());

        assertThat(refusal(store.acquire(refused, LEASE))).contains(Reason.MOVED);

        assertThat(done(store.held(bob, LEASE))).isEmpty();
        assertThat(acquire(bob, 2, LEASE).token()).isEqualTo(FencingToken.of(2));
    }

    @Test
    void aViewSaysWhenTheRoleMayBeFree() {
        open(ada, 0);
        acquire(ada, 1, 0);

        assertThat(read(5 * SECOND).claimableIn()).contains(Duration.ofSeconds(10));
        assertThat(read(LEASE).claimableIn()).isEmpty();
        assertThat(read(LEASE).claimable()).isTrue();
    }

    @Test
    void aReservationStaysWhenItsTargetWithdrawsAndEndsWithTheSessionItWasMadeFor() {
        open(ada, 0);
        open(bob, 0);
        store.enlist(bob, ROLE, 0);
        Grant grant = acquire(ada, 1, 0);
        done(store.reserve(new Reserve(ada, ROLE, 1, candidate(bob), Duration.ofSeconds(9)), 0));
        done(store.release(new Release(ada, ROLE, 1, grant.version()), 0));

        store.withdraw(bob, ROLE);
        assertThat(refusal(store.acquire(request(ada, 2, 0), 0))).contains(Reason.HELD);
        store.close(bob);
        open(new SessionId("bob again"), candidate(bob), 0);

        assertThat(acquire(ada, 3, 0).token()).isEqualTo(FencingToken.of(2));
    }

    @Test
    void aHolderThatAcquiresAgainIsHeldToTheReservationItMade() {
        open(ada, 0);
        open(bob, 0);
        store.enlist(bob, ROLE, 0);
        Grant grant = acquire(ada, 1, 0);
        done(store.reserve(new Reserve(ada, ROLE, 1, candidate(bob), Duration.ofSeconds(9)), 0));

        assertThat(refusal(store.acquire(request(ada, 2, 0), 0))).contains(Reason.HELD);
        assertThat(done(store.held(ada, 0))).containsExactly(grant);
    }

    @Test
    void watchersHearOfWritesOfEndsAndOfWindowsThatPassed() {
        Role other = Role.of("another");
        open(ada, 0);
        open(bob, 0);
        store.enlist(bob, ROLE, 0);
        assertThat(store.takeChanged()).isEmpty();
        acquire(ada, 1, 0);
        done(store.acquire(new Acquire(ada, other, 1, new TermId(0, 1), 0, 0), 0));
        assertThat(store.takeChanged()).containsExactly(other, ROLE);
        assertThat(store.takeChanged()).isEmpty();

        done(store.reserve(new Reserve(ada, ROLE, 1, candidate(bob), Duration.ofSeconds(3)), 0));
        assertThat(store.takeChanged()).containsExactly(ROLE);
        assertThat(store.nextDueNanos()).isEqualTo(OptionalLong.of(3 * SECOND));
        store.sweep(3 * SECOND);
        assertThat(store.takeChanged()).containsExactly(ROLE);

        assertThat(store.nextDueNanos()).isEqualTo(OptionalLong.of(LEASE));
        store.renew(ada, 3 * SECOND);
        store.sweep(LEASE);
        assertThat(store.takeChanged()).isEmpty();
        store.sweep(LEASE + 3 * SECOND);
        assertThat(store.takeChanged()).containsExactly(other, ROLE);
        assertThat(store.nextDueNanos()).isEmpty();
    }

    @Test
    void aRestoredStoreHasForgottenWhatItGrantedSince() {
        open(ada, 0);
        StoreModel.Snapshot backup = store.snapshot();
        Grant forgotten = acquire(ada, 1, 0);
        store.close(ada);
        store.takeChanged();

        store.restore(backup);

        assertThat(store.takeChanged()).containsExactly(ROLE);
        assertThat(done(store.held(ada, 0))).isEmpty();
        assertThat(acquire(ada, 2, 0).token()).isEqualTo(forgotten.token());
        assertThat(store.storeId()).isEqualTo(storeId);
    }

    @Test
    void aBackupIsNotTouchedByWhatHappensAfterwards() {
        open(ada, 0);
        Grant grant = acquire(ada, 1, 0);
        StoreModel.Snapshot backup = store.snapshot();
        done(store.release(new Release(ada, ROLE, 1, grant.version()), 0));
        store.restore(backup);
        done(store.release(new Release(ada, ROLE, 1, grant.version()), 0));

        store.restore(backup);

        assertThat(done(store.held(ada, 0))).containsExactly(grant);
    }

    @Test
    void aWipedStoreIsAnotherStore() {
        open(ada, 0);
        acquire(ada, 1, 0);
        store.takeChanged();

        store.wipe(new StoreId("second"));

        assertThat(store.takeChanged()).containsExactly(ROLE);
        assertThat(isDone(store.renew(ada, 0))).isFalse();
        assertThat(read(0)).isEqualTo(RoleView.absent(ROLE));
        open(bob, 0);
        assertThat(acquire(bob, 1, 0).storeId()).isEqualTo(new StoreId("second"));
    }

    @Test
    void aForgottenRoleIsHeldByNobody() {
        open(ada, 0);
        acquire(ada, 1, 0);

        store.forget(ROLE);

        assertThat(read(0)).isEqualTo(RoleView.absent(ROLE));
        assertThat(done(store.held(ada, 0))).isEmpty();
    }

    @Test
    void afterAChangeOfTheStoresOwnLeaderEachSessionHasAFullLease() {
        open(ada, 0);
        acquire(ada, 1, 0);

        store.leaseAnew(14 * SECOND);
        store.sweep(14 * SECOND + LEASE - 1);

        assertThat(read(14 * SECOND + LEASE - 1).claimable()).isFalse();
        assertThat(read(14 * SECOND + LEASE).claimable()).isTrue();
    }

    @Test
    void timeMayStartAnywhereAndOverflow() {
        long origin = Long.MAX_VALUE - SECOND;
        open(ada, origin);
        acquire(ada, 1, origin);

        store.sweep(origin + LEASE - 1);
        assertThat(read(origin + LEASE - 1).claimable()).isFalse();
        assertThat(store.nextDueNanos()).isEqualTo(OptionalLong.of(origin + LEASE));
        assertThat(read(origin + LEASE).claimable()).isTrue();
    }

    private void open(SessionId session, long now) {
        open(session, candidate(session), now);
    }

    private void open(SessionId session, CandidateId candidate, long now) {
        done(store.open(new OpenSession(session, candidate, Advertised.NOTHING, Duration.ofNanos(LEASE)), now));
    }

    private Optional<StoreRefusal.Kind> refusedOpening(SessionId session, long now) {
        return store.open(opening(session, Duration.ofNanos(LEASE)), now)
                .fold(done -> Optional.empty(), why -> Optional.of(why.kind()), unknown -> Optional.empty());
    }

    private static OpenSession opening(SessionId session, Duration lease) {
        return new OpenSession(session, candidate(session), Advertised.NOTHING, lease);
    }

    private Grant acquire(SessionId session, long attempt, long now) {
        return done(store.acquire(request(session, attempt, now), now));
    }

    private Acquire request(SessionId session, long attempt, long now) {
        return new Acquire(
                session, ROLE, attempt, new TermId(attempt, 0), 0, read(now).version());
    }

    private RoleView read(long now) {
        return done(store.read(ROLE, now));
    }

    private static CandidateId candidate(SessionId session) {
        return new CandidateId(session.value(), "1");
    }

    private static <R> Optional<Reason> refusal(Answer<R, dev.signet.store.NotGranted> answer) {
        return answer.fold(done -> Optional.empty(), why -> Optional.of(why.reason()), unknown -> Optional.empty());
    }

    private static <D, R> boolean isDone(Answer<D, R> answer) {
        return answer.fold(done -> true, refused -> false, unknown -> false);
    }

    private static <D, R> D done(Answer<D, R> answer) {
        return answer.fold(
                done -> done,
                refused -> {
                    throw new AssertionError("refused: " + refused);
                },
                unknown -> {
                    throw new AssertionError("unknown: " + unknown);
                });
    }
}
