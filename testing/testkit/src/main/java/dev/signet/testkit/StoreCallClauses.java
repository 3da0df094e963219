package dev.signet.testkit;

import static dev.signet.testkit.Answers.done;
import static dev.signet.testkit.Answers.isUnknown;
import static dev.signet.testkit.Answers.untilKnown;
import static org.assertj.core.api.Assertions.assertThat;

import dev.signet.Answer;
import dev.signet.Role;
import dev.signet.store.Acquire;
import dev.signet.store.Grant;
import dev.signet.store.NotGranted;
import dev.signet.store.OpenSession;
import dev.signet.store.Release;
import dev.signet.store.Reserve;
import dev.signet.store.RoleView;
import dev.signet.store.SessionId;
import dev.signet.store.Store;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** That every call ends, whatever befalls the store, and what a store says of itself: C11 and C12. */
abstract class StoreCallClauses extends StoreSilenceClauses {

    private static final Role ASKED = Role.of("asked");
    private static final Role OTHER = Role.of("other");

    @Test
    @Checks(StoreClause.C11)
    void everyCallEndsWithinItsTimeoutHoweverShort() {
        StoreActor ada = actor("ada");
        Duration hardly = Duration.ofMillis(1);

        Map<String, CompletionStage<? extends Answer<?, ?>>> calls = everyCall(ada, ada.request(ASKED), hardly);

        letPass(hardly);
        calls.forEach(this::ends);
    }

    @TestFactory
    @Checks(StoreClause.C11)
    @Disturbing
    List<DynamicTest> everyCallEndsAsUnknownWhileTheServerStandsStill() {
        return where(Freezable.class, server -> {
            StoreActor ada = actor("ada");
            Grant grant = ada.acquire(LEDGER);
            Acquire asked = ada.request(ASKED);
            long renewed = nanos();
            server.freeze();
            try {
                nothingIsKnown(ada, asked);
            } finally {
                server.thaw();
            }
            goesOn(ada, grant, asked, renewed);
        });
    }

    @TestFactory
    @Checks(StoreClause.C11)
    List<DynamicTest> everyCallEndsAsUnknownWhilePacketsVanish() {
        return where(Networked.class, network -> withoutNetwork(network.line(namespace()), Networked.Line::vanish));
    }

    @TestFactory
    @Checks(StoreClause.C11)
    List<DynamicTest> everyCallEndsAsUnknownWhileTheConnectionIsCut() {
        return where(Networked.class, network -> withoutNetwork(network.line(namespace()), Networked.Line::cut));
    }

    private void withoutNetwork(Networked.Line opened, Consumer<Networked.Line> fault) {
        try (Networked.Line line = opened) {
            StoreActor ada = actor("ada", line.store(), aLease());
            Grant grant = ada.acquire(LEDGER);
            Acquire asked = ada.request(ASKED);
            long renewed = nanos();
            fault.accept(line);
            nothingIsKnown(ada, asked);
            line.mend();
            goesOn(ada, grant, asked, renewed);
        }
    }

    @Test
    @Checks(StoreClause.C11)
    void aClosedStoreAnswersUnknown() {
        StoreActor ada = actor("ada");
        Acquire request = ada.request(LEDGER);
        ada.store().close();
        ada.store().close();

        everyCall(ada, request, tenths(2))
                .forEach((name, call) ->
                        assertThat(isUnknown(ends(name, call))).as(name).isTrue());
    }

    /** Nobody can know anything, so that a store that does not keep its reads linearizable may tell what it knew. */
    private void nothingIsKnown(StoreActor actor, Acquire asked) {
        Duration patience = tenths(2);
        Map<String, CompletionStage<? extends Answer<?, ?>>> calls = everyCall(actor, asked, patience);
        letPass(patience);
        boolean readsMayBeOld = !actor.store().traits().linearizableReads();
        calls.forEach((name, call) -> {
            Answer<?, ?> answer = ends(name, call);
            if (!(readsMayBeOld && name.startsWith("read"))) {
                assertThat(isUnknown(answer))
                        .as("%s was answered %s", name, answer)
                        .isTrue();
            }
        });
    }

    /** What was asked meanwhile may have been done since; asked again it says so, and nobody holds what nobody knows. */
    private void goesOn(StoreActor ada, Grant grant, Acquire asked, long renewedNanos) {
        Answer<Grant, NotGranted> again = untilKnown(() -> ada.send(asked), slack().plus(timeout()));
        untilKnown(() -> ada.store().renew(ada.session(), timeout()), slack());
        if (nanos() - renewedNanos > tenths(9).toNanos()) {
            System.out.println(
                    "store contract: the session may have ended meanwhile, on a slow machine: C11 half checked");
            return;
        }
        List<Grant> held = new ArrayList<>(List.of(grant));
        if (again instanceof Answer.Done<Grant, NotGranted> done) {
            held.add(done.value());
        }
        assertThat(ada.held()).containsExactlyInAnyOrderElementsOf(held);
    }

    /** Every call of the SPI, all at once; those whose order matters are of different roles. */
    private Map<String, CompletionStage<? extends Answer<?, ?>>> everyCall(
            StoreActor ada, Acquire asked, Duration patience) {
        Store store = ada.store();
        Map<String, CompletionStage<? extends Answer<?, ?>>> calls = new LinkedHashMap<>();
        calls.put("acquire", store.acquire(asked, patience));
        calls.put(
                "open",
                store.open(new OpenSession(SessionId.random(), ada.id(), StoreActor.ADDRESSES, aLease()), patience));
        calls.put("renew", store.renew(ada.session(), patience));
        calls.put("close", store.close(SessionId.random(), patience));
        calls.put("enlist", store.enlist(ada.session(), OTHER, patience));
        calls.put("withdraw", store.withdraw(ada.session(), OTHER, patience));
        calls.put("release", store.release(new Release(ada.session(), OTHER, 1, 0), patience));
        calls.put("reserve", store.reserve(new Reserve(ada.session(), OTHER, 1, ada.id(), aLease()), patience));
        calls.put("held", store.held(ada.session(), patience));
        calls.put("read", store.read(OTHER, patience));
        calls.put("read all", store.roles(patience));
        calls.put("candidates", store.candidates(OTHER, patience));
        return calls;
    }

    private Answer<?, ?> ends(String name, CompletionStage<? extends Answer<?, ?>> call) {
        return Answers.within(slack(), name, call);
    }

    @Test
    @Checks(StoreClause.C12)
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
    @Checks(StoreClause.C12)
    void aStoreThatIsNoQuorumSaysSo() {
        Store store = connected();
        switch (store.traits().kind()) {
            case QUORUM -> assertThat(store.traits().warning()).isEmpty();
            case SINGLE_SERVER, SINGLE_HOST, IN_PROCESS ->
                assertThat(store.traits().warning()).isPresent();
        }
    }
}
