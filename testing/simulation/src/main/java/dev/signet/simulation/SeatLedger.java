package dev.signet.simulation;

import dev.signet.FencingToken;
import dev.signet.ResourceName;
import dev.signet.Stamp;
import dev.signet.TermEnd.Reason;
import dev.signet.TermId;
import dev.signet.election.role.Callback;
import dev.signet.election.role.Phase;
import dev.signet.election.role.Pulse;
import dev.signet.election.role.RoleEffect;
import dev.signet.election.role.RoleEvent;
import dev.signet.election.role.RoleMachine;
import dev.signet.election.role.RoleState;
import dev.signet.election.role.Tenure;
import dev.signet.election.role.Timer;
import dev.signet.fence.Refusal;
import dev.signet.observe.Event;
import dev.signet.store.Grant;
import dev.signet.store.Holder;
import dev.signet.store.RoleView;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** What one role of one process did, judged by its events and effects: R3, R6, R8, R12 and the course of each term. */
final class SeatLedger {

    private static final Set<Reason> AFTER_ITS_WORK =
            EnumSet.of(Reason.RESIGNED, Reason.TRANSFERRED, Reason.CLOSED, Reason.PROBE_FAILED);
    private static final int HEALINGS = 3;

    private final World world;
    private final Seat seat;
    private final Map<TermId, Entry> terms = new LinkedHashMap<>();
    private final Map<FencingToken, Entry> newest = new HashMap<>();
    private @Nullable RoleEvent event;
    private long lastAcquire;
    private long lastAcquireEpoch;
    private boolean acquireUnknown;
    private long concludedUpTo;
    private int healings;
    private @Nullable Entry healing;
    private boolean closed;
    private long lastRelease;
    private long lastReleaseEpoch;
    private long backOffUntil = Long.MIN_VALUE;

    SeatLedger(World world, Seat seat) {
        this.world = world;
        this.seat = seat;
    }

    private static final class Entry {
        private final Grant grant;
        private final Set<ResourceName> sealed = new TreeSet<>();
        private final Set<Callback> running = EnumSet.noneOf(Callback.class);
        private boolean prepared;
        private boolean prepareCalled;
        private boolean electedCalled;
        private boolean deposedCalled;
        private boolean ended;
        private boolean overran;
        private boolean healed;
        private @Nullable Refusal refusal;

        Entry(Grant grant) {
            this.grant = grant;
        }
    }

    /** The last term of this token: one store that has forgotten may grant it again. */
    private @Nullable Entry term(FencingToken token) {
        return newest.get(token);
    }

    private @Nullable Entry term(TermId id) {
        return terms.get(id);
    }

    // What the seat learns

    void fenceSealed(Stamp stamp, ResourceName resource) {
        Entry entry = term(stamp.termId());
        if (entry != null) {
            entry.sealed.add(resource);
        }
    }

    boolean isSealed(TermId term, ResourceName resource) {
        Entry entry = term(term);
        return entry != null && entry.sealed.contains(resource);
    }

    void steps(RoleEvent told, RoleState before, RoleMachine.Step step) {
        event = told;
        if (told instanceof RoleEvent.Granted granted) {
            granted(granted.grant(), before, step.state());
        } else if (told instanceof RoleEvent.Declined declined) {
            world.sometimes(Sometimes.ACQUIRE_DECLINED);
            acquireUnknown &= declined.attempt() != lastAcquire;
        } else if (told instanceof RoleEvent.AcquireUnknown unknown) {
            world.sometimes(Sometimes.ACQUIRE_UNKNOWN);
            acquireUnknown |= unknown.attempt() == lastAcquire && before.phase().kind() == Phase.Kind.ACQUIRING;
        } else if (told instanceof RoleEvent.SealUnknown) {
            world.sometimes(Sometimes.SEAL_UNKNOWN);
        } else if (told instanceof RoleEvent.SealRefused refused) {
            Entry entry = term(refused.term());
            if (entry != null) {
                entry.refusal = refused.refusal().refusal();
            }
        } else if (told instanceof RoleEvent.CallbackReturned returned) {
            returned(returned);
        } else if (told instanceof RoleEvent.Close && before.phase().kind() == Phase.Kind.ACQUIRING) {
            world.sometimes(Sometimes.CLOSED_WHILE_ACQUIRING);
        }
        must(told, before, step);
        order(step.effects());
        step.effects().forEach(this::effect);
    }

