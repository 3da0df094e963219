package dev.signet.simulation;

import dev.signet.Advertised;
import dev.signet.Answer;
import dev.signet.CandidateId;
import dev.signet.FencingToken;
import dev.signet.Role;
import dev.signet.election.role.Phase;
import dev.signet.election.role.RoleEvent;
import dev.signet.election.session.SessionEffect;
import dev.signet.election.session.SessionEvent;
import dev.signet.election.session.SessionEvent.HeldMatch;
import dev.signet.election.session.SessionMachine;
import dev.signet.election.session.SessionState;
import dev.signet.lease.LeaseTiming;
import dev.signet.store.Grant;
import dev.signet.store.HeldDigest;
import dev.signet.store.OpenSession;
import dev.signet.store.Renewed;
import dev.signet.store.SessionId;
import dev.signet.time.Reading;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** One start of a process: a candidate that steps the real machines and carries out their effects as the runtime does. */
final class Incarnation implements SessionEffect.Hands {

    private final World world;
    private final Node node;
    private final CandidateId id;
    private final LeaseTiming timing;
    private final SessionMachine machine;
    private final SessionLedger ledger;
    private final Map<Role, Seat> seats = new TreeMap<>();
    private final Map<Long, SessionId> sessions = new HashMap<>();
    private SessionState state = SessionMachine.initial();
    private @Nullable Reading deadline;
    private long deadlineEpoch;
    private Node.@Nullable Alarm tick;
    private @Nullable Reading tickDue;
    private boolean running = true;
    private boolean closing;
    private boolean finished;

    Incarnation(World world, Node node, CandidateId id) {
        this.world = world;
        this.node = node;
        this.id = id;
        this.timing = world.climate().timing();
        this.machine = new SessionMachine(timing);
        this.ledger = new SessionLedger(world, this);
    }

    CandidateId id() {
        return id;
    }

    Node node() {
        return node;
    }

    boolean isRunning() {
        return running;
    }

    boolean isClosing() {
        return closing;
    }

    boolean isFinished() {
        return finished;
    }

    Collection<Seat> seats() {
        return seats.values();
    }

    @Nullable
    Seat seat(Role role) {
        return seats.get(role);
    }

    SessionState state() {
        return state;
    }

    Reading read() {
        Clocks clocks = node.clocks();
        return world.twist().reads(clocks.read(world.now()), clocks.suspendedInAll(world.now()));
    }

    /** Begins to run: opens a session and campaigns for each role. */
    void begin() {
        for (Role role : world.roles()) {
            seats.put(role, new Seat(world, this, world.plan(id, role)));
        }
        tell(new SessionEvent.Open());
        seats().forEach(seat -> seat.tell(new RoleEvent.Campaign()));
    }

    /** Nothing of it runs any more, and nobody is told. */
    void crash() {
        running = false;
        node.runs(null);
    }

    /** All roles close, then the session. */
    void close() {
        if (!closing) {
            closing = true;
            seats().forEach(seat -> seat.tell(new RoleEvent.Close()));
        }
    }

    void roleFinished() {
        if (closing && seats().stream().allMatch(Seat::isFinished)) {
            node.run(Node.Lane.LOOP, this, () -> tell(new SessionEvent.Close()));
        }
    }

    // The session machine

    void tell(SessionEvent event) {
        Reading now = read();
        SessionState before = state;
        SessionMachine.Step step = world.twist().steps(machine, before, event, now);
        world.trace().session(this, event, before, step);
        ledger.steps(event, tickDue, step.effects());
        state = step.state();
        for (SessionEffect effect : step.effects()) {
            effect.carryOut(this);
        }
        ledger.stepped(event);
        world.checkBelievers();
    }

    /** Neither clock has reached the deadline of the session of {@code epoch}. */
    boolean holds(long epoch) {
        Reading until = deadline;
        return until != null && deadlineEpoch == epoch && !read().isAtOrAfter(until);
    }

    boolean isBlind() {
        return ledger.isBlind();
    }

    Optional<SessionId> session(long epoch) {
        return Optional.ofNullable(sessions.get(epoch));
    }

