package dev.signet.runtime;

import dev.signet.CandidateId;
import dev.signet.FencingToken;
import dev.signet.LeadershipListener;
import dev.signet.ResourceName;
import dev.signet.Role;
import dev.signet.TermId;
import dev.signet.TransferRefusedException;
import dev.signet.TransferUnknownException;
import dev.signet.election.role.Callback;
import dev.signet.election.role.Phase;
import dev.signet.election.role.RoleEffect;
import dev.signet.election.role.RoleEvent;
import dev.signet.election.role.RoleMachine;
import dev.signet.election.role.RolePlan;
import dev.signet.election.role.RoleState;
import dev.signet.election.role.Tenure;
import dev.signet.election.role.Timer;
import dev.signet.fence.Fence;
import dev.signet.observe.Event;
import dev.signet.store.Acquire;
import dev.signet.store.Release;
import dev.signet.store.Reserve;
import dev.signet.store.RoleView;
import dev.signet.store.Watch;
import dev.signet.store.WatchObserver;
import dev.signet.time.EventLoop;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Steps one role machine and carries out its effects. Used on the event loop only, but for what is volatile. */
final class RoleRunner implements RoleEffect.Hands {

    private static final Logger LOG = LoggerFactory.getLogger(RoleRunner.class);

    private final CandidateContext context;
    private final RolePlan plan;
    private final Map<ResourceName, Fence> fences;
    private final LeadershipListener listener;
    private final Lane lane;
    private final Map<Timer, EventLoop.Scheduled> timers = new HashMap<>();
    private final Map<CandidateId, CompletableFuture<Void>> transfers = new HashMap<>();
    private final Map<ResourceName, TermId> unanswered = new HashMap<>();
    private final CompletableFuture<Void> finished = new CompletableFuture<>();

    private RoleState state;
    private @Nullable RunningTerm term;
    private Watch watch = () -> {};
    private long watchNumber;
    private volatile Standpoint standpoint;

    RoleRunner(
            CandidateContext context,
            RolePlan plan,
            Map<ResourceName, Fence> fences,
            LeadershipListener listener,
            Lane lane) {
        this.context = context;
        this.plan = plan;
        this.fences = Map.copyOf(fences);
        this.listener = listener;
        this.lane = lane;
        this.state = RoleMachine.initial(plan);
        this.standpoint = new Standpoint(Phase.Kind.IDLE, Optional.empty(), Optional.empty());
    }

    Role role() {
        return plan.role();
    }

    /** Where the role stands; any thread. */
    Standpoint standpoint() {
        return standpoint;
    }

    Lane lane() {
        return lane;
    }

    CompletableFuture<Void> finished() {
        return finished;
    }

    RoleState state() {
        return state;
    }

    void tell(RoleEvent event) {
        RoleMachine.Step step = RoleMachine.step(state, event, context.time().read(), TermId.random());
        state = step.state();
        context.roleChanged();
        // before, so that a listener called by an effect finds the guard where the machine is; after, with its term
        publish();
        step.effects().forEach(this::carryOut);
        publish();
    }

    /** One adapter's or executor's defect must not keep the other effects from happening: a term's end least of all. */
    private void carryOut(RoleEffect effect) {
        try {
            effect.carryOut(this);
        } catch (RuntimeException | Error defect) {
            LOG.error("role {}: {} failed", role(), effect, defect);
        }
    }

    void transfer(RoleEvent.Transfer request, CompletableFuture<Void> outcome) {
        CompletableFuture<Void> underWay = transfers.putIfAbsent(request.to(), outcome);
        if (underWay == null) {
            tell(request);
        } else {
            outcome.completeExceptionally(
                    new TransferRefusedException(role(), request.to(), "another transfer is under way"));
        }
    }

    private void publish() {
        RunningTerm current = term;
        if (current != null) {
            state.tenure().map(Tenure::sealed).ifPresent(current::sealed);
        }
        Optional<RunningTerm> held = Optional.ofNullable(current).filter(running -> !running.isOver());
        standpoint = new Standpoint(state.phase().kind(), held, state.standing().seen());
    }

    // The store

