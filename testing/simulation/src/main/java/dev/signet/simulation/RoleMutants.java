package dev.signet.simulation;

import dev.signet.FencingToken;
import dev.signet.Role;
import dev.signet.TermEnd;
import dev.signet.TermId;
import dev.signet.election.role.Callback;
import dev.signet.election.role.Phase;
import dev.signet.election.role.RoleEffect;
import dev.signet.election.role.RoleEvent;
import dev.signet.election.role.RoleMachine;
import dev.signet.election.role.RoleMachine.Step;
import dev.signet.election.role.RoleState;
import dev.signet.election.role.Standing;
import dev.signet.election.role.Tenure;
import dev.signet.election.role.Timer;
import dev.signet.fence.Refusal;
import dev.signet.fence.SealRefusal;
import dev.signet.observe.Event;
import dev.signet.store.Grant;
import dev.signet.store.NotGranted;
import dev.signet.store.RoleView;
import dev.signet.time.Reading;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;

/** What a broken role machine would do. */
final class RoleMutants {

    private RoleMutants() {}

    static List<Mutant> all() {
        return List.of(
                of(
                        "no-seal",
                        "R3",
                        "takes every resource for sealed",
                        foldingOn(
                                RoleEffect.SendSeal.class,
                                true,
                                (state, seal) ->
                                        new RoleEvent.Sealed(seal.stamp().termId(), seal.resource()))),
                of(
                        "unknown-seal-is-done",
                        "R3, R6",
                        "takes an unanswered seal for done",
                        hearing((state, event) -> event instanceof RoleEvent.SealUnknown seal
                                ? new RoleEvent.Sealed(seal.term(), seal.resource())
                                : event)),
                of(
                        "refused-seal-is-done",
                        "R3",
                        "takes a refused seal for done",
                        hearing((state, event) -> event instanceof RoleEvent.SealRefused seal
                                ? new RoleEvent.Sealed(seal.term(), seal.resource())
                                : event)),
                of("one-seal-is-enough", "R3", "leads when the first of its resources is sealed", OneSealIsEnough::new),
                of(
                        "leads-unprepared",
                        "R3",
                        "leads before its preparation has returned",
                        foldingOn(
                                RoleEffect.CallPrepare.class,
                                false,
                                (state, call) -> new RoleEvent.CallbackReturned(
                                        call.grant().termId(), Callback.PREPARE, new RoleEvent.Outcome.Returned()))),
                of(
                        "unknown-acquire-is-refused",
                        "R6",
                        "takes a new attempt after an unanswered one",
                        hearing((state, event) -> event instanceof RoleEvent.AcquireUnknown unknown
                                ? new RoleEvent.Declined(unknown.attempt(), moved(state))
                                : event)),
                of(
                        "unknown-release-is-done",
                        "R6",
                        "takes an unanswered release for done",
                        hearing((state, event) -> event instanceof RoleEvent.ReleaseUnknown unknown
                                ? new RoleEvent.Released(
                                        unknown.attempt(), moved(state).view())
                                : event)),
                of("acquire-left-unreleased", "R6", "leaves an unanswered acquire without a release", AcquireLeft::new),
                of(
                        "orphan-kept",
                        "R6",
                        "keeps a grant that nobody knows of",
                        hearing((state, event) -> event instanceof RoleEvent.Reconciled found
                                        && state.grantedAttempt() == 0
                                ? new RoleEvent.Reconciled(found.epoch(), found.grantedAttempt(), Optional.empty())
                                : event)),
                of(
                        "release-of-attempt-before",
                        "R6",
                        "releases an attempt too few",
                        mapping(effect -> effect instanceof RoleEffect.SendRelease release
                                ? new RoleEffect.SendRelease(
                                        release.epoch(), release.attempt() - 1, release.expectedVersion())
                                : effect)),
                of("end-comes-last", "R8", "ends the term after what follows from its end", EndComesLast::new),
                of("ends-twice", "R8", "ends a term twice", EndsTwice::new),
                of(
                        "never-deposed",
                        "R8",
                        "does not tell the listener of the end",
                        foldingOn(
                                RoleEffect.CallDeposed.class,
                                true,
                                (state, call) -> new RoleEvent.CallbackReturned(
                                        held(state), Callback.DEPOSED, new RoleEvent.Outcome.Returned()))),
                of("no-wait-for-listener", "R8", "campaigns before the listener has returned", NoWaitForListener::new),
                of(
                        "no-drain",
                        "R8",
                        "ends a term that is asked to end while its work runs",
                        foldingOn(
                                RoleEffect.SignalDraining.class,
                                false,
                                (state, drain) -> new RoleEvent.CallbackReturned(
                                        held(state), Callback.ELECTED, new RoleEvent.Outcome.Returned()))),
                of(
                        "failed-listener-leads",
                        "R8",
                        "leads on when the listener threw or was not taken",
                        hearing((state, event) -> event instanceof RoleEvent.CallbackReturned returned
                                ? new RoleEvent.CallbackReturned(
                                        returned.term(), returned.callback(), new RoleEvent.Outcome.Returned())
                                : event)),
                of("no-back-off", "R8", "campaigns at once after its application failed", NoBackOff::new),
                of(
                        "fence-refusal-ignored",
                        "R2",
                        "goes on when a resource says that the term is over",
                        deaf(RoleEvent.FenceRefused.class::isInstance)),
                of(
                        "watch-contradiction-ignored",
                        "R6",
                        "goes on when the record names another",
                        deafWithTerm(RoleEvent.Observed.class::isInstance)),
                of(
                        "older-version-believed",
                        "C8",
                        "takes an older view of the record for a newer one",
                        hearing((state, event) -> event instanceof RoleEvent.Observed observed
                                        && state.tenure().isPresent()
                                ? new RoleEvent.Observed(withVersion(observed.view(), Long.MAX_VALUE))
                                : event)),
                of(
                        "lost-session-ignored",
                        "R5",
                        "goes on when its session is lost",
                        deafWithTerm(RoleEvent.SessionLost.class::isInstance)),
                of(
                        "suspension-ignored",
                        "R5",
                        "treats a suspended term as any other",
                        deafWithTerm(RoleEvent.SessionSuspended.class::isInstance)),
                of(
                        "heals-without-asking",
                        "R12",
                        "gives itself the token above what the fence has seen",
                        HealsWithoutAsking::new),
                of("heals-without-cap", "R12", "heals as often as it is refused", HealsWithoutCap::new),
                of("heals-twice", "R12", "heals a term that was itself a healing", HealsTwice::new),
                of(
                        "remembers-what-is-gone",
                        "C2",
                        "goes by what it saw of a store that was restored since",
                        RemembersWhatIsGone::new),
                of(
                        "heals-foreign-store",
                        "R12",
                        "heals at a fence of another store",
                        hearing((state, event) -> event instanceof RoleEvent.SealRefused seal
                                        && seal.refusal().refusal() == Refusal.FOREIGN_STORE
                                ? new RoleEvent.SealRefused(
                                        seal.term(),
                                        seal.resource(),
                                        new SealRefusal(
                                                Refusal.STALE,
                                                seal.refusal().highest(),
                                                seal.refusal().message()))
                                : event)),
                of("acts-after-closing", "R8", "campaigns after it has closed", ActsAfterClosing::new));
    }

