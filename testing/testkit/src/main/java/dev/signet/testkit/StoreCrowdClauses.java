package dev.signet.testkit;

import static dev.signet.testkit.Answers.done;
import static dev.signet.testkit.Answers.gone;
import static org.assertj.core.api.Assertions.assertThat;

import dev.signet.Answer;
import dev.signet.FencingToken;
import dev.signet.Role;
import dev.signet.store.Grant;
import dev.signet.store.NotGranted;
import dev.signet.store.RoleView;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Many roles on one session: C15. */
abstract class StoreCrowdClauses extends StoreNameClauses {

    private static final int IN_FLIGHT = 64;
    private static final Duration MOST = Duration.ofSeconds(60);

    @Test
    @Busy
    @Checks(StoreClause.C15)
    void oneSessionHoldsAThousandRolesAndLosesThemInOneStep() {
        oneSessionHolds(1_000);
    }

    @Test
    @Busy
    @Tag("slow")
    @Checks(StoreClause.C15)
    void oneSessionHoldsTenThousandRolesAndLosesThemInOneStep() {
        oneSessionHolds(10_000);
    }

    private void oneSessionHolds(int roles) {
        StoreActor ada = actor("ada");
        Duration acquired = acquireMany(ada, roles);
        assertThat(ada.held()).hasSize(roles);

        ada.renew();
        passLease();
        StoreActor bob = actor("bob");
        bob.acquire(Role.of("many-0"));
        gone(ada.store().renew(ada.session(), timeout()));
        Duration retaken = acquireMany(bob, roles);

        System.out.printf(
                "figure: %s: %d roles on one session acquired in %d ms, after its loss by another in %d ms%n",
                getClass().getSimpleName(), roles, acquired.toMillis(), retaken.toMillis());
        assertThat(acquired).isLessThan(MOST);
        assertThat(retaken).isLessThan(MOST);
        assertThat(bob.held()).hasSize(roles);
        Map<Role, FencingToken> held = new HashMap<>();
        bob.held().forEach(grant -> held.put(grant.role(), grant.token()));
        assertDigest(bob, held);
        assertThat(held).doesNotContainValue(FencingToken.FIRST);
    }

    /** With a bounded number of requests in flight, and heartbeats among them. */
    private Duration acquireMany(StoreActor actor, int roles) {
        long began = System.nanoTime();
        long renewed = began;
        Map<Role, RoleView> views = new HashMap<>();
        done(actor.store().roles(timeout())).forEach(view -> views.put(view.role(), view));
        Queue<CompletionStage<Answer<Grant, NotGranted>>> pending = new ArrayDeque<>();
        for (int i = 0; i < roles; i++) {
            Role role = Role.of("many-" + i);
            pending.add(actor.send(actor.requestOn(views.getOrDefault(role, RoleView.absent(role)))));
            if (pending.size() == IN_FLIGHT) {
                done(pending.remove());
            }
            if (System.nanoTime() - renewed > aLease().toNanos() / 8) {
                actor.renew();
                renewed = System.nanoTime();
            }
        }
        pending.forEach(Answers::done);
        return Duration.ofNanos(System.nanoTime() - began);
    }
}
