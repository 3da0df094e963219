package dev.signet.testkit;

import static dev.signet.testkit.Answers.await;
import static dev.signet.testkit.Answers.done;
import static dev.signet.testkit.Answers.gone;
import static dev.signet.testkit.Answers.isUnknown;
import static dev.signet.testkit.Answers.refused;
import static org.assertj.core.api.Assertions.assertThat;

import dev.signet.Answer;
import dev.signet.FencingToken;
import dev.signet.Namespace;
import dev.signet.Role;
import dev.signet.TermId;
import dev.signet.store.Acquire;
import dev.signet.store.Grant;
import dev.signet.store.NotGranted;
import dev.signet.store.NotReserved;
import dev.signet.store.Release;
import dev.signet.store.Reserve;
import dev.signet.store.RoleView;
import dev.signet.store.SessionId;
import dev.signet.store.Store;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;

/**
 * What every store must do, as tests. A store's own tests extend this class and say how to connect, how time passes and
 * how the store is restarted; each test starts on names of its own, so one store may serve them all.
 *
 * <p>The names of the clauses (C1 and so on) are those of the store contract. What needs the faults of a particular store
 * (a stopped server, a lost packet, a killed process) is tested beside it: this kit cannot know how to cause them.
 */
public abstract class StoreContract extends StoreWatchClauses {

    // C11, C12: every call ends, and what a store says of itself

    @Test
    void everyCallEndsWithinItsTimeoutHoweverShort() {
        StoreActor ada = actor("ada");
        Duration hardly = Duration.ofMillis(1);
        Role role = Role.of("hurried");
        for (CompletionStage<?> stage : List.<CompletionStage<?>>of(
                ada.store().renew(ada.session(), hardly),
                ada.store().acquire(ada.request(role), hardly),
                ada.store().enlist(ada.session(), role, hardly),
                ada.store().withdraw(ada.session(), role, hardly),
                ada.store().release(new Release(ada.session(), role, 1, 0), hardly),
                ada.store().reserve(new Reserve(ada.session(), role, 1, ada.id(), lease()), hardly),
                ada.store().held(ada.session(), hardly),
                ada.store().read(role, hardly),
                ada.store().roles(hardly),
                ada.store().close(SessionId.random(), hardly))) {
            await(stage);
        }
    }

    @Test
    void aClosedStoreAnswersUnknown() {
        StoreActor ada = actor("ada");
        Acquire request = ada.request(LEDGER);
        ada.store().close();
        ada.store().close();

        assertThat(isUnknown(await(ada.send(request)))).isTrue();
        assertThat(isUnknown(await(ada.store().renew(ada.session(), timeout()))))
                .isTrue();
        assertThat(isUnknown(await(ada.store().read(LEDGER, timeout())))).isTrue();
    }

    @Test
    void aLinearizableReadShowsWhatWasAcknowledgedBefore() {
        Store reader = connected();
        StoreActor ada = actor("ada");
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
        StoreActor ada = actor("ada");
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
        assertThat(done(ada.store().roles(timeout())).stream()
                        .map(view -> view.role().name()))
                .containsExactlyElementsOf(
                        names.stream().map(Role::of).sorted().map(Role::name).toList());
    }

    @Test
    void namespacesNeverSeeEachOther() {
        StoreActor here = actor("ada");
        Store elsewhere = connected(new Namespace(namespace().name() + "-other"));
        here.acquire(LEDGER);

        StoreActor there = actor("bob", elsewhere, lease());
        assertThat(there.read(LEDGER).lastToken()).isZero();
        assertThat(there.acquire(LEDGER).token()).isEqualTo(FencingToken.FIRST);
        gone(elsewhere.renew(here.session(), timeout()));
        done(elsewhere.close(here.session(), timeout()));
        assertThat(here.held()).hasSize(1);
        there.enlist(LEDGER);
        assertThat(refused(here.reserve(here.held().get(0), there.id(), lease())))
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
        StoreActor ada = actor("ada");
        acquireMany(ada, inFlight);
        assertThat(ada.held()).hasSize(manyRoles());

        passLease();
        StoreActor bob = actor("bob");
        bob.acquire(Role.of("many-0"));
        gone(ada.store().renew(ada.session(), timeout()));
        acquireMany(bob, inFlight);

        assertThat(bob.held()).hasSize(manyRoles());
        Map<Role, FencingToken> held = new HashMap<>();
        bob.held().forEach(grant -> held.put(grant.role(), grant.token()));
        assertDigest(bob, held);
    }

    private void acquireMany(StoreActor actor, int inFlight) {
        List<CompletionStage<Answer<Grant, NotGranted>>> pending = new ArrayList<>();
        Map<Role, RoleView> views = new HashMap<>();
        done(actor.store().roles(timeout())).forEach(view -> views.put(view.role(), view));
        for (int i = 0; i < manyRoles(); i++) {
            Role role = Role.of("many-" + i);
            pending.add(actor.send(actor.requestOn(views.getOrDefault(role, RoleView.absent(role)))));
            if (pending.size() == inFlight) {
                actor.renew();
                pending.forEach(Answers::done);
                pending.clear();
            }
        }
        pending.forEach(Answers::done);
    }
}