    private static Mutant of(String name, String rule, String what, Supplier<Twist> twist) {
        return new Mutant(name, rule, what, twist);
    }

    private static TermId held(RoleState state) {
        return state.tenure().orElseThrow().grant().termId();
    }

    private static NotGranted moved(RoleState state) {
        RoleView view = state.standing()
                .seen()
                .orElseGet(() -> RoleView.absent(state.standing().plan().role()));
        return new NotGranted(NotGranted.Reason.MOVED, view);
    }

    private static RoleView withVersion(RoleView view, long version) {
        return new RoleView(
                view.role(),
                version,
                view.lastToken(),
                view.holder(),
                view.claimable(),
                view.claimableIn(),
                view.reservation());
    }

    // Kinds of lies

    private abstract static class Lie extends Twist {

        /** The honest step, then one for each of the events that the lie makes up. */
        static Step fold(Step first, List<RoleEvent> madeUp, Reading now, TermId fresh) {
            RoleState state = first.state();
            List<RoleEffect> effects = new ArrayList<>(first.effects());
            for (RoleEvent event : madeUp) {
                Step next = RoleMachine.step(state, event, now, fresh);
                state = next.state();
                effects.addAll(next.effects());
            }
            return new Step(state, effects);
        }

        static Step without(Step step, Predicate<RoleEffect> dropped) {
            return new Step(
                    step.state(),
                    step.effects().stream().filter(dropped.negate()).toList());
        }
    }

