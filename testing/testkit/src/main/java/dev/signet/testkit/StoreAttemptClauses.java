package dev.signet.testkit;

import static dev.signet.testkit.Answers.done;
import static dev.signet.testkit.Answers.refused;
import static org.assertj.core.api.Assertions.assertThat;

import dev.signet.FencingToken;
import dev.signet.TermId;
import dev.signet.store.Acquire;
import dev.signet.store.Grant;
import dev.signet.store.NotGranted;
import dev.signet.store.Release;
import dev.signet.store.RoleView;
import org.junit.jupiter.api.Test;

/** Requests that are repeated, arrive late or were given up: C6, C7 and C16. */
abstract class StoreAttemptClauses extends StoreLeaseClauses {

    @Test
    @Checks(StoreClause.C7)
    void theSameAttemptIsGivenTheSameGrantAgain() {
        StoreActor ada = actor("ada");
        Acquire request = ada.request(LEDGER);
        Grant first = done(ada.send(request));

        assertThat(done(ada.send(request))).isEqualTo(first);
        assertThat(ada.read(LEDGER).lastToken()).isEqualTo(1);
    }

    @Test
    @Checks(StoreClause.C7)
    void anAttemptIsRefusedOnceItsGrantIsReleased() {
        StoreActor ada = actor("ada");
        Acquire request = ada.request(LEDGER);
        done(ada.send(request));
        ada.release(LEDGER);

        refused(ada.send(request));
        RoleView now = ada.read(LEDGER);
        assertThat(refused(ada.send(new Acquire(
                                ada.session(), LEDGER, request.attempt(), TermId.random(), 0, now.version())))
                        .reason())
                .isEqualTo(NotGranted.Reason.RELEASED);
        assertThat(ada.read(LEDGER).claimable()).isTrue();
    }

    @Test
    @Checks(StoreClause.C16)
    void anAcquireThatArrivesAfterItsReleaseCreatesNoGrant() {
        StoreActor ada = actor("ada");
        Acquire late = ada.request(LEDGER);
        RoleView freed = done(ada.store()
                .release(new Release(ada.session(), LEDGER, late.attempt(), late.expectedVersion()), timeout()));
        assertThat(freed.version()).isGreaterThan(late.expectedVersion());

        refused(ada.send(late));

        assertThat(ada.held()).isEmpty();
        assertThat(ada.acquire(LEDGER).token()).isEqualTo(FencingToken.FIRST);
    }

    @Test
    @Checks({StoreClause.C7, StoreClause.C16})
    void aReleasedAttemptStaysRefusedAfterOthersHeldTheRole() {
        StoreActor ada = actor("ada");
        Acquire late = ada.request(LEDGER);
        done(ada.store()
                .release(new Release(ada.session(), LEDGER, late.attempt(), late.expectedVersion()), timeout()));
        StoreActor bob = actor("bob");
        bob.acquire(LEDGER);
        bob.release(LEDGER);
        RoleView now = ada.read(LEDGER);

        NotGranted refusal =
                refused(ada.send(new Acquire(ada.session(), LEDGER, late.attempt(), late.termId(), 0, now.version())));

        assertThat(refusal.reason()).isEqualTo(NotGranted.Reason.RELEASED);
    }

    @Test
    @Checks(StoreClause.C16)
    void anAcquireDecidedOnAnOlderRecordIsRefused() {
        StoreActor ada = actor("ada");
        Acquire old = ada.request(LEDGER);
        StoreActor bob = actor("bob");
        bob.acquire(LEDGER);
        bob.release(LEDGER);

        NotGranted refusal = refused(ada.send(old));

        assertThat(refusal.reason()).isEqualTo(NotGranted.Reason.MOVED);
        assertThat(refusal.view().version()).isGreaterThan(old.expectedVersion());
        assertThat(ada.held()).isEmpty();
    }

    @Test
    @Checks(StoreClause.C16)
    void anAcquireThatWasRefusedStaysRefusedWhenItArrivesAgain() {
        StoreActor ada = actor("ada");
        ada.acquire(LEDGER);
        StoreActor bob = actor("bob");
        Acquire refused = bob.request(LEDGER);
        assertThat(refused(bob.send(refused)).reason()).isEqualTo(NotGranted.Reason.HELD);
        ada.close();

        refused(bob.send(refused));

        assertThat(bob.held()).isEmpty();
        assertThat(bob.acquire(LEDGER).token()).isEqualTo(FencingToken.of(2));
    }

    @Test
    @Checks(StoreClause.C16)
    void anAcquireThatArrivesAfterItsSessionClosedCreatesNoGrant() {
        StoreActor ada = actor("ada");
        Acquire late = ada.request(LEDGER);
        ada.close();

        NotGranted refusal = refused(ada.send(late));

        assertThat(refusal.reason()).isEqualTo(NotGranted.Reason.SESSION_GONE);
        assertThat(actor("bob").acquire(LEDGER).token()).isEqualTo(FencingToken.FIRST);
    }

    @Test
    @Checks(StoreClause.C6)
    void aReleaseIsIdempotent() {
        StoreActor ada = actor("ada");
        Grant grant = ada.acquire(LEDGER);
        Release release = new Release(ada.session(), LEDGER, grant.attempt(), grant.version());
        RoleView first = done(ada.store().release(release, timeout()));
        assertThat(first.claimable()).isTrue();
        assertThat(first.version()).isGreaterThan(grant.version());

        RoleView second = done(ada.store().release(release, timeout()));

        assertThat(second.version()).isEqualTo(first.version());
        assertThat(ada.held()).isEmpty();
    }

    @Test
    @Checks(StoreClause.C6)
    void aReleaseNeverTouchesAnothersGrant() {
        StoreActor ada = actor("ada");
        Grant old = ada.acquire(LEDGER);
        ada.release(LEDGER);
        StoreActor bob = actor("bob");
        Grant grant = bob.acquire(LEDGER);

        done(ada.store().release(new Release(ada.session(), LEDGER, old.attempt() + 9, old.version()), timeout()));

        assertThat(bob.held()).containsExactly(grant);
        assertThat(ada.read(LEDGER).version()).isEqualTo(grant.version());
    }

    @Test
    @Checks(StoreClause.C6)
    void aReleaseThatArrivesLateDoesNotEndANewerAttempt() {
        StoreActor ada = actor("ada");
        Grant first = ada.acquire(LEDGER);
        Grant second = ada.acquire(LEDGER);

        done(ada.store().release(new Release(ada.session(), LEDGER, first.attempt(), first.version()), timeout()));

        assertThat(ada.held()).containsExactly(second);
    }

    @Test
    @Checks(StoreClause.C6)
    void aReleaseByASessionThatIsGoneChangesNobodysGrant() {
        StoreActor ada = actor("ada");
        Grant old = ada.acquire(LEDGER);
        passLease();
        StoreActor bob = actor("bob");
        Grant grant = bob.acquire(LEDGER);

        done(ada.store().release(new Release(ada.session(), LEDGER, old.attempt(), old.version()), timeout()));

        assertThat(bob.held()).containsExactly(grant);
    }
}