    private void granted(Grant grant, RoleState before, RoleState after) {
        if (before.phase().kind() != Phase.Kind.ACQUIRING
                || !after.tenure()
                        .filter(tenure -> tenure.grant().equals(grant))
                        .isPresent()) {
            return;
        }
        Entry entry = new Entry(grant);
        world.require(
                newest.put(grant.token(), entry) == null || world.hasForgotten(),
                Rule.TOKEN_PLUS_ONE,
                () -> "token " + grant.token() + " was granted twice to one process");
        terms.put(grant.termId(), entry);
        world.sometimes(Sometimes.TERM_GRANTED);
        acquireUnknown &= grant.attempt() != lastAcquire;
        entry.healed = healing != null;
        healing = null;
        concludedUpTo = Math.max(concludedUpTo, grant.attempt() - 1);
    }

    private void returned(RoleEvent.CallbackReturned returned) {
        Entry entry = term(returned.term());
        if (entry == null) {
            return;
        }
        entry.running.remove(returned.callback());
        if (returned.outcome() instanceof RoleEvent.Outcome.Returned) {
            entry.prepared |= returned.callback() == Callback.PREPARE;
        } else if (returned.outcome() instanceof RoleEvent.Outcome.Rejected) {
            world.sometimes(Sometimes.LISTENER_REJECTED);
        } else {
            world.sometimes(Sometimes.LISTENER_THREW);
        }
    }

    // What follows from what was told

    private void must(RoleEvent told, RoleState before, RoleMachine.Step step) {
        Optional<Tenure> held = before.tenure();
        boolean goesOn = held.isPresent()
                && step.state()
                        .tenure()
                        .filter(tenure -> tenure.grant().equals(held.get().grant()))
                        .isPresent();
        boolean releases = step.effects().stream().anyMatch(RoleEffect.SendRelease.class::isInstance);
        if (told instanceof RoleEvent.FenceRefused refused && refused.refusal().supersedes()) {
            boolean own = held.filter(tenure -> tenure.grant().termId().equals(refused.term()))
                    .isPresent();
            world.require(
                    !own || !goesOn, Rule.CONTRADICTED, () -> "a resource said that the term is over, and it went on");
        } else if (told instanceof RoleEvent.SessionLost) {
            world.require(!goesOn, Rule.FINAL, () -> "the session was lost, and the term went on");
        } else if (told instanceof RoleEvent.Observed observed && held.isPresent()) {
            world.require(
                    !goesOn || !contradicts(observed.view(), held.get()),
                    Rule.CONTRADICTED,
                    () -> "a newer record names another, and the term went on");
        } else if (told instanceof RoleEvent.CallbackReturned returned && held.isPresent()) {
            boolean failed = !(returned.outcome() instanceof RoleEvent.Outcome.Returned)
                    && held.get().grant().termId().equals(returned.term());
            world.require(!failed || !goesOn, Rule.LISTENER, () -> "the listener failed, and the term went on");
        } else if (told instanceof RoleEvent.Reconciled reconciled) {
            orphan(reconciled, before, releases);
        }
        if (before.phase().kind() == Phase.Kind.ACQUIRING
                && step.state().phase().kind() != Phase.Kind.ACQUIRING
                && !(told instanceof RoleEvent.Granted
                        || told instanceof RoleEvent.Declined
                        || told instanceof RoleEvent.SessionLost)) {
            world.require(releases, Rule.CONCLUDED, () -> "an unanswered acquire was left without a release");
        }
        if (before.phase().kind() == Phase.Kind.RELEASING
                && step.state().phase().kind() != Phase.Kind.RELEASING
                && !(told instanceof RoleEvent.SessionLost)) {
            boolean released = seat.process()
                    .session(lastReleaseEpoch)
                    .map(session -> world.store().checks().hasReleased(session, seat.role(), lastRelease))
                    .orElse(true);
            world.require(released, Rule.CONCLUDED, () -> "attempt " + lastRelease + " was not released");
        }
        if (told instanceof RoleEvent.Resign || told instanceof RoleEvent.Close) {
            backOffUntil = Long.MIN_VALUE;
        }
    }

    private static boolean contradicts(RoleView view, Tenure tenure) {
        return view.version() > tenure.version() && !names(view, tenure.grant());
    }

    private static boolean names(RoleView view, Grant grant) {
        return view.holder()
                .map(Holder::termDigest)
                .filter(grant.termId().digest()::equals)
                .isPresent();
    }

    private void orphan(RoleEvent.Reconciled reconciled, RoleState before, boolean releases) {
        boolean idle =
                before.phase().kind() == Phase.Kind.WAITING || before.phase().kind() == Phase.Kind.IDLE;
        boolean current = reconciled.epoch() == before.standing().pulse().epoch()
                && before.standing().pulse().beat() != Pulse.Beat.GONE;
        world.require(
                releases || !idle || !current || reconciled.held().isEmpty(),
                Rule.ONE_GRANT,
                () -> "a grant that nobody knows of was found and kept");
    }

    // What the machine decided

