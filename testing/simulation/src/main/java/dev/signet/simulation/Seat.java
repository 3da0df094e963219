package dev.signet.simulation;

import dev.signet.Answer;
import dev.signet.CandidateId;
import dev.signet.FencingToken;
import dev.signet.Role;
import dev.signet.TermEnd;
import dev.signet.TermId;
import dev.signet.election.role.Callback;
import dev.signet.election.role.Phase;
import dev.signet.election.role.RoleEffect;
import dev.signet.election.role.RoleEvent;
import dev.signet.election.role.RoleMachine;
import dev.signet.election.role.RolePlan;
import dev.signet.election.role.RoleState;
import dev.signet.election.role.Timer;
import dev.signet.fence.SealPolicy;
import dev.signet.observe.Event;
import dev.signet.store.Acquire;
import dev.signet.store.Release;
import dev.signet.store.Reserve;
import dev.signet.store.RoleView;
import dev.signet.store.SessionId;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** One role of one process: steps the real machine and carries out its effects as the runtime does. */
final class Seat implements RoleEffect.Hands {

    private final World world;
    private final Incarnation process;
    private final RolePlan plan;
    private final Listener listener;
    private final Writers writers;
    private final SeatLedger ledger;
    private final Map<Timer, Node.Alarm> timers = new HashMap<>();
    private RoleState state;
    private @Nullable RunTerm term;
    private long watchNumber;
    private int asked;
    private boolean finished;
    private long transfersConcluded;

    Seat(World world, Incarnation process, RolePlan plan) {
        this.world = world;
        this.process = process;
        this.plan = plan;
        this.state = RoleMachine.initial(plan);
        this.listener = new Listener(world, this);
        this.writers = new Writers(world, this);
        this.ledger = new SeatLedger(world, this);
    }

    Role role() {
        return plan.role();
    }

    RolePlan plan() {
        return plan;
    }

    Incarnation process() {
        return process;
    }

    RoleState state() {
        return state;
    }

    Phase.Kind phase() {
        return state.phase().kind();
    }

    Listener listener() {
        return listener;
    }

    SeatLedger ledger() {
        return ledger;
    }

    @Nullable
    RunTerm term() {
        return term;
    }

    boolean isFinished() {
        return finished;
    }

    /** Whether nothing is under way that changes what the session holds. */
    boolean isSettled() {
        return asked == 0 && phase() != Phase.Kind.ACQUIRING && phase() != Phase.Kind.RELEASING;
    }

    /** What {@code Term.isValid} says. */
    boolean isValid() {
        RunTerm current = term;
        return current != null && current.isValid();
    }

    /** What the guard says. */
    boolean proceeds() {
        return phase() == Phase.Kind.LEADING && isValid();
    }

    long transfersConcluded() {
        return transfersConcluded;
    }

    void tell(RoleEvent event) {
        RoleState before = state;
        RoleMachine.Step step =
                world.twist().steps(before, event, process.read(), world.dice().termId());
        world.trace().role(this, event, before, step);
        ledger.steps(event, before, step);
        state = step.state();
        for (RoleEffect effect : step.effects()) {
            effect.carryOut(this);
        }
        RunTerm current = term;
        if (current != null) {
            state.tenure().ifPresent(tenure -> current.sealed(tenure.sealed()));
        }
        ledger.stepped();
        writers.wake();
        world.checkBelievers();
    }

    // The store

    private void onSession(long epoch, Consumer<SessionId> request) {
        process.session(epoch).ifPresent(request);
    }

    @Override
    public void sendAcquire(RoleEffect.SendAcquire effect) {
        onSession(effect.epoch(), session -> {
            Acquire request = new Acquire(
                    session, role(), effect.attempt(), effect.termId(), effect.floor(), effect.expectedVersion());
            asked++;
            process.ask(Network.Kind.ACQUIRE, () -> world.store().acquire(request), answer -> {
                asked--;
                tell(answer.<RoleEvent>fold(
                        RoleEvent.Granted::new,
                        why -> new RoleEvent.Declined(effect.attempt(), why),
                        unknown -> new RoleEvent.AcquireUnknown(effect.attempt())));
            });
        });
    }

