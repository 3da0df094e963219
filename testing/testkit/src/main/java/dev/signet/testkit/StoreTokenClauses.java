package dev.signet.testkit;

import static dev.signet.testkit.Answers.done;
import static dev.signet.testkit.Answers.refused;
import static org.assertj.core.api.Assertions.assertThat;

import dev.signet.Answer;
import dev.signet.FencingToken;
import dev.signet.ResourceName;
import dev.signet.store.Acquire;
import dev.signet.store.Grant;
import dev.signet.store.NotGranted;
import dev.signet.store.Store;
import java.util.List;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** Terms and their tokens: C2, C10 and C19. */
abstract class StoreTokenClauses extends StoreFixture {

    @Test
    @Checks(StoreClause.C2)
    void theFirstGrantHasTokenOneAndEachNextOneMore() {
        StoreActor ada = actor("ada");
        StoreActor bob = actor("bob");

        assertThat(ada.acquire(LEDGER).token()).isEqualTo(FencingToken.FIRST);
        ada.release(LEDGER);
        assertThat(bob.acquire(LEDGER).token()).isEqualTo(FencingToken.of(2));
        bob.close();
        assertThat(ada.acquire(LEDGER).token()).isEqualTo(FencingToken.of(3));
        passLease();
        assertThat(actor("eve").acquire(LEDGER).token()).isEqualTo(FencingToken.of(4));
    }

    @Test
    @Checks(StoreClause.C2)
    @Disturbing
    void tokensAndTheStoreIdOutliveARestart() {
        StoreActor ada = actor("ada");
        Grant before = ada.acquire(LEDGER);
        restartWithoutClients();

        // a store may give the sessions a whole lease anew, from when somebody looks
        Store after = connected();
        done(after.read(LEDGER, timeout()));
        passLease();
        Grant next = actor("bob", after, aLease()).acquire(LEDGER);
        assertThat(next.token()).isEqualTo(FencingToken.of(2));
        assertThat(next.storeId()).isEqualTo(before.storeId());
        assertThat(next.version()).isGreaterThan(before.version());
    }

    /** What forgot tokens is found out at the fence, by its first seal, and lifted from there. */
    @TestFactory
    @Checks(StoreClause.C2)
    @Disturbing
    List<DynamicTest> whatAnOldBackupForgotTheFenceRefusesAndAFloorLifts() {
        return where(Restorable.class, store -> {
            StoreActor ada = actor("ada");
            FenceModel fence = new FenceModel(ResourceName.of("ledger-database"));
            fence.initialise(LEDGER, ada.storeId());
            ada.acquire(LEDGER);
            ada.release(LEDGER);
            Runnable restore = store.backUp();
            ada.acquire(LEDGER);
            Grant last = ada.acquire(LEDGER);
            assertThat(isDone(fence.seal(last.stamp()))).isTrue();
            closeStores();
            restore.run();
            passLease();

            StoreActor bob = actor("bob");
            Grant forgetful = bob.acquire(LEDGER);
            assertThat(forgetful.token()).as("forgotten").isEqualTo(FencingToken.of(2));
            assertThat(isDone(fence.seal(forgetful.stamp()))).isFalse();
            Grant healed = bob.acquireAbove(LEDGER, fence.highest());
            assertThat(healed.token()).isEqualTo(FencingToken.of(last.token().value() + 1));
            assertThat(isDone(fence.seal(healed.stamp()))).isTrue();
        });
    }

    private static boolean isDone(Answer<?, ?> answer) {
        return answer instanceof Answer.Done<?, ?>;
    }

    @Test
    @Checks(StoreClause.C2)
    void theSameCandidateWinningAgainGetsANewToken() {
        StoreActor ada = actor("ada");
        ada.acquire(LEDGER);
        ada.release(LEDGER);

        assertThat(ada.acquire(LEDGER).token()).isEqualTo(FencingToken.of(2));
    }

    @Test
    @Checks({StoreClause.C2, StoreClause.C7})
    void aHolderThatAsksWithANewerAttemptGetsANewToken() {
        StoreActor ada = actor("ada");
        Grant first = ada.acquire(LEDGER);

        Grant second = ada.acquire(LEDGER);

        assertThat(second.token()).isEqualTo(FencingToken.of(2));
        assertThat(second.termId()).isNotEqualTo(first.termId());
        assertThat(second.version()).isGreaterThan(first.version());
        assertThat(ada.held()).containsExactly(second);
    }

    @Test
    @Checks(StoreClause.C19)
    void aGrantNamesItsStoreItsTermItsAttemptAndTheRecordItWrote() {
        StoreActor ada = actor("ada");
        Acquire request = ada.request(LEDGER);

        Grant grant = done(ada.send(request));

        assertThat(grant.role()).isEqualTo(LEDGER);
        assertThat(grant.termId()).isEqualTo(request.termId());
        assertThat(grant.attempt()).isEqualTo(request.attempt());
        assertThat(grant.storeId()).isEqualTo(ada.storeId());
        assertThat(ada.read(LEDGER).version()).isEqualTo(grant.version());
        assertThat(done(ada.send(request)).stamp()).as("asked again").isEqualTo(grant.stamp());
        assertThat(ada.held().get(0).stamp()).as("as held").isEqualTo(grant.stamp());
        assertThat(ada.read(LEDGER).holder().orElseThrow().termDigest())
                .isEqualTo(grant.termId().digest());
    }

    @Test
    @Checks(StoreClause.C10)
    void aGrantLiesAboveTheFloor() {
        StoreActor ada = actor("ada");
        ada.acquire(LEDGER);

        assertThat(ada.acquireAbove(LEDGER, 41).token()).isEqualTo(FencingToken.of(42));
        assertThat(ada.acquireAbove(LEDGER, 7).token()).isEqualTo(FencingToken.of(43));
    }

    @Test
    @Checks(StoreClause.C10)
    void aFloorCountsForARoleThatNobodyEverHeld() {
        assertThat(actor("ada").acquireAbove(LEDGER, 41).token()).isEqualTo(FencingToken.of(42));
    }

    @Test
    @Checks({StoreClause.C2, StoreClause.C10})
    void noTokenIsGrantedAboveTheLast() {
        StoreActor ada = actor("ada");
        assertThat(ada.acquireAbove(LEDGER, FencingToken.MAX_VALUE - 1).token().value())
                .isEqualTo(FencingToken.MAX_VALUE);

        NotGranted refusal = refused(ada.send(ada.request(LEDGER)));

        assertThat(refusal.reason()).isEqualTo(NotGranted.Reason.TOKENS_EXHAUSTED);
        assertThat(ada.held()).hasSize(1);
    }
}