    @Override
    public void sendOpen(SessionEffect.SendOpen effect) {
        SessionId session =
                new SessionId(id + "/" + effect.epoch() + "/" + world.dice().number());
        sessions.put(effect.epoch(), session);
        Reading sentAt = read();
        SessionLedger.Request sent = ledger.request(sentAt);
        OpenSession request = new OpenSession(session, id, Advertised.NOTHING, timing.leaseDuration());
        ask(
                Network.Kind.OPEN,
                () -> world.store().open(request),
                answer -> tell(answer.<SessionEvent>fold(
                        opened -> {
                            ledger.proven(effect.epoch(), sent);
                            return new SessionEvent.Opened(effect.epoch(), sentAt);
                        },
                        refusal -> new SessionEvent.OpenRefused(effect.epoch(), refusal),
                        unknown -> new SessionEvent.OpenUnknown(effect.epoch(), unknown.cause()))));
    }

    @Override
    public void sendRenew(SessionEffect.SendRenew effect) {
        SessionId session = sessions.get(effect.epoch());
        if (session == null) {
            return;
        }
        Map<Role, FencingToken> held = held();
        boolean settled = isSettled();
        Reading sentAt = read();
        SessionLedger.Request sent = ledger.request(sentAt);
        ask(
                Network.Kind.RENEW,
                () -> world.store().renew(session),
                answer -> tell(answer.<SessionEvent>fold(
                        renewed -> {
                            ledger.proven(effect.epoch(), sent);
                            return new SessionEvent.Renewed(
                                    effect.epoch(), effect.seq(), sentAt, match(renewed, held, settled));
                        },
                        gone -> {
                            ledger.heardGone(effect.epoch());
                            return new SessionEvent.RenewGone(effect.epoch(), effect.seq());
                        },
                        unknown -> new SessionEvent.RenewUnknown(effect.epoch(), effect.seq()))));
    }

    private HeldMatch match(Renewed renewed, Map<Role, FencingToken> held, boolean settled) {
        if (renewed.heldDigest().isEmpty() || !settled || !isSettled() || !held().equals(held)) {
            return HeldMatch.NOT_CARRIED;
        }
        return renewed.heldDigest().getAsLong() == HeldDigest.of(held) ? HeldMatch.SAME : HeldMatch.DIFFERENT;
    }

    private Map<Role, FencingToken> held() {
        Map<Role, FencingToken> held = new TreeMap<>();
        seats().forEach(seat -> seat.state()
                .tenure()
                .ifPresent(tenure -> held.put(seat.role(), tenure.grant().token())));
        return held;
    }

    private boolean isSettled() {
        return seats().stream().allMatch(Seat::isSettled);
    }

    @Override
    public void reconcile(SessionEffect.Reconcile effect) {
        SessionId session = sessions.get(effect.epoch());
        if (session == null) {
            return;
        }
        Map<Role, Long> asked = new TreeMap<>();
        seats().forEach(seat -> asked.put(seat.role(), seat.state().grantedAttempt()));
        ask(Network.Kind.HELD, () -> world.store().held(session), answer -> {
            if (answer instanceof Answer.Done<List<Grant>, ?> done) {
                asked.forEach((role, atSending) -> {
                    Optional<Grant> held = done.value().stream()
                            .filter(grant -> grant.role().equals(role))
                            .findFirst();
                    Seat seat = seats.get(role);
                    if (seat != null) {
                        long attempt = world.twist().looksUpAttemptLate()
                                ? seat.state().grantedAttempt()
                                : atSending;
                        seat.tell(new RoleEvent.Reconciled(effect.epoch(), attempt, held));
                    }
                });
            } else if (answer instanceof Answer.Unknown<?, ?>) {
                later(timing.retryPeriod(), () -> reconcile(effect));
            }
        });
    }

    @Override
    public void publishDeadline(SessionEffect.PublishDeadline effect) {
        ledger.publishes(effect);
        deadline = effect.deadline();
        deadlineEpoch = effect.epoch();
    }

    @Override
    public void withdrawDeadline(SessionEffect.WithdrawDeadline effect) {
        ledger.withdraws();
        deadline = null;
    }