    @Override
    public void sendRelease(RoleEffect.SendRelease effect) {
        onSession(effect.epoch(), session -> {
            Release request = new Release(session, role(), effect.attempt(), effect.expectedVersion());
            asked++;
            process.ask(Network.Kind.RELEASE, () -> world.store().release(request), answer -> {
                asked--;
                tell(answer.<RoleEvent>fold(
                        view -> new RoleEvent.Released(effect.attempt(), view),
                        gone -> new RoleEvent.ReleaseUnknown(effect.attempt()),
                        unknown -> new RoleEvent.ReleaseUnknown(effect.attempt())));
            });
        });
    }

    @Override
    public void sendReserve(RoleEffect.SendReserve effect) {
        onSession(effect.epoch(), session -> {
            Reserve request = new Reserve(session, role(), effect.attempt(), effect.to(), effect.window());
            process.ask(
                    Network.Kind.RESERVE,
                    () -> world.store().reserve(request),
                    answer -> tell(answer.<RoleEvent>fold(
                            view -> new RoleEvent.Reserved(effect.attempt()),
                            why -> new RoleEvent.ReserveRefused(effect.attempt(), why),
                            unknown -> new RoleEvent.ReserveUnknown(effect.attempt()))));
        });
    }

    @Override
    public void enlist(RoleEffect.Enlist effect) {
        onSession(
                effect.epoch(),
                session -> process.ask(Network.Kind.ENLIST, () -> world.store().enlist(session, role()), answer -> {
                    if (answer instanceof Answer.Done<RoleView, ?> done) {
                        tell(new RoleEvent.Observed(done.value()));
                    } else if (answer instanceof Answer.Unknown<?, ?>) {
                        process.later(plan.timing().retryPeriod(), () -> enlistIfStillWanted(effect));
                    }
                }));
    }

    private void enlistIfStillWanted(RoleEffect.Enlist effect) {
        if (phase() != Phase.Kind.IDLE && phase() != Phase.Kind.CLOSED) {
            enlist(effect);
        }
    }

    @Override
    public void withdraw(RoleEffect.Withdraw effect) {
        onSession(
                effect.epoch(),
                session -> process.ask(
                        Network.Kind.WITHDRAW, () -> world.store().withdraw(session, role()), answer -> {}));
    }

    @Override
    public void watch(RoleEffect.Watch effect) {
        long number = ++watchNumber;
        WatchLine line = new WatchLine(world, process.node(), this, number);
        Network.Fate fate = world.network().decide(process.node(), Network.Kind.WATCH, Network.Way.REQUEST);
        if (fate.lost()) {
            line.breakOff();
            return;
        }
        world.after(fate.delayNanos(), () -> {
            if (world.store().isUp()) {
                world.store().watches(line);
            } else {
                line.breakOff();
            }
        });
    }

    @Override
    public void unwatch(RoleEffect.Unwatch effect) {
        watchNumber++;
    }

    boolean watches(long number) {
        return number == watchNumber && process.isRunning();
    }

    void observes(long number, RoleView view) {
        if (watches(number)) {
            tell(new RoleEvent.Observed(view));
        }
    }

    void watchBroke(long number) {
        if (watches(number)) {
            world.sometimes(Sometimes.WATCH_BROKEN);
            tell(new RoleEvent.WatchBroken());
        }
    }

    // The fences

    @Override
    public void sendSeal(RoleEffect.SendSeal effect) {
        TermId sealing = effect.stamp().termId();
        FenceHost fence = world.fence(effect.resource());
        process.ask(
                Node.Lane.LOOP,
                Network.Kind.SEAL,
                fence::isUp,
                () -> fence.seal(effect.stamp()),
                answer -> tell(answer.<RoleEvent>fold(
                        view -> {
                            ledger.fenceSealed(effect.stamp(), effect.resource());
                            return new RoleEvent.Sealed(sealing, effect.resource());
                        },
                        why -> new RoleEvent.SealRefused(sealing, effect.resource(), why),
                        unknown -> new RoleEvent.SealUnknown(sealing, effect.resource()))));
    }

