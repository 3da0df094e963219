package dev.signet.simulation;

import dev.signet.CandidateId;
import dev.signet.FencingToken;
import dev.signet.ResourceName;
import dev.signet.Role;
import dev.signet.election.role.Callback;
import dev.signet.election.role.RoleEvent.Outcome;
import dev.signet.election.role.RolePlan;
import dev.signet.fence.SealPolicy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Supplier;

/** One simulated world: its parts, and what is judged across them. Single-threaded. */
final class World {

    static final Duration DRAIN = Duration.ofSeconds(4);
    static final Duration GRACE = Duration.ofSeconds(6);

    private final Dice dice;
    private final Climate climate;
    private final Twist twist;
    private final Trace trace;
    private final Agenda agenda = new Agenda();
    private final Network network;
    private final StoreHost store;
    private final List<Role> roles = new ArrayList<>();
    private final Map<ResourceName, FenceHost> fences = new TreeMap<>();
    private final Map<ResourceName, SealPolicy> policies = new TreeMap<>();
    private final List<Node> nodes = new ArrayList<>();
    private final Map<Long, ResourceName> acknowledged = new LinkedHashMap<>();
    private final Coverage coverage = new Coverage();
    private Listener.Script listeners = (seat, callback, token) -> Optional.empty();
    private boolean healed;
    private boolean closing;
    private boolean writes = true;
    private boolean executorsShut;
    private boolean forgotten;
    private long forgotAt;
    private long writeCount;
    private int incarnations;

    World(long seed, Climate climate, Dice dice, Twist twist, Trace trace) {
        this.dice = dice;
        this.climate = climate;
        this.twist = twist;
        this.trace = trace;
        trace.begins(this, seed);
        network = new Network(this);
        store = new StoreHost(this, climate.isScripted() ? 1 : dice.between(0.95, 1.05));
        for (int i = 0; i < climate.roles(); i++) {
            addRole(i);
        }
        for (int i = 0; i < climate.nodes(); i++) {
            boolean exact = climate.isScripted();
            nodes.add(new Node(
                    this,
                    "n" + (i + 1),
                    new Clocks(
                            exact ? 1 : dice.between(0.97, 1.03),
                            exact ? 1 : dice.between(0.97, 1.03),
                            dice.between(0, 1_000_000 * Agenda.SECOND),
                            1_700_000_000L * Agenda.SECOND + dice.between(0, 1_000 * Agenda.SECOND))));
        }
    }

    private void addRole(int number) {
        Role role = Role.of(number == 0 ? "ledger-writer" : "nightly-billing");
        roles.add(role);
        addFence(role, role + "/main", SealPolicy.REQUIRED);
        if (climate.isScripted() || dice.chance(0.4)) {
            addFence(role, role + "/second", SealPolicy.REQUIRED);
        }
        if (!climate.isScripted() && dice.chance(0.5)) {
            addFence(role, role + "/remote", SealPolicy.ON_CONTACT);
        }
    }

    void addFence(Role role, String name, SealPolicy policy) {
        ResourceName resource = ResourceName.of(name);
        fences.put(resource, new FenceHost(this, resource, role, store.id()));
        policies.put(resource, policy);
    }

    // Parts

    long now() {
        return agenda.now();
    }

    void after(long nanos, Runnable task) {
        agenda.after(nanos, task);
    }

    Agenda agenda() {
        return agenda;
    }

    Dice dice() {
        return dice;
    }

    Climate climate() {
        return climate;
    }

    Twist twist() {
        return twist;
    }

    Trace trace() {
        return trace;
    }

    Network network() {
        return network;
    }

    StoreHost store() {
        return store;
    }

    boolean isStoreUp() {
        return store.isUp();
    }

    List<Role> roles() {
        return roles;
    }

    List<Node> nodes() {
        return nodes;
    }

    FenceHost fence(ResourceName resource) {
        FenceHost fence = fences.get(resource);
        if (fence == null) {
            throw new IllegalArgumentException("no resource " + resource);
        }
        return fence;
    }

    List<FenceHost> fences() {
        return List.copyOf(fences.values());
    }

    RolePlan plan(CandidateId candidate, Role role) {
        Map<ResourceName, SealPolicy> resources = new TreeMap<>(policies);
        resources.keySet().removeIf(resource -> !fence(resource).role().equals(role));
        return new RolePlan(candidate, role, resources, climate.timing(), DRAIN, GRACE);
    }

    Incarnation start(Node node) {
        Incarnation next = new Incarnation(this, node, new CandidateId(node.name(), "i" + ++incarnations));
        node.runs(next);
        trace.says(node.name(), () -> "starts as " + next.id());
        next.begin();
        return next;
    }

    /** A process has closed all that it had; it may be started again. */
    void closed(Incarnation process) {
        trace.says(process.node().name(), () -> "has closed");
        process.seats().forEach(seat -> seat.ledger().closes());
        process.crash();
        if (healed && !closing) {
            after(10 * Agenda.MILLI, () -> {
                if (!closing && process.node().process() == null) {
                    start(process.node());
                }
            });
        }
    }

    /** From now on what has closed stays closed. */
    void closes() {
        closing = true;
    }