    /** Hears something else than was said. */
    private static Supplier<Twist> hearing(BiFunction<RoleState, RoleEvent, RoleEvent> ear) {
        return () -> new Twist() {
            @Override
            Step steps(RoleState before, RoleEvent event, Reading now, TermId fresh) {
                return RoleMachine.step(before, ear.apply(before, event), now, fresh);
            }
        };
    }

    /** Does not hear some of what is said. */
    private static Supplier<Twist> deaf(Predicate<RoleEvent> unheard) {
        return () -> new Twist() {
            @Override
            Step steps(RoleState before, RoleEvent event, Reading now, TermId fresh) {
                return unheard.test(event) ? new Step(before, List.of()) : RoleMachine.step(before, event, now, fresh);
            }
        };
    }

    private static Supplier<Twist> deafWithTerm(Predicate<RoleEvent> unheard) {
        return () -> new Twist() {
            @Override
            Step steps(RoleState before, RoleEvent event, Reading now, TermId fresh) {
                return before.tenure().isPresent() && unheard.test(event)
                        ? new Step(before, List.of())
                        : RoleMachine.step(before, event, now, fresh);
            }
        };
    }

    private static Supplier<Twist> mapping(Function<RoleEffect, RoleEffect> hand) {
        return () -> new Twist() {
            @Override
            Step steps(RoleState before, RoleEvent event, Reading now, TermId fresh) {
                Step honest = RoleMachine.step(before, event, now, fresh);
                return new Step(
                        honest.state(), honest.effects().stream().map(hand).toList());
            }
        };
    }

    /** Makes up the answer to an effect of a kind, and drops the effect or not. */
    private static <E extends RoleEffect> Supplier<Twist> foldingOn(
            Class<E> kind, boolean instead, BiFunction<RoleState, E, RoleEvent> answer) {
        return () -> new Lie() {
            @Override
            Step steps(RoleState before, RoleEvent event, Reading now, TermId fresh) {
                Step honest = RoleMachine.step(before, event, now, fresh);
                List<RoleEvent> madeUp = honest.effects().stream()
                        .filter(kind::isInstance)
                        .map(kind::cast)
                        .map(effect -> answer.apply(before, effect))
                        .toList();
                Step kept = instead ? without(honest, kind::isInstance) : honest;
                return fold(kept, madeUp, now, fresh);
            }
        };
    }

    // Lies of their own

    private static final class OneSealIsEnough extends Lie {
        @Override
        Step steps(RoleState before, RoleEvent event, Reading now, TermId fresh) {
            Step honest = RoleMachine.step(before, event, now, fresh);
            if (!(event instanceof RoleEvent.Sealed sealed)) {
                return honest;
            }
            List<RoleEvent> others = before.standing().plan().resources().keySet().stream()
                    .map(resource -> (RoleEvent) new RoleEvent.Sealed(sealed.term(), resource))
                    .toList();
            return fold(honest, others, now, fresh);
        }
    }