    @Override
    public void notifyLive(SessionEffect.NotifyLive effect) {
        seats().forEach(seat -> seat.tell(new RoleEvent.SessionLive(effect.epoch())));
    }

    @Override
    public void notifySuspended(SessionEffect.NotifySuspended effect) {
        ledger.suspends();
        world.sometimes(Sometimes.SESSION_SUSPENDED);
        seats().forEach(seat -> {
            seat.tell(new RoleEvent.SessionSuspended(effect.epoch()));
            world.require(
                    seat.state().tenure().isEmpty() || seat.phase() == Phase.Kind.FROZEN,
                    Rule.PAUSE,
                    () -> "the session is suspended, and its term is " + seat.phase());
        });
    }

    @Override
    public void notifyResumed(SessionEffect.NotifyResumed effect) {
        ledger.resumes(effect.epoch());
        world.sometimes(Sometimes.SESSION_RESUMED);
        seats().forEach(seat -> seat.tell(new RoleEvent.SessionResumed(effect.epoch())));
    }

    @Override
    public void notifyLost(SessionEffect.NotifyLost effect) {
        ledger.loses(effect.epoch(), effect.reason());
        seats().forEach(seat -> seat.tell(new RoleEvent.SessionLost(effect.epoch(), effect.reason())));
    }

    @Override
    public void sendClose(SessionEffect.SendClose effect) {
        ledger.closes(effect.epoch());
        SessionId session = sessions.get(effect.epoch());
        if (session != null) {
            ask(
                    Network.Kind.CLOSE,
                    () -> world.store().close(session),
                    answer -> tell(new SessionEvent.CloseAnswered(effect.epoch())));
        }
    }

    @Override
    public void scheduleTick(SessionEffect.ScheduleTick effect) {
        if (tick != null) {
            tick.cancel();
        }
        tickDue = read().plus(effect.delay());
        tick = later(effect.delay(), () -> tell(new SessionEvent.Tick()));
    }

    @Override
    public void emit(SessionEffect.Emit effect) {
        world.trace().event(this, effect.event());
    }

    @Override
    public void finished(SessionEffect.Finished effect) {
        if (tick != null) {
            tick.cancel();
        }
        finished = true;
        world.closed(this);
    }

    // Asking

    Node.Alarm later(Duration delay, Runnable task) {
        return node.schedule(Node.Lane.LOOP, this, delay.toNanos(), task);
    }

    /** Asks a place that answers at once, if it is up, and brings the answer back once, or unknown after the time-out. */
    <D, R> void ask(Network.Kind kind, Supplier<Answer<D, R>> place, Consumer<Answer<D, R>> then) {
        ask(Node.Lane.LOOP, kind, world::isStoreUp, place, then);
    }

    <D, R> void ask(
            Node.Lane lane,
            Network.Kind kind,
            Supplier<Boolean> isUp,
            Supplier<Answer<D, R>> place,
            Consumer<Answer<D, R>> then) {
        Delivery<D, R> delivery = new Delivery<>(then);
        delivery.timeout = node.schedule(
                lane, this, timing.attemptTimeout().toNanos(), () -> delivery.deliver(Answer.unknown("time-out")));
        world.network().send(node, kind, Network.Way.REQUEST, () -> {
            if (isUp.get()) {
                Answer<D, R> answer = place.get();
                world.network()
                        .send(
                                node,
                                kind,
                                Network.Way.ANSWER,
                                () -> node.run(lane, this, () -> delivery.deliver(answer)));
            }
        });
    }

    private final class Delivery<D, R> {

        private final Consumer<Answer<D, R>> then;
        private Node.@Nullable Alarm timeout;
        private boolean done;

        Delivery(Consumer<Answer<D, R>> then) {
            this.then = then;
        }

        void deliver(Answer<D, R> answer) {
            if (done) {
                world.sometimes(Sometimes.LATE_ANSWER_DROPPED);
                return;
            }
            done = true;
            if (timeout != null) {
                timeout.cancel();
            }
            then.accept(answer);
        }
    }

    @Override
    public String toString() {
        return id.toString();
    }
}
