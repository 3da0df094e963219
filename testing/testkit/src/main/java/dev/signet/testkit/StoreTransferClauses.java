package dev.signet.testkit;

import static dev.signet.testkit.Answers.done;
import static dev.signet.testkit.Answers.gone;
import static dev.signet.testkit.Answers.refused;
import static org.assertj.core.api.Assertions.assertThat;

import dev.signet.CandidateId;
import dev.signet.FencingToken;
import dev.signet.Role;
import dev.signet.store.Grant;
import dev.signet.store.NotGranted;
import dev.signet.store.NotReserved;
import dev.signet.store.RoleView;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Roles that are kept for a successor: C9. */
abstract class StoreTransferClauses extends StoreLateClauses {

    @Test
    @Checks(StoreClause.C9)
    void aReservedRoleIsGrantedToItsTargetOnly() {
        StoreActor ada = actor("ada");
        StoreActor bob = actor("bob");
        StoreActor eve = actor("eve");
        bob.enlist(LEDGER);
        eve.enlist(LEDGER);
        Grant grant = ada.acquire(LEDGER);

        RoleView reserved = done(ada.reserve(grant, bob.id(), aLease().multipliedBy(9)));
        assertThat(reserved.version()).isGreaterThan(grant.version());
        assertThat(reserved.reservation().orElseThrow().target()).isEqualTo(bob.id());
        assertThat(ada.held().get(0).token()).isEqualTo(grant.token());
        ada.release(LEDGER);

        assertThat(refused(eve.send(eve.request(LEDGER))).reason()).isEqualTo(NotGranted.Reason.HELD);
        assertThat(refused(ada.send(ada.request(LEDGER))).reason()).isEqualTo(NotGranted.Reason.HELD);
        assertThat(ada.read(LEDGER).isOpenTo(bob.id())).isTrue();
        assertThat(ada.read(LEDGER).isOpenTo(eve.id())).isFalse();
        assertThat(bob.acquire(LEDGER).token()).isEqualTo(FencingToken.of(2));
        assertThat(bob.read(LEDGER).reservation()).isEmpty();
    }

    @Test
    @Checks({StoreClause.C6, StoreClause.C9})
    void aTransferAskedTwiceIsOneTransfer() {
        StoreActor ada = actor("ada");
        StoreActor bob = actor("bob");
        bob.enlist(LEDGER);
        Grant grant = ada.acquire(LEDGER);

        done(ada.reserve(grant, bob.id(), tenths(5)));
        RoleView again = done(ada.reserve(grant, bob.id(), tenths(5)));

        assertThat(again.reservation().orElseThrow().target()).isEqualTo(bob.id());
        assertThat(ada.held().get(0).token()).isEqualTo(grant.token());
        ada.release(LEDGER);
        assertThat(bob.acquire(LEDGER).token()).isEqualTo(FencingToken.of(2));
        assertThat(refused(ada.reserve(grant, bob.id(), tenths(5)))).isEqualTo(NotReserved.NOT_HOLDER);
    }

    @Test
    @Checks(StoreClause.C9)
    void afterTheWindowAReservedRoleIsOpenToAll() {
        StoreActor ada = actor("ada");
        StoreActor bob = actor("bob");
        bob.enlist(LEDGER);
        Grant grant = ada.acquire(LEDGER);
        done(ada.reserve(grant, bob.id(), aLease().dividedBy(4)));
        ada.release(LEDGER);

        letPass(aLease().dividedBy(4).plus(grantableAfterExpiry()));

        assertThat(actor("eve").acquire(LEDGER).token()).isEqualTo(FencingToken.of(2));
    }

    @Test
    @Checks(StoreClause.C9)
    void whenTheTargetsSessionEndsAReservedRoleIsOpenToAll() {
        StoreActor ada = actor("ada");
        StoreActor bob = actor("bob");
        bob.enlist(LEDGER);
        Grant grant = ada.acquire(LEDGER);
        done(ada.reserve(grant, bob.id(), aLease().dividedBy(2)));
        ada.release(LEDGER);

        bob.close();

        assertThat(ada.acquire(LEDGER).token()).isEqualTo(FencingToken.of(2));
    }