    @Override
    public void sendAcquire(RoleEffect.SendAcquire effect) {
        context.requests()
                .ask(
                        effect.epoch(),
                        session -> context.store()
                                .acquire(
                                        new Acquire(
                                                session,
                                                role(),
                                                effect.attempt(),
                                                effect.termId(),
                                                effect.floor(),
                                                effect.expectedVersion()),
                                        context.requests().timeout()),
                        answer -> tell(answer.<RoleEvent>fold(
                                RoleEvent.Granted::new,
                                why -> new RoleEvent.Declined(effect.attempt(), why),
                                unknown -> new RoleEvent.AcquireUnknown(effect.attempt()))));
    }

    @Override
    public void sendRelease(RoleEffect.SendRelease effect) {
        context.requests()
                .ask(
                        effect.epoch(),
                        session -> context.store()
                                .release(
                                        new Release(session, role(), effect.attempt(), effect.expectedVersion()),
                                        context.requests().timeout()),
                        answer -> tell(answer.<RoleEvent>fold(
                                view -> new RoleEvent.Released(effect.attempt(), view),
                                gone -> new RoleEvent.ReleaseUnknown(effect.attempt()),
                                unknown -> new RoleEvent.ReleaseUnknown(effect.attempt()))));
    }

    @Override
    public void sendReserve(RoleEffect.SendReserve effect) {
        context.requests()
                .ask(
                        effect.epoch(),
                        session -> context.store()
                                .reserve(
                                        new Reserve(session, role(), effect.attempt(), effect.to(), effect.window()),
                                        context.requests().timeout()),
                        answer -> tell(answer.<RoleEvent>fold(
                                view -> new RoleEvent.Reserved(effect.attempt()),
                                why -> new RoleEvent.ReserveRefused(effect.attempt(), why),
                                unknown -> new RoleEvent.ReserveUnknown(effect.attempt()))));
    }

    @Override
    public void enlist(RoleEffect.Enlist effect) {
        context.requests()
                .ask(
                        effect.epoch(),
                        session -> context.store()
                                .enlist(session, role(), context.requests().timeout()),
                        answer -> answer.handle(
                                view -> tell(new RoleEvent.Observed(view)),
                                gone -> {},
                                unknown -> context.loop()
                                        .schedule(
                                                () -> enlistIfStillWanted(effect),
                                                plan.timing().retryPeriod())));
    }

    private void enlistIfStillWanted(RoleEffect.Enlist effect) {
        if (state.phase().kind() != Phase.Kind.IDLE && state.phase().kind() != Phase.Kind.CLOSED) {
            enlist(effect);
        }
    }

    @Override
    public void withdraw(RoleEffect.Withdraw effect) {
        context.requests()
                .ask(
                        effect.epoch(),
                        session -> context.store()
                                .withdraw(session, role(), context.requests().timeout()),
                        answer -> {});
    }

    @Override
    public void watch(RoleEffect.Watch effect) {
        watch.close();
        long number = ++watchNumber;
        watch = context.store().watch(role(), new WatchObserver() {
            @Override
            public void observed(RoleView view) {
                onThisWatch(number, new RoleEvent.Observed(view));
            }

            @Override
            public void broken(String cause) {
                onThisWatch(number, new RoleEvent.WatchBroken());
            }
        });
    }

    private void onThisWatch(long number, RoleEvent event) {
        context.loop().execute(() -> {
            if (number == watchNumber) {
                tell(event);
            }
        });
    }

    @Override
    public void unwatch(RoleEffect.Unwatch effect) {
        watchNumber++;
        watch.close();
    }

    // The fences

    @Override
    public void sendSeal(RoleEffect.SendSeal effect) {
        Fence fence = fences.get(effect.resource());
        if (fence == null) {
            throw new IllegalStateException("no fence for " + effect.resource());
        }
        TermId sealing = effect.stamp().termId();
        context.asking()
                .ask(
                        () -> fence.seal(effect.stamp(), context.asking().timeout()),
                        answer -> tell(answer.<RoleEvent>fold(
                                view -> new RoleEvent.Sealed(sealing, effect.resource()),
                                why -> new RoleEvent.SealRefused(sealing, effect.resource(), why),
                                unknown -> unanswered(effect, unknown.cause()))));
    }

