package dev.signet.simulation;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A host: its clocks, and what of its one process can run now. What falls due while a lane stands still waits, and runs
 * when the lane goes on.
 */
final class Node {

    /** What can stand still by itself. */
    enum Lane {
        /** The event loop and what feeds it. */
        LOOP,
        /** The application: listeners and writers. */
        APPLICATION
    }

    private final World world;
    private final String name;
    private final Clocks clocks;
    private final List<Waiting> waiting = new ArrayList<>();
    private int pauses;
    private int starvations;
    private int cutsFromStore;
    private int cutsFromFences;
    private @Nullable Incarnation process;

    Node(World world, String name, Clocks clocks) {
        this.world = world;
        this.name = name;
        this.clocks = clocks;
    }

    String name() {
        return name;
    }

    Clocks clocks() {
        return clocks;
    }

    @Nullable
    Incarnation process() {
        return process;
    }

    void runs(@Nullable Incarnation next) {
        process = next;
        if (next == null) {
            waiting.clear();
        }
    }

    boolean isStill(Lane lane) {
        return pauses > 0 || (lane == Lane.LOOP && starvations > 0);
    }

    /** Runs the task at once, or when the lane goes on. */
    void run(Lane lane, Incarnation owner, Runnable task) {
        if (!owner.isRunning()) {
            return;
        }
        if (isStill(lane)) {
            waiting.add(new Waiting(lane, owner, task));
        } else {
            task.run();
        }
    }

    /** Runs the task once, when the node's monotonic clock has moved on by {@code nanos}. */
    Alarm schedule(Lane lane, Incarnation owner, long nanos, Runnable task) {
        Alarm alarm = new Alarm(lane, owner, clocks.mono(world.now()) + Math.max(0, nanos), task);
        alarm.arm();
        return alarm;
    }

    void pause() {
        pauses++;
    }

    void unpause() {
        pauses--;
        wake();
    }

    void starve() {
        starvations++;
    }

    void feed() {
        starvations--;
        wake();
    }

    private void wake() {
        if (pauses > 0) {
            return;
        }
        List<Waiting> due = new ArrayList<>(waiting);
        waiting.clear();
        // threads of the network and timers wake in no order
        if (world.dice().chance(0.6)) {
            for (int i = due.size() - 1; i > 0; i--) {
                Collections.swap(due, i, world.dice().below(i + 1));
            }
        }
        due.forEach(one -> run(one.lane, one.owner, one.task));
    }

    void cutFromStore(int by) {
        cutsFromStore += by;
    }

    void cutFromFences(int by) {
        cutsFromFences += by;
    }

    boolean isCutFrom(Network.Place place) {
        return place == Network.Place.STORE ? cutsFromStore > 0 : cutsFromFences > 0;
    }

    private record Waiting(Lane lane, Incarnation owner, Runnable task) {}

    /** A task for later. */
    final class Alarm implements Runnable {

        private final Lane lane;
        private final Incarnation owner;
        private final long due;
        private final Runnable task;
        private boolean over;

        private Alarm(Lane lane, Incarnation owner, long due, Runnable task) {
            this.lane = lane;
            this.owner = owner;
            this.due = due;
            this.task = task;
        }

        private void arm() {
            long left = due - clocks.mono(world.now());
            world.after(clocks.trueTimeFor(left), this::ring);
        }

        private void ring() {
            if (!over) {
                Node.this.run(lane, owner, this);
            }
        }

        /** The monotonic clock may have stood still meanwhile. */
        @Override
        public void run() {
            if (over) {
                return;
            }
            if (clocks.mono(world.now()) < due) {
                arm();
                return;
            }
            over = true;
            task.run();
        }

        void cancel() {
            over = true;
        }
    }
}
