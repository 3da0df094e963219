package dev.signet.simulation;

import dev.signet.election.session.SessionEffect;
import dev.signet.election.session.SessionEvent;
import dev.signet.election.session.SessionMachine;
import dev.signet.election.session.SessionMachine.Step;
import dev.signet.election.session.SessionState;
import dev.signet.time.Reading;
import java.time.Duration;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** What a broken session machine would do. */
final class SessionMutants {

    private SessionMutants() {}

    static List<Mutant> all() {
        return List.of(
                new Mutant(
                        "deadline-from-the-answer",
                        "R4",
                        "counts the deadline from when the answer came",
                        DeadlineFromAnswer::new),
                new Mutant(
                        "late-answer-revives",
                        "R5",
                        "takes an answer that comes after the deadline",
                        LateAnswerRevives::new),
                new Mutant(
                        "lost-comes-back",
                        "R5",
                        "goes on with a lost session when its answer comes",
                        LostComesBack::new),
                new Mutant(
                        "old-answer-confirms",
                        "R5",
                        "takes an answer from before the pause for a confirmation",
                        OldAnswerConfirms::new),
                new Mutant("monotonic-clock-only", "R4", "does not look at the wall clock", MonotonicOnly::new),
                new Mutant("pause-deposes", "R5", "loses the session because of a pause alone", PauseDeposes::new),
                new Mutant(
                        "deadline-never-checked",
                        "R4",
                        "does not look at its deadline when it ticks",
                        DeadlineNeverChecked::new),
                new Mutant(
                        "deadline-not-withdrawn",
                        "R4",
                        "leaves the deadline published when it is lost",
                        () -> without(SessionEffect.WithdrawDeadline.class::isInstance)),
                new Mutant(
                        "lost-session-closed",
                        "C3",
                        "closes a lost session at the store, before its lease is over",
                        LostSessionClosed::new),
                new Mutant(
                        "unknown-renewal-is-gone",
                        "R6",
                        "takes an unanswered renewal for a refused one",
                        UnknownIsGone::new),
                new Mutant(
                        "no-reconcile",
                        "R6",
                        "never asks the store what it holds",
                        () -> without(SessionEffect.Reconcile.class::isInstance)));
    }

    private static Twist without(Predicate<SessionEffect> dropped) {
        return new Twist() {
            @Override
            Step steps(SessionMachine machine, SessionState before, SessionEvent event, Reading now) {
                Step honest = machine.step(before, event, now);
                return new Step(
                        honest.state(),
                        honest.effects().stream().filter(dropped.negate()).toList());
            }
        };
    }

    private static boolean does(Step step, Class<? extends SessionEffect> kind) {
        return step.effects().stream().anyMatch(kind::isInstance);
    }

    private static final class DeadlineFromAnswer extends Twist {
        @Override
        Step steps(SessionMachine machine, SessionState before, SessionEvent event, Reading now) {
            if (event instanceof SessionEvent.Renewed renewed) {
                return machine.step(
                        before, new SessionEvent.Renewed(renewed.epoch(), renewed.seq(), now, renewed.match()), now);
            }
            return machine.step(before, event, now);
        }
    }

    private static final class LateAnswerRevives extends Twist {
        @Override
        Step steps(SessionMachine machine, SessionState before, SessionEvent event, Reading now) {
            return machine.step(before, event, event instanceof SessionEvent.Renewed renewed ? renewed.sentAt() : now);
        }
    }

    private static final class LostComesBack extends Twist {

        private final IdentityHashMap<SessionMachine, SessionState> lost = new IdentityHashMap<>();
        private final IdentityHashMap<SessionMachine, Long> epochs = new IdentityHashMap<>();

        @Override
        Step steps(SessionMachine machine, SessionState before, SessionEvent event, Reading now) {
            SessionState remembered = lost.get(machine);
            if (event instanceof SessionEvent.Renewed renewed
                    && remembered != null
                    && epochs.getOrDefault(machine, 0L) == renewed.epoch()) {
                return machine.step(remembered, event, renewed.sentAt());
            }
            Step honest = machine.step(before, event, now);
            for (SessionEffect effect : honest.effects()) {
                if (effect instanceof SessionEffect.NotifyLost gone) {
                    lost.put(machine, before);
                    epochs.put(machine, gone.epoch());
                }
            }
            return honest;
        }
    }

    private static final class OldAnswerConfirms extends Twist {
        @Override
        Step steps(SessionMachine machine, SessionState before, SessionEvent event, Reading now) {
            if (event instanceof SessionEvent.Renewed renewed) {
                return machine.step(
                        before,
                        new SessionEvent.Renewed(renewed.epoch(), Long.MAX_VALUE, renewed.sentAt(), renewed.match()),
                        now);
            }
            return machine.step(before, event, now);
        }
    }

    private static final class MonotonicOnly extends Twist {
        @Override
        Reading reads(Reading honest, long suspendedNanos) {
            return new Reading(honest.monoNanos(), honest.wallMillis() - suspendedNanos / Agenda.MILLI);
        }
    }

    private static final class PauseDeposes extends Twist {
        @Override
        Step steps(SessionMachine machine, SessionState before, SessionEvent event, Reading now) {
            Step honest = machine.step(before, event, now);
            for (SessionEffect effect : honest.effects()) {
                if (effect instanceof SessionEffect.NotifySuspended suspended) {
                    Step lost = machine.step(
                            honest.state(), new SessionEvent.RenewGone(suspended.epoch(), Long.MAX_VALUE), now);
                    List<SessionEffect> both = new ArrayList<>(honest.effects());
                    both.addAll(lost.effects());
                    return new Step(lost.state(), both);
                }
            }
            return honest;
        }
    }

    private static final class DeadlineNeverChecked extends Twist {
        @Override
        Step steps(SessionMachine machine, SessionState before, SessionEvent event, Reading now) {
            Step honest = machine.step(before, event, now);
            boolean passed =
                    does(honest, SessionEffect.NotifySuspended.class) || does(honest, SessionEffect.NotifyLost.class);
            return event instanceof SessionEvent.Tick && passed
                    ? new Step(before, List.of(new SessionEffect.ScheduleTick(Duration.ofSeconds(1))))
                    : honest;
        }
    }

    private static final class LostSessionClosed extends Twist {
        @Override
        Step steps(SessionMachine machine, SessionState before, SessionEvent event, Reading now) {
            Step honest = machine.step(before, event, now);
            @Nullable SessionEffect close = null;
            for (SessionEffect effect : honest.effects()) {
                if (effect instanceof SessionEffect.NotifyLost lost) {
                    close = new SessionEffect.SendClose(lost.epoch());
                }
            }
            if (close == null) {
                return honest;
            }
            List<SessionEffect> more = new ArrayList<>(honest.effects());
            more.add(close);
            return new Step(honest.state(), more);
        }
    }

    private static final class UnknownIsGone extends Twist {
        @Override
        Step steps(SessionMachine machine, SessionState before, SessionEvent event, Reading now) {
            return machine.step(
                    before,
                    event instanceof SessionEvent.RenewUnknown unknown
                            ? new SessionEvent.RenewGone(unknown.epoch(), unknown.seq())
                            : event,
                    now);
        }
    }
}