    /** The end of a term comes before everything that follows from it. */
    private void order(List<RoleEffect> effects) {
        boolean follows = false;
        for (RoleEffect effect : effects) {
            if (effect instanceof RoleEffect.EndTerm) {
                world.require(
                        !follows, Rule.END_ONCE, () -> "something that follows from the end of a term came before it");
            }
            follows |= effect instanceof RoleEffect.CallDeposed
                    || effect instanceof RoleEffect.SendRelease
                    || effect instanceof RoleEffect.SendAcquire
                    || effect instanceof RoleEffect.ConcludeTransfer;
        }
    }

    private void effect(RoleEffect effect) {
        if (closed) {
            world.require(effect instanceof RoleEffect.SendRelease, Rule.CLOSED, () -> "after closing came " + effect);
        }
        if (effect instanceof RoleEffect.SendSeal seal) {
            world.require(
                    world.store().checks().hasGranted(seal.stamp().termId()),
                    Rule.HEALING,
                    () -> "sealed for a term that the store has not granted");
        } else if (effect instanceof RoleEffect.SendAcquire acquire) {
            acquires(acquire);
        } else if (effect instanceof RoleEffect.SendRelease release) {
            releases(release);
        } else if (effect instanceof RoleEffect.CallPrepare prepare) {
            prepares(prepare.grant());
        } else if (effect instanceof RoleEffect.CallElected elected) {
            elects(elected.token());
        } else if (effect instanceof RoleEffect.CallDeposed deposed) {
            deposes(deposed.token());
        } else if (effect instanceof RoleEffect.EndTerm end) {
            ends(end);
        } else if (effect instanceof RoleEffect.Cancel cancel && cancel.timer() instanceof Timer.BackOff) {
            backOffUntil = Long.MIN_VALUE;
        } else if (effect instanceof RoleEffect.Emit emit) {
            emits(emit.event());
        } else if (effect instanceof RoleEffect.Finished) {
            closed = true;
        }
    }

    private void acquires(RoleEffect.SendAcquire acquire) {
        Entry open =
                terms.values().stream().filter(entry -> !entry.ended).findAny().orElse(null);
        world.require(open == null, Rule.END_ONCE, () -> "acquired while a term had not ended");
        if (acquire.attempt() != lastAcquire) {
            world.require(
                    !acquireUnknown || acquire.epoch() != lastAcquireEpoch || concludedUpTo >= lastAcquire,
                    Rule.ONE_GRANT,
                    () -> "attempt " + lastAcquire
                            + " has an unknown outcome, and was neither asked for again nor released");
            acquireUnknown = false;
        }
        world.require(acquire.floor() == 0 || healing != null, Rule.HEALING, () -> "a floor without a refused seal");
        if (acquire.floor() == 0) {
            healing = null;
        }
        listenersReturned("acquired", false);
        world.require(
                acquire.floor() != 0 || acquire.attempt() == lastAcquire || mono() >= backOffUntil,
                Rule.LISTENER,
                () -> "acquired while backing off");
        lastAcquire = acquire.attempt();
        lastAcquireEpoch = acquire.epoch();
    }

    private long mono() {
        return seat.process().node().clocks().mono(world.now());
    }

    /** No call of an ended term still runs; or, for a release, its grace has passed and this was reported. */
    private void listenersReturned(String what, boolean orOverran) {
        seat.listener()
                .runningFor()
                .map(term -> term(term.stamp().termId()))
                .ifPresent(entry -> world.require(
                        !entry.ended
                                || (orOverran && entry.overran)
                                || (entry.running.isEmpty() && entry.deposedCalled),
                        Rule.ONE_LISTENER,
                        () -> what + " while a call of term " + entry.grant.token() + " was running"));
        for (Entry entry : terms.values()) {
            world.require(
                    entry.running.isEmpty() || (orOverran && entry.overran),
                    Rule.ONE_LISTENER,
                    () -> what + " while the listener of term " + entry.grant.token() + " had not returned");
        }
    }

    private void releases(RoleEffect.SendRelease release) {
        world.require(
                release.attempt() >= lastAcquire,
                Rule.CONCLUDED,
                () -> "released attempt " + release.attempt() + ", below attempt " + lastAcquire);
        listenersReturned("released", true);
        concludedUpTo = Math.max(concludedUpTo, release.attempt());
        lastRelease = release.attempt();
        lastReleaseEpoch = release.epoch();
        healing = null;
    }

    private void prepares(Grant grant) {
        Entry entry = requireOpen(grant.token(), "prepared");
        if (entry != null) {
            world.require(!entry.prepareCalled, Rule.END_ONCE, () -> "prepared twice");
            requiredAreSealed(entry, "prepared");
            listenersReturned("prepared", false);
            entry.prepareCalled = true;
            entry.running.add(Callback.PREPARE);
        }
    }