    @Test
    @Checks({StoreClause.C5, StoreClause.C9})
    void aTargetWhoseLeaseWasTakenForOverIsGone() {
        StoreActor ada = actor("ada");
        StoreActor bob = actor("bob");
        bob.enlist(LEDGER);
        Grant grant = ada.acquire(LEDGER);
        done(ada.reserve(grant, bob.id(), aLease().multipliedBy(3)));
        ada.release(LEDGER);
        passLease();

        actor("eve").acquire(LEDGER);

        gone(bob.store().renew(bob.session(), timeout()));
    }

    @Test
    @Checks({StoreClause.C9, StoreClause.C14})
    void whoCampaignsIsToldAndNobodyElse() {
        StoreActor ada = actor("ada");
        StoreActor bob = actor("bob");
        actor("idle");
        StoreActor withdrawn = actor("withdrawn");
        withdrawn.enlist(LEDGER);
        done(withdrawn.store().withdraw(withdrawn.session(), LEDGER, timeout()));
        StoreActor elsewhere = actor("elsewhere");
        elsewhere.enlist(Role.of("other"));
        StoreActor closed = actor("closed");
        closed.enlist(LEDGER);
        closed.close();
        ada.enlist(LEDGER);
        ada.acquire(LEDGER);
        bob.enlist(LEDGER);

        assertThat(done(ada.store().candidates(LEDGER, timeout()))).containsExactlyInAnyOrder(ada.id(), bob.id());
        assertThat(done(ada.store().candidates(Role.of("nobody's"), timeout()))).isEmpty();

        passLease();
        assertThat(done(ada.store().candidates(LEDGER, timeout())))
                .as("once the other's lease is over")
                .doesNotContain(bob.id());
    }

    @Test
    @Checks(StoreClause.C9)
    void aTargetThatDoesNotCampaignIsRefusedAndNothingChanges() {
        StoreActor ada = actor("ada");
        Grant grant = ada.acquire(LEDGER);
        StoreActor bob = actor("bob");
        StoreActor withdrawn = actor("withdrawn");
        withdrawn.enlist(LEDGER);
        done(withdrawn.store().withdraw(withdrawn.session(), LEDGER, timeout()));
        StoreActor elsewhere = actor("elsewhere");
        elsewhere.enlist(Role.of("other"));
        StoreActor closed = actor("closed");
        closed.enlist(LEDGER);
        closed.close();

        for (CandidateId target :
                List.of(bob.id(), withdrawn.id(), elsewhere.id(), closed.id(), CandidateId.incarnationOf("nobody"))) {
            assertThat(refused(ada.reserve(grant, target, aLease()))).isEqualTo(NotReserved.TARGET_NOT_CAMPAIGNING);
        }

        assertThat(ada.read(LEDGER).version()).isEqualTo(grant.version());
        assertThat(ada.read(LEDGER).reservation()).isEmpty();
    }

    @Test
    @Checks(StoreClause.C9)
    void anExpiredTargetIsRefused() {
        StoreActor bob = actor("bob");
        bob.enlist(LEDGER);
        passLease();
        StoreActor ada = actor("ada");
        Grant grant = ada.acquire(LEDGER);

        assertThat(refused(ada.reserve(grant, bob.id(), aLease()))).isEqualTo(NotReserved.TARGET_NOT_CAMPAIGNING);
        assertThat(ada.read(LEDGER).version()).isEqualTo(grant.version());
    }

    @Test
    @Checks({StoreClause.C6, StoreClause.C9})
    void onlyTheHolderByThatAttemptReserves() {
        StoreActor ada = actor("ada");
        StoreActor bob = actor("bob");
        bob.enlist(LEDGER);
        Grant old = ada.acquire(LEDGER);
        Grant grant = ada.acquire(LEDGER);

        assertThat(refused(ada.reserve(old, bob.id(), aLease()))).isEqualTo(NotReserved.NOT_HOLDER);
        assertThat(refused(bob.reserve(grant, bob.id(), aLease()))).isEqualTo(NotReserved.NOT_HOLDER);
        ada.release(LEDGER);
        assertThat(refused(ada.reserve(grant, bob.id(), aLease()))).isEqualTo(NotReserved.NOT_HOLDER);
        assertThat(ada.read(LEDGER).reservation()).isEmpty();
    }
}
