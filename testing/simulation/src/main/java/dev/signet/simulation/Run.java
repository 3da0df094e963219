package dev.signet.simulation;

import dev.signet.Role;
import dev.signet.election.role.Phase;
import dev.signet.election.role.RoleEvent;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/** One seed from beginning to end: faults, then none. */
final class Run {

    /** @param broken which rule, and how; empty if the run passed */
    record Outcome(long seed, Optional<Broken> broken, Coverage coverage, long steps, long simulatedNanos) {}

    record Broken(Rule rule, String what) {}

    private static final int WRITES_WANTED = 3;

    private final World world;
    private final Nemesis nemesis;
    private final long seed;

    private Run(long seed, Twist twist, Trace trace) {
        Dice dice = new Dice(seed);
        this.seed = seed;
        this.world = new World(seed, Climate.of(dice), dice, twist, trace);
        this.nemesis = new Nemesis(world);
    }

    static Outcome of(long seed, Twist twist, Trace trace) {
        return new Run(seed, twist, trace).outcome();
    }

    private Outcome outcome() {
        Optional<Broken> broken = Optional.empty();
        try {
            play();
        } catch (Violation violation) {
            broken = Optional.of(new Broken(violation.rule(), String.valueOf(violation.getMessage())));
        } catch (IllegalStateException | IllegalArgumentException | UnsupportedOperationException thrown) {
            broken = Optional.of(new Broken(Rule.CRASH, thrown.toString()));
        }
        broken.ifPresent(what -> world.trace().says("VIOLATION", () -> what.rule() + ": " + what.what()));
        return new Outcome(seed, broken, world.coverage(), world.agenda().steps(), world.now());
    }

    private void play() {
        world.nodes()
                .forEach(node -> world.after(world.dice().between(0, Agenda.SECOND), () -> {
                    if (node.process() == null) {
                        world.start(node);
                    }
                }));
        runUntil(world.climate().faultNanos());
        heal();
        isLedAndWrittenFor();
        isHandedOver();
        isClosed();
        world.acknowledgedAreThere();
        world.require(world.acknowledged() > 0, Rule.VACUOUS, () -> "no write was acknowledged");
    }

    private void runUntil(long time) {
        while (world.agenda().step(time)) {
            // each step checks itself
        }
    }

    private boolean runUntil(BooleanSupplier done, long bound) {
        long latest = world.now() + bound;
        while (!done.getAsBoolean()) {
            if (!world.agenda().step(latest)) {
                return done.getAsBoolean();
            }
        }
        return true;
    }

    private void heal() {
        world.trace().says("world", () -> "faults end");
        world.heal();
        nemesis.stop();
        world.fences().forEach(fence -> {
            boolean foreign = !fence.storeId().equals(world.store().id());
            boolean ahead = fence.highest() > world.store().view(fence.role()).lastToken();
            if (foreign || (ahead && fence.isSealedByClone())) {
                fence.adopt(world.store().id());
            }
        });
        world.nodes().forEach(node -> {
            Incarnation process = node.process();
            if (process == null) {
                world.start(node);
            } else {
                process.seats().forEach(seat -> {
                    seat.listener().release();
                    if (!process.isClosing()) {
                        node.run(Node.Lane.LOOP, process, () -> seat.tell(new RoleEvent.Campaign()));
                    }
                });
            }
        });
    }

    /** Expiry of what was lost, the longest space between tries, the longest back-off, and the time to end calls. */
    private long bound() {
        return 4 * world.climate().timing().leaseDuration().toNanos()
                + 70 * Agenda.SECOND
                + World.GRACE.toNanos()
                + World.DRAIN.toNanos();
    }

    private void isLedAndWrittenFor() {
        Map<Role, Integer> before = new HashMap<>();
        world.roles().forEach(role -> before.put(role, world.acknowledged(role)));
        boolean led = runUntil(
                () -> world.roles().stream()
                        .allMatch(role -> world.acknowledged(role) >= before.getOrDefault(role, 0) + WRITES_WANTED
                                && world.seats(role).stream().anyMatch(Seat::proceeds)),
                bound());
        world.require(led, Rule.LIVENESS, () -> "nobody leads and writes: " + standing());
        world.sometimes(Sometimes.LEADER_AFTER_HEALING);
    }

    private String standing() {
        StringBuilder text = new StringBuilder();
        for (Role role : world.roles()) {
            text.append(role).append(" at the store: ").append(world.store().view(role));
            world.seats(role)
                    .forEach(seat -> text.append("; ")
                            .append(seat.candidate())
                            .append(' ')
                            .append(seat.phase())
                            .append(' ')
                            .append(seat.process().state().getClass().getSimpleName()));
        }
        return text.toString();
    }

    /** A transfer in a world without faults ends as it was meant to, if its target campaigns. */
    private void isHandedOver() {
        Role role = world.roles().get(0);
        Optional<Seat> leader =
                world.seats(role).stream().filter(Seat::proceeds).findFirst();
        Optional<Seat> target = world.seats(role).stream()
                .filter(seat ->
                        seat.phase() == Phase.Kind.WAITING && !seat.process().isClosing())
                .findFirst();
        if (leader.isEmpty() || target.isEmpty() || world.dice().chance(0.5)) {
            return;
        }
        long concluded = leader.get().transfersConcluded();
        nemesis.transfer(leader.get(), target.get().process());
        boolean answered = runUntil(() -> leader.get().transfersConcluded() > concluded, bound());
        world.require(answered, Rule.LIVENESS, () -> "a transfer was never concluded");
        boolean led = runUntil(() -> world.seats(role).stream().anyMatch(Seat::proceeds), bound());
        world.require(led, Rule.LIVENESS, () -> "nobody leads after a transfer: " + standing());
    }

    /** All close; then nothing is held, and nothing waits. */
    private void isClosed() {
        world.closes();
        world.nodes().forEach(node -> {
            Incarnation process = node.process();
            if (process != null) {
                node.run(Node.Lane.LOOP, process, process::close);
            }
        });
        boolean closed = runUntil(() -> world.nodes().stream().allMatch(node -> node.process() == null), bound());
        world.require(closed, Rule.NOTHING_LEAKS, () -> "not closed: " + standing());
        runUntil(world.now() + 2 * world.climate().timing().leaseDuration().toNanos());
        for (Role role : world.roles()) {
            world.require(
                    world.store().view(role).claimable(),
                    Rule.NOTHING_LEAKS,
                    () -> role + " is held after all have closed: "
                            + world.store().view(role));
        }
    }
}
