package dev.signet.simulation;

import dev.signet.Role;
import dev.signet.store.RoleView;

/** A watch as its node has it: views arrive in order; when the line breaks, the node is told some time later. */
final class WatchLine {

    private static final long LONGEST_TO_NOTICE = 4 * Agenda.SECOND;

    private final World world;
    private final Node node;
    private final Seat seat;
    private final long number;
    private long lastArrival;
    private boolean over;

    WatchLine(World world, Node node, Seat seat, long number) {
        this.world = world;
        this.node = node;
        this.seat = seat;
        this.number = number;
    }

    Role role() {
        return seat.role();
    }

    boolean isOver() {
        return over || !seat.watches(number);
    }

    void push(RoleView view) {
        if (isOver()) {
            return;
        }
        Network.Fate fate = world.network().decide(node, Network.Kind.WATCH, Network.Way.ANSWER);
        if (fate.lost()) {
            breakOff();
            return;
        }
        lastArrival = Math.max(lastArrival, world.now() + fate.delayNanos());
        world.after(
                lastArrival - world.now(),
                () -> node.run(Node.Lane.LOOP, seat.process(), () -> seat.observes(number, view)));
    }

    /** What was sent before may still arrive. */
    void breakOff() {
        if (!over) {
            over = true;
            long notice = lastArrival - world.now() + world.dice().between(Agenda.MILLI, LONGEST_TO_NOTICE);
            world.after(
                    Math.max(notice, Agenda.MILLI),
                    () -> node.run(Node.Lane.LOOP, seat.process(), () -> seat.watchBroke(number)));
        }
    }
}