    /** The machine asks again and again; a person is told once of each term, or the report would drown the rest. */
    private RoleEvent unanswered(RoleEffect.SendSeal effect, String cause) {
        TermId term = effect.stamp().termId();
        if (!term.equals(unanswered.put(effect.resource(), term))) {
            context.events()
                    .emit(new Event.SealUnanswered(role(), effect.stamp().token(), effect.resource(), cause));
        }
        return new RoleEvent.SealUnknown(term, effect.resource());
    }

    // The listener

    @Override
    public void callPrepare(RoleEffect.CallPrepare effect) {
        RunningTerm begun = new RunningTerm(
                effect.grant().stamp(),
                context.validity(),
                state.tenure().map(Tenure::sealed).orElseThrow());
        term = begun;
        call(begun, Callback.PREPARE, () -> {
            if (!begun.isOver()) {
                listener.prepare(begun);
            }
        });
    }

    @Override
    public void callElected(RoleEffect.CallElected effect) {
        RunningTerm current = current(effect.token());
        call(current, Callback.ELECTED, () -> {
            if (!current.isOver()) {
                current.markTold();
                listener.onElected(current);
            }
        });
    }

    @Override
    public void callDeposed(RoleEffect.CallDeposed effect) {
        RunningTerm current = current(effect.token());
        call(current, Callback.DEPOSED, () -> {
            if (current.wasTold()) {
                listener.onDeposed(current, effect.end());
            }
        });
    }

    private void call(RunningTerm current, Callback callback, Lane.Body body) {
        TermId of = current.stamp().termId();
        lane.submit(
                current.token(),
                callback,
                body,
                outcome -> context.loop().execute(() -> tell(new RoleEvent.CallbackReturned(of, callback, outcome))));
    }

    @Override
    public void signalDraining(RoleEffect.SignalDraining effect) {
        RunningTerm current = current(effect.token());
        context.signals().execute(() -> current.signalDraining(effect.reason()));
    }

    /** A term that ended before anybody was told of it has nobody to tell. */
    @Override
    public void endTerm(RoleEffect.EndTerm effect) {
        RunningTerm current = term;
        if (current == null || !current.token().equals(effect.token())) {
            return;
        }
        current.invalidate();
        context.signals().execute(() -> {
            current.signalEnd(effect.end());
            lane.interrupt(effect.token());
        });
    }

    private RunningTerm current(FencingToken token) {
        RunningTerm current = term;
        if (current == null || !current.token().equals(token)) {
            throw new IllegalStateException("no term with token " + token);
        }
        return current;
    }

    @Override
    public void concludeTransfer(RoleEffect.ConcludeTransfer effect) {
        CompletableFuture<Void> outcome = transfers.remove(effect.to());
        if (outcome == null) {
            return;
        }
        context.signals()
                .execute(() -> effect.outcome()
                        .handle(
                                done -> outcome.complete(null),
                                why -> outcome.completeExceptionally(
                                        new TransferRefusedException(role(), effect.to(), why)),
                                unknown -> outcome.completeExceptionally(
                                        new TransferUnknownException(role(), effect.to(), unknown.cause()))));
    }

    // The rest

    @Override
    public void schedule(RoleEffect.Schedule effect) {
        Timer timer = effect.timer();
        cancelTimer(timer);
        Duration delay = effect.delay();
        timers.put(
                timer,
                context.loop()
                        .schedule(
                                () -> {
                                    timers.remove(timer);
                                    tell(new RoleEvent.TimerFired(timer));
                                },
                                delay));
    }

    @Override
    public void cancel(RoleEffect.Cancel effect) {
        cancelTimer(effect.timer());
    }

    private void cancelTimer(Timer timer) {
        EventLoop.Scheduled running = timers.remove(timer);
        if (running != null) {
            running.cancel();
        }
    }

    @Override
    public void emit(RoleEffect.Emit effect) {
        context.events().emit(effect.event());
    }

    @Override
    public void finished(RoleEffect.Finished effect) {
        timers.values().forEach(EventLoop.Scheduled::cancel);
        timers.clear();
        finished.complete(null);
    }
}
