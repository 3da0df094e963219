package dev.signet.simulation;

import dev.signet.election.role.RoleEvent;
import dev.signet.election.role.RoleMachine;
import dev.signet.election.role.RoleState;
import dev.signet.election.session.SessionEvent;
import dev.signet.election.session.SessionMachine;
import dev.signet.election.session.SessionState;
import dev.signet.observe.Event;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The story of a run, told line by line: time, node, what was heard, where that led, what was done. */
class Trace {

    /** Tells nobody. */
    static final Trace SILENT = new Trace();

    void begins(World world, long seed) {}

    void says(String who, Supplier<String> what) {}

    void session(Incarnation process, SessionEvent event, SessionState before, SessionMachine.Step step) {}

    void role(Seat seat, RoleEvent event, RoleState before, RoleMachine.Step step) {}

    void event(Incarnation process, Event event) {}

    /** A trace for people. */
    static Trace to(Consumer<String> lines) {
        return new Story(lines);
    }

    private static final class Story extends Trace {

        private final Consumer<String> lines;
        private @Nullable World world;

        Story(Consumer<String> lines) {
            this.lines = lines;
        }

        @Override
        void begins(World next, long seed) {
            world = next;
            Climate climate = next.climate();
            lines.accept("seed " + seed + ": " + climate.nodes() + " nodes, " + climate.roles() + " roles, lease "
                    + climate.timing().leaseDuration().toMillis() + " ms, "
                    + (climate.digests() ? "renewals carry digests" : "renewals carry no digests") + ", faults "
                    + climate.faults());
        }

        @Override
        void says(String who, Supplier<String> what) {
            line(who, what.get());
        }

        @Override
        void session(Incarnation process, SessionEvent event, SessionState before, SessionMachine.Step step) {
            if (step.effects().isEmpty() && step.state().equals(before)) {
                return;
            }
            line(process.id().toString(), event + "  =>  " + name(step.state()) + "  " + step.effects());
        }

        @Override
        void role(Seat seat, RoleEvent event, RoleState before, RoleMachine.Step step) {
            if (step.effects().isEmpty() && step.state().equals(before)) {
                return;
            }
            line(
                    seat.candidate() + " " + seat.role(),
                    event + "  =>  " + step.state().phase().kind() + "  " + step.effects());
        }

        private static String name(SessionState state) {
            return state.getClass().getSimpleName().toUpperCase(java.util.Locale.ROOT);
        }

        private void line(String who, String what) {
            World there = world;
            double seconds = there == null ? 0 : there.now() / (double) Agenda.SECOND;
            lines.accept(String.format(java.util.Locale.ROOT, "%9.3f s  %-14s  %s", seconds, who, what));
        }
    }
}
