package dev.signet.store.quorum.state;

import static org.assertj.core.api.Assertions.assertThat;

import dev.signet.Answer;
import dev.signet.Namespace;
import dev.signet.Role;
import dev.signet.StoreId;
import dev.signet.store.Acquire;
import dev.signet.store.Grant;
import dev.signet.store.NotGranted;
import dev.signet.store.NotReserved;
import dev.signet.store.OpenSession;
import dev.signet.store.Release;
import dev.signet.store.Reserve;
import dev.signet.store.RoleView;
import dev.signet.store.SessionId;
import dev.signet.store.StoreRefusal;
import dev.signet.testkit.StoreModel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/**
 * Reference stores, one for each namespace, and beside them a ledger and its replica that are told the same as bytes of the log.
 * What a leader's clock would have recorded is recorded when the reference stores record it. It throws at the first
 * difference.
 */
final class Twins {

    private final List<Role> roles;
    private final Tally tally;
    private final Map<Namespace, StoreModel> models = new LinkedHashMap<>();
    private final Ledger ledger = new Ledger();
    private Ledger replica = new Ledger();
    private final Map<In<SessionId>, Long> deadlines = new LinkedHashMap<>();
    private final Map<In<Role>, Window> windows = new LinkedHashMap<>();
    private long now;
    private long term = 7;

    Twins(StoreId storeId, List<Namespace> namespaces, List<Role> roles, Tally tally) throws Unreadable {
        this.roles = roles;
        this.tally = tally;
        namespaces.forEach(namespace -> models.put(namespace, new StoreModel(storeId)));
        tell(new Command.Found(storeId));
    }

    private record In<T>(Namespace namespace, T what) {}

    private record Window(Duration length, long untilNanos, long number) {}

    Ledger ledger() {
        return ledger;
    }

    // What is asked

    Reply open(Namespace in, OpenSession request) throws Unreadable {
        Answer<?, StoreRefusal> answer = models.get(in).open(request, now);
        Reply reply = tell(new Command.Open(in, request));
        if (reply instanceof Reply.Refused refused) {
            assertThat(refusal(answer).map(StoreRefusal::kind))
                    .hasValue(refused.why().kind());
            tally.count("refused " + refused.why().kind());
        } else {
            assertThat(answer).isInstanceOf(Answer.Done.class);
            assertThat(reply).isEqualTo(new Reply.Opened(ledger.storeId().orElseThrow()));
            LiveSession session = ledger.session(in, request.session()).orElseThrow();
            tally.count(session.openings() == 1 ? "opened" : "opened again");
            lease(session);
        }
        return reply;
    }

    private static Optional<StoreRefusal> refusal(Answer<?, StoreRefusal> answer) {
        return answer instanceof Answer.Refused<?, StoreRefusal> refused
                ? Optional.of(refused.why())
                : Optional.empty();
    }

    /** Leaves no trace in a ledger. The reference store is not asked of a session that it never heard of: there it would. */
    void renew(Namespace in, SessionId id) {
        if (deadlines.containsKey(new In<>(in, id))) {
            OptionalLong digest = models.get(in)
                    .renew(id, now)
                    .fold(
                            renewed -> renewed.heldDigest(),
                            gone -> OptionalLong.empty(),
                            unknown -> OptionalLong.empty());
            assertThat(ledger.heldDigest(in, id)).isEqualTo(digest).isPresent();
            lease(ledger.session(in, id).orElseThrow());
            tally.count("renewed");
        } else {
            assertThat(ledger.heldDigest(in, id)).isEmpty();
        }
    }

    void close(Namespace in, SessionId id) throws Unreadable {
        models.get(in).close(id);
        assertThat(tell(new Command.Close(in, id))).isEqualTo(new Reply.Done());
        deadlines.remove(new In<>(in, id));
        tally.count("closed");
    }