    List<Seat> seats(Role role) {
        List<Seat> seats = new ArrayList<>();
        for (Node node : nodes) {
            Incarnation process = node.process();
            Seat seat = process == null ? null : process.seat(role);
            if (seat != null) {
                seats.add(seat);
            }
        }
        return seats;
    }

    // What the application does

    void listeners(Listener.Script script) {
        listeners = script;
    }

    void writesByItself(boolean next) {
        writes = next;
    }

    boolean writes() {
        return writes;
    }

    void executorsShut(boolean shut) {
        executorsShut = shut;
    }

    Listener.Manner listens(Seat seat, Callback callback, FencingToken token) {
        return listeners.manner(seat, callback, token).orElseGet(() -> manner(callback));
    }

    private Listener.Manner manner(Callback callback) {
        if (healed || climate.isScripted()) {
            return callback == Callback.ELECTED && dice.chance(0.5)
                    ? Listener.Manner.staysUntilEnd()
                    : Listener.Manner.QUICK;
        }
        if (executorsShut) {
            return Listener.Manner.rejected();
        }
        double kind = dice.between(0.0, 1.0);
        long quick = dice.between(Agenda.MILLI, 100 * Agenda.MILLI);
        return switch (callback) {
            case PREPARE ->
                kind < 0.70
                        ? Listener.Manner.returns(quick)
                        : kind < 0.92
                                ? Listener.Manner.returns(dice.between(200 * Agenda.MILLI, 4 * Agenda.SECOND))
                                : kind < 0.97
                                        ? Listener.Manner.throwsAfter(quick)
                                        : Listener.Manner.stubborn(dice.between(4 * Agenda.SECOND, 30 * Agenda.SECOND));
            case ELECTED ->
                kind < 0.40
                        ? Listener.Manner.returns(quick)
                        : kind < 0.85
                                ? new Listener.Manner(
                                        dice.between(
                                                Agenda.MILLI, dice.chance(0.1) ? 7 * Agenda.SECOND : Agenda.SECOND),
                                        new Outcome.Returned(),
                                        true,
                                        dice.chance(0.85))
                                : kind < 0.93
                                        ? Listener.Manner.throwsAfter(dice.chance(0.5) ? quick : 50 * quick)
                                        : Listener.Manner.stubborn(dice.between(4 * Agenda.SECOND, 60 * Agenda.SECOND));
            case DEPOSED ->
                kind < 0.94
                        ? Listener.Manner.returns(quick)
                        : kind < 0.97
                                ? Listener.Manner.throwsAfter(quick)
                                : Listener.Manner.stubborn(dice.between(Agenda.SECOND, 10 * Agenda.SECOND));
        };
    }

    /** How long a write that is decided now takes to be sent: some are zombies by then. */
    long holdsUp() {
        if (healed) {
            return Agenda.MILLI;
        }
        double kind = dice.between(0.0, 1.0);
        return kind < 0.75
                ? dice.between(Agenda.MILLI, 50 * Agenda.MILLI)
                : kind < 0.9
                        ? dice.between(100 * Agenda.MILLI, 3 * Agenda.SECOND)
                        : dice.between(3 * Agenda.SECOND, 60 * Agenda.SECOND);
    }

    long nextWrite() {
        return ++writeCount;
    }

    void acknowledged(ResourceName resource, Write write) {
        sometimes(Sometimes.WRITE_ACKNOWLEDGED);
        acknowledged.put(write.id(), resource);
    }

    int acknowledged() {
        return acknowledged.size();
    }

    int acknowledged(Role role) {
        return (int) acknowledged.values().stream()
                .filter(resource -> fence(resource).role().equals(role))
                .count();
    }

    void acknowledgedAreThere() {
        acknowledged.forEach((write, resource) -> {
            long times = fence(resource).timesLanded(write);
            require(times == 1, Rule.DURABLE, () -> "acknowledged write " + write + " is there " + times + " times");
        });
    }

    // Phases

    boolean isHealed() {
        return healed;
    }

    void heal() {
        healed = true;
        executorsShut = false;
        network.calm();
    }

    /** The store has forgotten grants; what it promises holds from here on, and beliefs need a lease to catch up. */
    void forgets() {
        forgotten = true;
        forgotAt = now();
    }

    boolean hasForgotten() {
        return forgotten;
    }

    // Judgement

    void sometimes(Sometimes what) {
        coverage.seen(what);
    }

    Coverage coverage() {
        return coverage;
    }

    void require(boolean holds, Rule rule, Supplier<String> what) {
        if (!holds) {
            throw new Violation(rule, what.get());
        }
    }

    /** Within the bounds of the clocks no two processes have a valid term of one role. */
    void checkBelievers() {
        for (Role role : roles) {
            Seat believer = null;
            for (Node node : nodes) {
                Incarnation process = node.process();
                Seat seat = process == null ? null : process.seat(role);
                if (seat == null || !seat.isValid() || seat.process().isBlind()) {
                    continue;
                }
                Seat first = believer;
                require(
                        first == null || isExcused(),
                        Rule.ONE_BELIEVER,
                        () -> (first == null ? "" : first.candidate()) + " and " + seat.candidate() + " both lead "
                                + role);
                believer = seat;
            }
        }
    }

    private boolean isExcused() {
        return forgotten
                && (!healed
                        || now() - forgotAt
                                < 3 * climate.timing().leaseDuration().toNanos());
    }
}
