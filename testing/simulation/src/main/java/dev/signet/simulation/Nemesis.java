package dev.signet.simulation;

import dev.signet.Role;
import dev.signet.election.role.RoleEvent;
import dev.signet.lease.LeaseTiming;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Brings faults upon a world, and takes each of them back. */
final class Nemesis {

    private final World world;
    private final List<Fault> kinds;
    private final List<Undo> undos = new ArrayList<>();
    private boolean stopped;

    private static final class Undo implements Runnable {
        private final Runnable task;
        private boolean done;

        Undo(Runnable task) {
            this.task = task;
        }

        @Override
        public void run() {
            if (!done) {
                done = true;
                task.run();
            }
        }
    }

    Nemesis(World world) {
        this.world = world;
        this.kinds = List.copyOf(world.climate().faults());
        next();
    }

    private Dice dice() {
        return world.dice();
    }

    private void next() {
        if (kinds.isEmpty()) {
            return;
        }
        world.after(dice().between(0, 2 * world.climate().meanFaultNanos()), () -> {
            if (!stopped) {
                befall(dice().pick(kinds));
                next();
            }
        });
    }

    /** No fault begins any more, and all that lasted end. */
    void stop() {
        stopped = true;
        List.copyOf(undos).forEach(Undo::run);
    }

    private void undoAfter(long nanos, Runnable task) {
        Undo undo = new Undo(task);
        undos.add(undo);
        world.after(nanos, undo);
    }

    /** Around the lease, mostly. */
    private long while_() {
        LeaseTiming timing = world.climate().timing();
        long lease = timing.leaseDuration().toNanos();
        double kind = dice().between(0.0, 1.0);
        return kind < 0.4
                ? dice().between(100 * Agenda.MILLI, lease / 3)
                : kind < 0.9 ? dice().between(lease / 3, 3 * lease / 2) : dice().between(lease, 4 * lease);
    }

    private void befall(Fault fault) {
        Node node = dice().pick(world.nodes());
        switch (fault) {
            case PROCESS_PAUSED -> pause(node, while_());
            case HOST_SUSPENDED -> suspend(node, while_());
            case LOOP_STARVED -> starve(node, while_());
            case PROCESS_CRASHED -> crash(node, dice().between(0, 20 * Agenda.SECOND));
            case WALL_CLOCK_SET -> setWall(node);
            case CUT_FROM_STORE -> cutFromStore(node, while_());
            case CUT_FROM_FENCES -> cutFromFences(node, while_());
            case STORE_STOPPED -> stopStore(while_());
            case FENCE_STOPPED -> stopFence(dice().pick(world.fences()), while_());
            case STORE_RESTORED -> restoreStore();
            case STORE_WIPED -> wipeStore();
            case STORE_CLONED -> cloneStore(dice().pick(world.fences()), 1 + dice().below(6));
            case RESIGNED -> resign(node, dice().between(Agenda.MILLI, 10 * Agenda.SECOND));
            case TRANSFERRED -> transfer();
            case PROBE_FAILED -> tell(node, new RoleEvent.ProbeFailed());
            case CANDIDATE_CLOSED -> close(node, dice().between(Agenda.SECOND, 20 * Agenda.SECOND));
            case EXECUTOR_SHUT -> {
                world.executorsShut(true);
                undoAfter(dice().between(Agenda.SECOND, 5 * Agenda.SECOND), () -> world.executorsShut(false));
            }
        }
    }

    void pause(Node node, long nanos) {
        world.sometimes(Sometimes.PROCESS_PAUSED);
        world.trace().says(node.name(), () -> "process paused for " + nanos / Agenda.MILLI + " ms");
        node.pause();
        undoAfter(nanos, () -> {
            world.trace().says(node.name(), () -> "process goes on");
            node.unpause();
        });
    }

    void suspend(Node node, long nanos) {
        if (node.clocks().isSuspended()) {
            return;
        }
        world.sometimes(Sometimes.HOST_SUSPENDED);
        world.trace().says(node.name(), () -> "host suspended for " + nanos / Agenda.MILLI + " ms");
        node.clocks().suspend(world.now());
        node.pause();
        undoAfter(nanos, () -> {
            world.trace().says(node.name(), () -> "host resumes");
            node.clocks().resume(world.now());
            node.unpause();
        });
    }

    void starve(Node node, long nanos) {
        world.trace().says(node.name(), () -> "event loop starved for " + nanos / Agenda.MILLI + " ms");
        node.starve();
        undoAfter(nanos, node::feed);
    }

    void crash(Node node, long nanosUntilStart) {
        Incarnation process = node.process();
        if (process == null) {
            return;
        }
        world.sometimes(Sometimes.PROCESS_CRASHED);
        world.trace().says(node.name(), () -> "process crashes");
        process.crash();
        undoAfter(nanosUntilStart, () -> startIfAbsent(node));
    }