    Reply enlist(Namespace in, SessionId id, Role role) throws Unreadable {
        Reply expected = models.get(in)
                .enlist(id, role, now)
                .fold(view -> new Reply.Viewed(timeless(in, view)), gone -> new Reply.Gone(), unknown -> never());
        return same("enlisted", expected, tell(new Command.Enlist(in, id, role)));
    }

    void withdraw(Namespace in, SessionId id, Role role) throws Unreadable {
        models.get(in).withdraw(id, role);
        same("withdrawn", new Reply.Done(), tell(new Command.Withdraw(in, id, role)));
    }

    Reply take(Namespace in, Acquire request) throws Unreadable {
        long version = ledger.view(in, request.role()).version();
        Reply expected = models.get(in)
                .acquire(request, now)
                .fold(
                        Reply.Granted::new,
                        why -> new Reply.Denied(new NotGranted(why.reason(), timeless(in, why.view()))),
                        unknown -> never());
        boolean again = ledger.view(in, request.role()).version() == version;
        String what = expected instanceof Reply.Denied denied
                ? "denied " + denied.why().reason()
                : again && version >= ((Reply.Granted) expected).grant().version() ? "granted again" : "granted";
        return same(what, expected, tell(new Command.Take(in, request)));
    }

    void free(Namespace in, Release request) throws Unreadable {
        boolean held = ledger.holder(in, request.role()).isPresent();
        Reply expected = models.get(in)
                .release(request, now)
                .fold(view -> new Reply.Viewed(timeless(in, view)), gone -> never(), unknown -> never());
        Reply reply = tell(new Command.Free(in, request));
        same(held && ledger.holder(in, request.role()).isEmpty() ? "released" : "not released", expected, reply);
    }

    void keep(Namespace in, Reserve request) throws Unreadable {
        Answer<RoleView, ?> answer = models.get(in).reserve(request, now);
        Reply reply = tell(new Command.Keep(in, request));
        ledger.reservation(in, request.role())
                .filter(made -> reply instanceof Reply.Viewed)
                .ifPresent(made -> windows.put(
                        new In<>(in, request.role()),
                        new Window(made.window(), now + request.window().toNanos(), made.number())));
        Reply expected = answer.fold(
                view -> new Reply.Viewed(timeless(in, view)),
                why -> new Reply.Unreserved((NotReserved) why),
                unknown -> never());
        same(expected instanceof Reply.Unreserved why ? "refused " + why.why() : "reserved", expected, reply);
    }

    // What may befall them

    void pass(Duration time) {
        now += time.toNanos();
    }

    void changeLeader() {
        term++;
        models.values().forEach(model -> model.leaseAnew(now));
        ledger.sessions().forEach(this::lease);
    }

    void restoreReplica() throws Unreadable {
        compareSnapshots();
        replica = Ledger.restore(replica.snapshot());
        compareSnapshots();
    }

    void expireWrongly(Namespace in, SessionId id) throws Unreadable {
        long openings = ledger.session(in, id).map(LiveSession::openings).orElse(1L);
        same("stale", new Reply.Ignored(), tell(new Command.Expire(in, id, openings, term - 1)));
        same("stale", new Reply.Ignored(), tell(new Command.Expire(in, id, openings, term + 1)));
        same("stale", new Reply.Ignored(), tell(new Command.Expire(in, id, openings - 1, term)));
    }

    void lapseWrongly(Namespace in, Role role, long number) throws Unreadable {
        long right = ledger.reservation(in, role).map(LiveReservation::number).orElse(number);
        same("stale", new Reply.Ignored(), tell(new Command.Lapse(in, role, right, term - 1)));
        same("stale", new Reply.Ignored(), tell(new Command.Lapse(in, role, right, term + 1)));
        same("stale", new Reply.Ignored(), tell(new Command.Lapse(in, role, right - 1, term)));
    }

    // What must hold