    private static final class AcquireLeft extends Lie {
        @Override
        Step steps(RoleState before, RoleEvent event, Reading now, TermId fresh) {
            Step honest = RoleMachine.step(before, event, now, fresh);
            if (before.phase().kind() != Phase.Kind.ACQUIRING
                    || !(event instanceof RoleEvent.Resign || event instanceof RoleEvent.Close)) {
                return honest;
            }
            List<RoleEvent> released = honest.effects().stream()
                    .filter(RoleEffect.SendRelease.class::isInstance)
                    .map(RoleEffect.SendRelease.class::cast)
                    .map(release -> (RoleEvent) new RoleEvent.Released(
                            release.attempt(), moved(before).view()))
                    .toList();
            return fold(without(honest, RoleEffect.SendRelease.class::isInstance), released, now, fresh);
        }
    }

    private static final class EndComesLast extends Lie {
        @Override
        Step steps(RoleState before, RoleEvent event, Reading now, TermId fresh) {
            Step honest = RoleMachine.step(before, event, now, fresh);
            List<RoleEffect> sorted = new ArrayList<>(honest.effects());
            sorted.sort(Comparator.comparing(RoleEffect.EndTerm.class::isInstance));
            return new Step(honest.state(), sorted);
        }
    }

    private static final class EndsTwice extends Lie {
        @Override
        Step steps(RoleState before, RoleEvent event, Reading now, TermId fresh) {
            Step honest = RoleMachine.step(before, event, now, fresh);
            if (!(event instanceof RoleEvent.CallbackReturned)) {
                return honest;
            }
            List<RoleEffect> more = new ArrayList<>(honest.effects());
            honest.effects().stream()
                    .filter(RoleEffect.EndTerm.class::isInstance)
                    .forEach(more::add);
            return new Step(honest.state(), more);
        }
    }

    private static final class NoWaitForListener extends Lie {
        @Override
        Step steps(RoleState before, RoleEvent event, Reading now, TermId fresh) {
            Step honest = RoleMachine.step(withoutOverrun(before), event, now, fresh);
            boolean waits = honest.state().phase().kind() == Phase.Kind.ENDING
                    && before.phase().kind() != Phase.Kind.ENDING;
            if (!waits) {
                return honest;
            }
            Step left = fold(honest, List.of(new RoleEvent.TimerFired(new Timer.Grace())), now, fresh);
            return without(
                    new Step(withoutOverrun(left.state()), left.effects()),
                    effect -> effect instanceof RoleEffect.Emit emit && emit.event() instanceof Event.ListenerOverran);
        }

        private static RoleState withoutOverrun(RoleState state) {
            Standing standing = state.standing();
            return new RoleState(
                    new Standing(
                            standing.plan(),
                            standing.wish(),
                            standing.pulse(),
                            standing.lastAttempt(),
                            standing.seen(),
                            standing.failures(),
                            standing.backingOff(),
                            standing.healings(),
                            standing.transferTo(),
                            Optional.empty()),
                    state.phase());
        }
    }

    private static Standing with(Standing standing, boolean backingOff, List<Reading> healings) {
        return new Standing(
                standing.plan(),
                standing.wish(),
                standing.pulse(),
                standing.lastAttempt(),
                standing.seen(),
                standing.failures(),
                backingOff,
                healings,
                standing.transferTo(),
                standing.overrun());
    }

    private static final class NoBackOff extends Lie {
        @Override
        Step steps(RoleState before, RoleEvent event, Reading now, TermId fresh) {
            Standing eager = with(before.standing(), false, before.standing().healings());
            return RoleMachine.step(new RoleState(eager, before.phase()), event, now, fresh);
        }
    }

    private static final class HealsWithoutCap extends Lie {
        @Override
        Step steps(RoleState before, RoleEvent event, Reading now, TermId fresh) {
            Standing forgetful = with(before.standing(), before.standing().backingOff(), List.of());
            return RoleMachine.step(new RoleState(forgetful, before.phase()), event, now, fresh);
        }
    }

    /** Takes the grant that heals for one that does not, so that it may be healed again. */
    private static final class HealsTwice extends Lie {

        private final Set<Role> healing = new TreeSet<>();
        private Optional<Phase> waiting = Optional.empty();

