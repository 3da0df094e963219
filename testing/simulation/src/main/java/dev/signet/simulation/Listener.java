package dev.signet.simulation;

import dev.signet.FencingToken;
import dev.signet.election.role.Callback;
import dev.signet.election.role.RoleEvent;
import dev.signet.election.role.RoleEvent.Outcome;
import java.util.ArrayDeque;
import java.util.Optional;
import java.util.Queue;
import org.jspecify.annotations.Nullable;

/**
 * An application's listener on its executor: one call at a time, in order; each takes time, may heed an interrupt or not,
 * may throw, may not be taken at all.
 */
final class Listener {

    /**
     * How a call behaves.
     *
     * @param nanos how long it runs if nothing ends it before
     * @param untilEnd whether it stays until its term drains or ends
     * @param heeds whether an interrupt ends it at once
     */
    record Manner(long nanos, Outcome outcome, boolean untilEnd, boolean heeds) {

        static final Manner QUICK = returns(5 * Agenda.MILLI);

        static Manner returns(long nanos) {
            return new Manner(nanos, new Outcome.Returned(), false, true);
        }

        static Manner throwsAfter(long nanos) {
            return new Manner(nanos, new Outcome.Threw("planned"), false, true);
        }

        static Manner staysUntilEnd() {
            return new Manner(20 * Agenda.MILLI, new Outcome.Returned(), true, true);
        }

        static Manner stubborn(long nanos) {
            return new Manner(nanos, new Outcome.Returned(), false, false);
        }

        static Manner rejected() {
            return new Manner(0, new Outcome.Rejected(), false, true);
        }
    }

    /** Decides how some calls behave. */
    interface Script {
        Optional<Manner> manner(Seat seat, Callback callback, FencingToken token);
    }

    private record Call(RunTerm term, Callback callback) {}

    private final World world;
    private final Seat seat;
    private final Queue<Call> waiting = new ArrayDeque<>();
    private @Nullable Call running;
    private @Nullable Manner manner;
    private Node.@Nullable Alarm end;

    Listener(World world, Seat seat) {
        this.world = world;
        this.seat = seat;
    }

    void call(RunTerm term, Callback callback) {
        Call call = new Call(term, callback);
        if (running != null) {
            waiting.add(call);
        } else {
            running = call;
            node().run(Node.Lane.APPLICATION, seat.process(), this::start);
        }
    }

    private Node node() {
        return seat.process().node();
    }

    private void start() {
        Call call = running;
        if (call == null) {
            return;
        }
        boolean over = call.term().isOver();
        Manner how = over && call.callback() != Callback.DEPOSED
                ? Manner.QUICK
                : world.listens(seat, call.callback(), call.term().token());
        manner = how;
        if (how.outcome() instanceof Outcome.Rejected) {
            finish();
        } else if (!how.untilEnd()) {
            endAfter(how.nanos());
        } else if (call.term().isDraining()) {
            endAfter(how.nanos());
        }
    }

    private void endAfter(long nanos) {
        if (end != null) {
            end.cancel();
        }
        end = node().schedule(Node.Lane.APPLICATION, seat.process(), nanos, this::finish);
    }

    /** The term was asked to end: whoever stays until then goes now. */
    void drain(RunTerm term) {
        Manner how = manner;
        if (isRunning(term) && how != null && how.untilEnd()) {
            endAfter(how.nanos());
        }
    }

    /** The term has ended: whoever heeds interrupts goes now. */
    void interrupt(RunTerm term) {
        if (!isRunning(term)) {
            return;
        }
        Manner how = manner;
        if (world.twist().takesInterruptForReturn()) {
            tell(running, new Outcome.Returned());
        }
        if (how != null && how.heeds()) {
            endAfter(Math.min(how.nanos(), world.dice().between(Agenda.MILLI, 200 * Agenda.MILLI)));
        } else if (how != null && how.untilEnd()) {
            endAfter(how.nanos());
        }
    }

    /** Faults have ended: whoever was stuck goes now. */
    void release() {
        Manner how = manner;
        if (running != null && how != null && !how.untilEnd()) {
            endAfter(world.dice().between(Agenda.MILLI, Agenda.SECOND));
        }
    }

    /** The term of the call that runs now. */
    Optional<RunTerm> runningFor() {
        Call call = running;
        return call == null ? Optional.empty() : Optional.of(call.term());
    }

    private boolean isRunning(RunTerm term) {
        Call call = running;
        return call != null && call.term() == term && call.callback() != Callback.DEPOSED;
    }

    private void finish() {
        Call call = running;
        Manner how = manner;
        if (call == null || how == null) {
            return;
        }
        manner = null;
        if (end != null) {
            end.cancel();
            end = null;
        }
        running = waiting.poll();
        tell(call, how.outcome());
        if (running != null) {
            node().run(Node.Lane.APPLICATION, seat.process(), this::start);
        }
    }

    private void tell(@Nullable Call call, Outcome outcome) {
        if (call != null) {
            node().run(
                            Node.Lane.LOOP,
                            seat.process(),
                            () -> seat.tell(new RoleEvent.CallbackReturned(
                                    call.term().stamp().termId(), call.callback(), outcome)));
        }
    }
}