    /** What time has ended is recorded on either side, then all that can be seen is compared. */
    void compare() throws Unreadable {
        sweep();
        List<Changed> changed = new ArrayList<>();
        models.forEach((in, model) -> model.takeChanged().forEach(role -> changed.add(new Changed(in, role))));
        changed.sort(null);
        requireEqual("changed", changed, ledger.takeChanged());
        requireEqual("changed at the replica", changed, replica.takeChanged());
        models.forEach((in, model) -> {
            for (Role role : roles) {
                requireEqual(
                        "candidates",
                        Set.copyOf(value(model.candidates(role, now))),
                        Set.copyOf(ledger.candidates(in, role)));
                requireEqual("view", timeless(in, value(model.read(role, now))), ledger.view(in, role));
            }
            List<RoleView> all = value(model.roles(now)).stream()
                    .map(view -> timeless(in, view))
                    .toList();
            requireEqual("roles", all, ledger.roles(in));
        });
        Set<In<SessionId>> live = new HashSet<>();
        ledger.sessions().forEach(session -> live.add(new In<>(session.namespace(), session.session())));
        requireEqual("live", deadlines.keySet(), live);
        for (In<SessionId> one : live) {
            List<Grant> held = value(models.get(one.namespace()).held(one.what(), now));
            requireEqual("held", new Reply.Holds(held), ledger.held(one.namespace(), one.what()));
        }
    }

    void compareSnapshots() {
        assertThat(replica.snapshot()).isEqualTo(ledger.snapshot());
    }

    private void sweep() throws Unreadable {
        models.values().forEach(model -> model.sweep(now));
        for (In<SessionId> live : List.copyOf(deadlines.keySet())) {
            if (deadlines.get(live) <= now) {
                long openings = ledger.session(live.namespace(), live.what())
                        .orElseThrow()
                        .openings();
                Command end = new Command.Expire(live.namespace(), live.what(), openings, term);
                same("expired", new Reply.Done(), tell(end));
                deadlines.remove(live);
            }
        }
        for (In<Role> kept : List.copyOf(windows.keySet())) {
            Window window = windows.get(kept);
            if (window.untilNanos() <= now) {
                boolean stands = ledger.reservation(kept.namespace(), kept.what())
                        .filter(one -> one.number() == window.number())
                        .isPresent();
                Command lapse = new Command.Lapse(kept.namespace(), kept.what(), window.number(), term);
                same(
                        stands ? "lapsed" : "lapsed too late",
                        stands ? new Reply.Done() : new Reply.Ignored(),
                        tell(lapse));
                windows.remove(kept);
            }
        }
    }

    private void lease(LiveSession session) {
        deadlines.put(
                new In<>(session.namespace(), session.session()),
                now + session.lease().toNanos());
    }

    private static void requireEqual(String what, Object expected, Object actual) {
        if (!expected.equals(actual)) {
            throw new AssertionError(what + ": " + actual + " where the reference store has " + expected);
        }
    }

    private Reply same(String what, Reply expected, Reply reply) {
        requireEqual(what, expected, reply);
        tally.count(what);
        return reply;
    }

    private Reply tell(Command command) throws Unreadable {
        byte[] entry = Codec.bytes(command);
        Reply reply = ledger.apply(entry, term);
        requireEqual("of the replica", reply, replica.apply(entry, term));
        requireEqual("as bytes and back", reply, Codec.reply(Codec.bytes(reply)));
        return reply;
    }

    /** As a ledger sees it, which has no clock. */
    private RoleView timeless(Namespace in, RoleView view) {
        return new RoleView(
                view.role(),
                view.version(),
                view.lastToken(),
                view.holder(),
                view.claimable(),
                Optional.empty(),
                view.reservation()
                        .map(kept -> new RoleView.Reservation(
                                kept.target(),
                                windows.get(new In<>(in, view.role())).length())));
    }

    private static <D> D value(Answer<D, ?> answer) {
        return answer.fold(value -> value, why -> never(), unknown -> never());
    }

    private static <T> T never() {
        throw new AssertionError("the reference store never says so");
    }
}