        @Override
        Step steps(RoleState before, RoleEvent event, Reading now, TermId fresh) {
            if (before.phase().kind() == Phase.Kind.WAITING) {
                waiting = Optional.of(before.phase());
            }
            Role role = before.standing().plan().role();
            if (event instanceof RoleEvent.Granted granted
                    && before.phase().kind() == Phase.Kind.ACQUIRING
                    && granted.grant().attempt() == before.standing().lastAttempt()
                    && waiting.isPresent()
                    && healing.remove(role)) {
                RoleView open =
                        withVersion(RoleView.absent(role), granted.grant().version() - 1);
                Standing standing = before.standing();
                RoleState asking = new RoleState(
                        new Standing(
                                standing.plan(),
                                Standing.Wish.CAMPAIGN,
                                standing.pulse(),
                                standing.lastAttempt() - 1,
                                Optional.of(open),
                                standing.failures(),
                                false,
                                standing.healings(),
                                standing.transferTo(),
                                standing.overrun()),
                        waiting.get());
                Step asked = RoleMachine.step(
                        asking,
                        new RoleEvent.Observed(open),
                        now,
                        granted.grant().termId());
                return RoleMachine.step(asked.state(), event, now, fresh);
            }
            Step honest = RoleMachine.step(before, event, now, fresh);
            boolean heals = honest.effects().stream()
                    .anyMatch(effect -> effect instanceof RoleEffect.EndTerm end
                            && end.end().reason() == TermEnd.Reason.HEALED);
            if (heals) {
                healing.add(role);
            }
            return honest;
        }
    }

    private static final class RemembersWhatIsGone extends Lie {
        @Override
        Step steps(RoleState before, RoleEvent event, Reading now, TermId fresh) {
            Optional<RoleView> seen = before.standing().seen();
            if (event instanceof RoleEvent.Observed observed
                    && seen.filter(view -> view.version() > observed.view().version())
                            .isPresent()) {
                return new Step(before, List.of());
            }
            Step honest = RoleMachine.step(before, event, now, fresh);
            Standing after = honest.state().standing();
            boolean older = seen.isPresent()
                    && after.seen().map(RoleView::version).orElse(-1L)
                            < seen.get().version();
            return older
                    ? new Step(
                            new RoleState(
                                    new Standing(
                                            after.plan(),
                                            after.wish(),
                                            after.pulse(),
                                            after.lastAttempt(),
                                            seen,
                                            after.failures(),
                                            after.backingOff(),
                                            after.healings(),
                                            after.transferTo(),
                                            after.overrun()),
                                    honest.state().phase()),
                            honest.effects())
                    : honest;
        }
    }

    private static final class HealsWithoutAsking extends Lie {
        @Override
        Step steps(RoleState before, RoleEvent event, Reading now, TermId fresh) {
            Step honest = RoleMachine.step(before, event, now, fresh);
            Optional<Tenure> held = before.tenure();
            if (held.isEmpty()) {
                return honest;
            }
            List<RoleEvent> granted = honest.effects().stream()
                    .filter(RoleEffect.SendAcquire.class::isInstance)
                    .map(RoleEffect.SendAcquire.class::cast)
                    .map(acquire -> {
                        Grant old = held.get().grant();
                        return (RoleEvent) new RoleEvent.Granted(new Grant(
                                old.role(),
                                FencingToken.of(acquire.floor() + 1),
                                acquire.termId(),
                                old.storeId(),
                                acquire.attempt(),
                                old.version() + 1));
                    })
                    .toList();
            return granted.isEmpty()
                    ? honest
                    : fold(without(honest, RoleEffect.SendAcquire.class::isInstance), granted, now, fresh);
        }
    }

    private static final class ActsAfterClosing extends Lie {
        @Override
        Step steps(RoleState before, RoleEvent event, Reading now, TermId fresh) {
            Step honest = RoleMachine.step(before, event, now, fresh);
            if (before.phase().kind() != Phase.Kind.CLOSED) {
                return honest;
            }
            List<RoleEffect> more = new ArrayList<>(honest.effects());
            more.add(new RoleEffect.Watch());
            return new Step(honest.state(), more);
        }
    }
}