    private void elects(FencingToken token) {
        Entry entry = requireOpen(token, "elected");
        if (entry != null) {
            requiredAreSealed(entry, "elected");
            world.require(entry.prepared, Rule.SEALED_FIRST, () -> "elected before it was prepared");
            world.require(!entry.electedCalled, Rule.END_ONCE, () -> "elected twice");
            listenersReturned("elected", false);
            entry.electedCalled = true;
            entry.running.add(Callback.ELECTED);
            world.sometimes(Sometimes.TERM_LED);
        }
    }

    private @Nullable Entry requireOpen(FencingToken token, String what) {
        Entry entry = term(token);
        world.require(entry != null && !entry.ended, Rule.FINAL, () -> what + " in term " + token + ", which is over");
        return entry;
    }

    private void requiredAreSealed(Entry entry, String what) {
        seat.plan().resources().keySet().stream()
                .filter(seat::requires)
                .forEach(resource -> world.require(
                        entry.sealed.contains(resource),
                        Rule.SEALED_FIRST,
                        () -> what + " before " + resource + " was sealed"));
    }

    private void deposes(FencingToken token) {
        Entry entry = term(token);
        if (entry != null) {
            world.require(entry.electedCalled, Rule.END_ONCE, () -> "deposed without having been elected");
            world.require(!entry.deposedCalled, Rule.END_ONCE, () -> "deposed twice");
            world.require(entry.ended, Rule.END_ONCE, () -> "deposed before the end of the term");
            entry.deposedCalled = true;
            entry.running.add(Callback.DEPOSED);
        }
    }

    private void ends(RoleEffect.EndTerm end) {
        Entry entry = term(end.token());
        world.require(
                entry != null && !entry.ended,
                Rule.END_ONCE,
                () -> "term " + end.token() + " ended twice, or never was");
        if (entry == null) {
            return;
        }
        entry.ended = true;
        Reason reason = end.end().reason();
        world.require(
                !AFTER_ITS_WORK.contains(reason) || !entry.running.contains(Callback.ELECTED),
                Rule.DRAIN,
                () -> "ended by " + reason + " while its work ran");
        if (reason == Reason.HEALED) {
            heals(entry);
        } else if (reason == Reason.LOST_AT_STORE) {
            world.require(
                    !names(world.store().view(seat.role()), entry.grant)
                            || world.store().view(seat.role()).claimable()
                            || world.hasForgotten(),
                    Rule.CONTRADICTED,
                    () -> "ended as lost at the store, which still holds it for this term");
        }
    }

    private void heals(Entry entry) {
        world.require(!entry.healed, Rule.HEALING, () -> "healed twice in a row");
        world.require(!entry.prepareCalled, Rule.HEALING, () -> "healed a term that its listener knew of");
        world.require(
                entry.refusal == Refusal.STALE || entry.refusal == Refusal.SAME_TOKEN_OTHER_TERM,
                Rule.HEALING,
                () -> "healed after " + entry.refusal);
        healings++;
        world.require(healings <= HEALINGS, Rule.HEALING, () -> "healed " + healings + " times within an hour");
        healing = entry;
    }

    private void emits(Event emitted) {
        if (emitted instanceof Event.BackedOff backedOff) {
            backOffUntil = mono() + backedOff.delay().toNanos();
        }
        if (emitted instanceof Event.ListenerOverran overran) {
            Entry entry = term(overran.token());
            if (entry != null) {
                entry.overran = true;
            }
        }
    }

    /** After the effects of a step were carried out. */
    void stepped() {
        RoleEvent told = event;
        RunTerm current = seat.term();
        if (current != null && current.isValid()) {
            Phase.Kind phase = seat.phase();
            world.require(
                    phase == Phase.Kind.PREPARING || phase == Phase.Kind.LEADING || phase == Phase.Kind.RESIGNING,
                    Rule.VALID_PHASE,
                    () -> "valid in " + phase + " after " + told);
            Entry entry = term(current.stamp().termId());
            world.require(entry != null && !entry.ended, Rule.FINAL, () -> "valid after the end of the term");
        }
    }

    // At the end

    /** Whether nothing is open any more. */
    void closes() {
        terms.values()
                .forEach(entry -> world.require(
                        entry.ended,
                        Rule.NOTHING_LEAKS,
                        () -> "term " + entry.grant.token() + " of " + seat.candidate() + " has not ended"));
        terms.values()
                .forEach(entry -> world.require(
                        !entry.electedCalled || entry.deposedCalled,
                        Rule.END_ONCE,
                        () -> "term " + entry.grant.token() + " was elected and never deposed"));
        world.require(closed, Rule.NOTHING_LEAKS, () -> seat.candidate() + " has not closed its role");
    }
}