    // The listener

    @Override
    public void callPrepare(RoleEffect.CallPrepare effect) {
        term = new RunTerm(world, this, effect.grant(), state.standing().pulse().epoch());
        listener.call(term, Callback.PREPARE);
    }

    @Override
    public void callElected(RoleEffect.CallElected effect) {
        callOf(effect.token(), Callback.ELECTED);
    }

    @Override
    public void callDeposed(RoleEffect.CallDeposed effect) {
        callOf(effect.token(), Callback.DEPOSED);
    }

    private void callOf(FencingToken token, Callback callback) {
        RunTerm current = term;
        if (current == null || !current.isOf(token)) {
            throw new IllegalStateException("no term with token " + token);
        }
        listener.call(current, callback);
    }

    @Override
    public void signalDraining(RoleEffect.SignalDraining effect) {
        RunTerm current = term;
        if (current != null && current.isOf(effect.token())) {
            current.drain();
            listener.drain(current);
        }
    }

    @Override
    public void endTerm(RoleEffect.EndTerm effect) {
        RunTerm current = term;
        if (current != null && current.isOf(effect.token())) {
            current.end();
            listener.interrupt(current);
        }
        TermEnd.Reason reason = effect.end().reason();
        if (reason == TermEnd.Reason.SUPERSEDED) {
            world.sometimes(Sometimes.TERM_SUPERSEDED);
        } else if (reason == TermEnd.Reason.LOST_AT_STORE) {
            world.sometimes(Sometimes.TERM_CONTRADICTED);
        } else if (reason == TermEnd.Reason.DRAIN_OVERRUN) {
            world.sometimes(Sometimes.DRAIN_OVERRAN);
        } else if (reason == TermEnd.Reason.PREPARE_FAILED) {
            world.sometimes(Sometimes.PREPARATION_FAILED);
        }
    }

    @Override
    public void concludeTransfer(RoleEffect.ConcludeTransfer effect) {
        transfersConcluded++;
        world.sometimes(effect.outcome()
                .<Sometimes>fold(
                        done -> Sometimes.TRANSFER_CONCLUDED,
                        why -> Sometimes.TRANSFER_REFUSED,
                        unknown -> Sometimes.TRANSFER_UNKNOWN));
    }

    // The rest

    @Override
    public void schedule(RoleEffect.Schedule effect) {
        cancelTimer(effect.timer());
        Duration delay = effect.delay();
        timers.put(effect.timer(), process.later(delay, () -> {
            timers.remove(effect.timer());
            tell(new RoleEvent.TimerFired(effect.timer()));
        }));
    }

    @Override
    public void cancel(RoleEffect.Cancel effect) {
        cancelTimer(effect.timer());
    }

    private void cancelTimer(Timer timer) {
        Node.Alarm running = timers.remove(timer);
        if (running != null) {
            running.cancel();
        }
    }

    @Override
    public void emit(RoleEffect.Emit effect) {
        world.trace().event(process, effect.event());
        if (effect.event() instanceof Event.TokensSkipped) {
            world.sometimes(Sometimes.TOKEN_HEALED);
        } else if (effect.event() instanceof Event.OrphanFound) {
            world.sometimes(Sometimes.ORPHAN_RELEASED);
        } else if (effect.event() instanceof Event.ListenerOverran) {
            world.sometimes(Sometimes.LISTENER_OVERRAN);
        }
    }

    @Override
    public void finished(RoleEffect.Finished effect) {
        timers.values().forEach(Node.Alarm::cancel);
        timers.clear();
        finished = true;
        process.roleFinished();
    }

    boolean requires(dev.signet.ResourceName resource) {
        return plan.resources().get(resource) == SealPolicy.REQUIRED;
    }

    CandidateId candidate() {
        return process.id();
    }
}