    private void startIfAbsent(Node node) {
        if (node.process() == null) {
            world.start(node);
        }
    }

    private void setWall(Node node) {
        long most = dice().chance(0.3) ? 3_600_000 : 8_000;
        long millis = dice().between(-most, most);
        world.sometimes(Sometimes.WALL_CLOCK_SET);
        world.trace().says(node.name(), () -> "wall clock set by " + millis + " ms");
        node.clocks().setWall(millis, world.now());
    }

    void cutFromStore(Node node, long nanos) {
        world.trace().says(node.name(), () -> "cut from the store for " + nanos / Agenda.MILLI + " ms");
        node.cutFromStore(1);
        undoAfter(nanos, () -> node.cutFromStore(-1));
    }

    void cutFromFences(Node node, long nanos) {
        world.trace().says(node.name(), () -> "cut from the fences for " + nanos / Agenda.MILLI + " ms");
        node.cutFromFences(1);
        undoAfter(nanos, () -> node.cutFromFences(-1));
    }

    void stopStore(long nanos) {
        world.sometimes(Sometimes.STORE_STOPPED);
        world.trace().says("store", () -> "stopped for " + nanos / Agenda.MILLI + " ms");
        world.store().stop();
        undoAfter(nanos, () -> {
            world.trace().says("store", () -> "is up");
            world.store().start();
        });
    }

    void stopFence(FenceHost fence, long nanos) {
        world.trace().says(fence.resource().name(), () -> "stopped for " + nanos / Agenda.MILLI + " ms");
        fence.stop();
        undoAfter(nanos, fence::start);
    }

    private void restoreStore() {
        if (dice().chance(0.5)) {
            world.store().takeBackup();
            world.trace().says("store", () -> "backed up");
            return;
        }
        world.sometimes(Sometimes.STORE_RESTORED);
        world.store().stop();
        undoAfter(dice().between(Agenda.SECOND, 10 * Agenda.SECOND), () -> {
            world.trace().says("store", () -> "restored from its backup");
            world.forgets();
            world.store().restoreBackup();
            world.store().start();
        });
    }

    private void wipeStore() {
        world.sometimes(Sometimes.STORE_WIPED);
        world.store().stop();
        undoAfter(dice().between(100 * Agenda.MILLI, 5 * Agenda.SECOND), () -> {
            world.trace().says("store", () -> "wiped: it is another store now");
            world.forgets();
            world.store().wipe();
            world.store().start();
        });
    }

    /** Somebody made a copy of the store, with its id; whoever leads there seals the same resource. */
    private void cloneStore(FenceHost fence, int seals) {
        world.sometimes(Sometimes.STORE_CLONED);
        fence.sealedElsewhere(dice().between(1, 4));
        world.trace().says(fence.resource().name(), () -> "sealed from a clone of the store: " + fence.highest());
        if (seals > 1) {
            world.after(dice().between(Agenda.SECOND, 6 * Agenda.SECOND), () -> {
                if (!stopped) {
                    cloneStore(fence, seals - 1);
                }
            });
        }
    }

    private void tell(Node node, RoleEvent event) {
        Incarnation process = node.process();
        if (process != null && !process.isClosing()) {
            Role role = dice().pick(world.roles());
            node.run(Node.Lane.LOOP, process, () -> {
                Seat seat = process.seat(role);
                if (seat != null) {
                    seat.tell(event);
                }
            });
        }
    }

    private void resign(Node node, long nanosUntilCampaign) {
        tell(node, new RoleEvent.Resign());
        undoAfter(nanosUntilCampaign, () -> {
            Incarnation process = node.process();
            if (process != null) {
                node.run(
                        Node.Lane.LOOP,
                        process,
                        () -> process.seats().forEach(seat -> seat.tell(new RoleEvent.Campaign())));
            }
        });
    }

    void close(Node node, long nanosUntilStart) {
        Incarnation process = node.process();
        if (process == null || process.isClosing()) {
            return;
        }
        world.sometimes(Sometimes.CANDIDATE_CLOSED);
        world.trace().says(node.name(), () -> "is asked to close");
        node.run(Node.Lane.LOOP, process, process::close);
        undoAfter(nanosUntilStart, () -> startIfAbsent(node));
    }

    private void transfer() {
        Role role = dice().pick(world.roles());
        Incarnation target = dice().pick(world.nodes()).process();
        for (Seat seat : world.seats(role)) {
            if (target != null && seat.proceeds()) {
                transfer(seat, target);
            }
        }
    }

    void transfer(Seat seat, Incarnation target) {
        Duration window = Duration.ofSeconds(dice().between(2, 12));
        seat.process()
                .node()
                .run(Node.Lane.LOOP, seat.process(), () -> seat.tell(new RoleEvent.Transfer(target.id(), window)));
    }
}
