package dev.signet.testkit;

import static dev.signet.testkit.Answers.doneOrNot;
import static dev.signet.testkit.Answers.isUnknown;
import static dev.signet.testkit.Answers.untilKnown;
import static org.assertj.core.api.Assertions.assertThat;

import dev.signet.Answer;
import dev.signet.Role;
import dev.signet.store.Grant;
import dev.signet.store.NotGranted;
import dev.signet.store.Renewed;
import dev.signet.store.SessionGone;
import dev.signet.store.Store;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** What comes of sessions over a silence, their own or the server's: C18. */
abstract class StoreSilenceClauses extends StoreWatchClauses {

    private static final int SESSIONS = 12;

    @Test
    @Checks(StoreClause.C18)
    void sessionsThatWereSilentForMostOfALeaseAllLive() {
        List<StoreActor> holders = holders();

        letPass(tenths(7));
        holders.forEach(StoreActor::renew);
        letPass(tenths(7));

        holders.forEach(StoreActor::renew);
        allAreHeld(holders);
    }

    @TestFactory
    @Checks(StoreClause.C18)
    @Disturbing
    List<DynamicTest> aServerThatStoodStillForLessThanALeaseEndsNoSession() {
        return where(Freezable.class, server -> {
            List<StoreActor> holders = holders();
            holders.forEach(StoreActor::renew);
            server.freeze();
            try {
                letPass(tenths(5));
            } finally {
                server.thaw();
            }

            holders.forEach(holder -> assertThat(renewal(holder)).isInstanceOf(Answer.Done.class));
            allAreHeld(holders);
        });
    }

    /** Some renewals come in while it stands still, as they do; which of them are in time is for the store to say, once. */
    @TestFactory
    @Checks(StoreClause.C18)
    @Disturbing
    List<DynamicTest> aServerThatStoodStillForLongerThanALeaseDecidesOnceForEachSession() {
        return where(Freezable.class, server -> {
            List<StoreActor> holders = holders();
            server.freeze();
            try {
                holders.subList(0, SESSIONS / 3)
                        .forEach(holder -> holder.store().renew(holder.session(), tenths(1)));
                letPass(tenths(15));
            } finally {
                server.thaw();
            }

            StoreActor bob = actor("bob");
            for (int i = 0; i < SESSIONS; i++) {
                StoreActor holder = holders.get(i);
                boolean renewedFirst = i % 2 == 0 && isDone(renewal(holder));
                boolean taken = isTaken(bob, role(i));
                boolean renewedLast = isDone(renewal(holder));
                bob.renew();

                assertThat(taken && (renewedFirst || renewedLast))
                        .as("taken from %d, which was renewed", i)
                        .isFalse();
                assertThat(renewedFirst && !renewedLast)
                        .as("renewed and gone: %d", i)
                        .isFalse();
            }
        });
    }

    /** Candidates that hold a role each, on one client, as far as a server is concerned. */
    private List<StoreActor> holders() {
        Store store = connected();
        List<StoreActor> holders = new ArrayList<>();
        for (int i = 0; i < SESSIONS; i++) {
            StoreActor holder = actor("holder-" + i, store, aLease());
            holder.acquire(role(i));
            holders.add(holder);
        }
        return holders;
    }

    private static Role role(int number) {
        return Role.of("role-" + number);
    }

    private void allAreHeld(List<StoreActor> holders) {
        StoreActor bob = actor("bob");
        for (int i = 0; i < holders.size(); i++) {
            assertThat(doneOrNot(bob.send(bob.request(role(i)))))
                    .as("taken from a live holder, %d", i)
                    .isEmpty();
            assertThat(holders.get(i).held()).hasSize(1);
        }
    }

    private Answer<Renewed, SessionGone> renewal(StoreActor holder) {
        return untilKnown(() -> holder.store().renew(holder.session(), timeout()), slack());
    }

    private boolean isTaken(StoreActor bob, Role role) {
        Answer<Grant, NotGranted> answer = untilKnown(() -> bob.send(bob.request(role)), slack());
        assertThat(isUnknown(answer)).isFalse();
        return isDone(answer);
    }

    private static boolean isDone(Answer<?, ?> answer) {
        return answer instanceof Answer.Done<?, ?>;
    }
}
