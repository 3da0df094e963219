package dev.signet.runtime;

import dev.signet.Role;
import dev.signet.election.session.SessionEffect;
import dev.signet.election.session.SessionEvent;
import dev.signet.election.session.SessionEvent.HeldMatch;
import dev.signet.election.session.SessionMachine;
import dev.signet.election.session.SessionState;
import dev.signet.lease.LeaseTiming;
import dev.signet.store.Grant;
import dev.signet.store.OpenSession;
import dev.signet.store.Renewed;
import dev.signet.store.SessionId;
import dev.signet.store.Store;
import dev.signet.time.EventLoop;
import dev.signet.time.Reading;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Steps the session machine and carries out its effects. Used on the event loop only, but for {@link #finished}. */
final class SessionRunner implements SessionEffect.Hands {

    private static final Logger LOG = LoggerFactory.getLogger(SessionRunner.class);

    private final CandidateOptions options;
    private final EventLoop loop;
    private final Store store;
    private final Asking asking;
    private final EventSink events;
    private final SessionRoles roles;
    private final PauseMeter pauses;
    private final SessionMachine machine;
    private final CompletableFuture<Void> finished = new CompletableFuture<>();

    private SessionState state = SessionMachine.initial();
    private long epoch;
    private SessionId session = SessionId.random();
    private Validity validity;
    private EventLoop.Scheduled tick = () -> {};

    SessionRunner(
            CandidateOptions options,
            EventLoop loop,
            Store store,
            Asking asking,
            EventSink events,
            SessionRoles roles,
            PauseMeter pauses) {
        this.options = options;
        this.loop = loop;
        this.store = store;
        this.asking = asking;
        this.events = events;
        this.roles = roles;
        this.pauses = pauses;
        this.machine = new SessionMachine(options.timing());
        this.validity = new Validity(options.time());
    }

    void tell(SessionEvent event) {
        SessionMachine.Step step = machine.step(state, event, options.time().read());
        state = step.state();
        step.effects().forEach(this::carryOut);
    }

    /** One adapter's defect must not keep the other effects from happening: the next tick least of all. */
    private void carryOut(SessionEffect effect) {
        try {
            effect.carryOut(this);
        } catch (RuntimeException | Error defect) {
            LOG.error("session: {} failed", effect, defect);
        }
    }

    /** Renews no more, and leaves the session to expire. */
    void abandon() {
        tick.cancel();
        validity.withdraw();
        finished.complete(null);
    }

    /** The session of {@code asked}, unless another has been asked for since. */
    Optional<SessionId> session(long asked) {
        return asked == epoch ? Optional.of(session) : Optional.empty();
    }

    Validity validity() {
        return validity;
    }

    CompletableFuture<Void> finished() {
        return finished;
    }

    @Override
    public void sendOpen(SessionEffect.SendOpen effect) {
        epoch = effect.epoch();
        session = SessionId.random();
        validity = new Validity(options.time());
        LeaseTiming timing = options.timing();
        OpenSession request = new OpenSession(session, options.id(), options.advertised(), timing.leaseDuration());
        Reading sentAt = options.time().read();
        asking.ask(
                () -> store.open(request, asking.timeout()),
                answer -> tell(answer.<SessionEvent>fold(
                        opened -> new SessionEvent.Opened(effect.epoch(), sentAt),
                        refusal -> new SessionEvent.OpenRefused(effect.epoch(), refusal),
                        unknown -> new SessionEvent.OpenUnknown(effect.epoch(), unknown.cause()))));
    }

    @Override
    public void sendRenew(SessionEffect.SendRenew effect) {
        Holdings asked = roles.holdings();
        Reading sentAt = options.time().read();
        asking.ask(
                () -> store.renew(session, asking.timeout()),
                answer -> tell(answer.<SessionEvent>fold(
                        renewed ->
                                new SessionEvent.Renewed(effect.epoch(), effect.seq(), sentAt, match(renewed, asked)),
                        gone -> new SessionEvent.RenewGone(effect.epoch(), effect.seq()),
                        unknown -> new SessionEvent.RenewUnknown(effect.epoch(), effect.seq()))));
    }

    /** Compares only where nothing was, or came, under way meanwhile. */
    private HeldMatch match(Renewed renewed, Holdings asked) {
        OptionalLong carried = renewed.heldDigest();
        if (carried.isEmpty() || !asked.isSettled() || !roles.holdings().isSameAs(asked)) {
            return HeldMatch.NOT_CARRIED;
        }
        return carried.getAsLong() == asked.digest() ? HeldMatch.SAME : HeldMatch.DIFFERENT;
    }

    @Override
    public void reconcile(SessionEffect.Reconcile effect) {
        session(effect.epoch()).ifPresent(id -> {
            Map<Role, Long> asked = roles.grantedAttempts();
            asking.ask(
                    () -> store.held(id, asking.timeout()),
                    answer -> answer.handle(
                            held -> compare(effect.epoch(), asked, held),
                            gone -> {},
                            unknown -> loop.schedule(
                                    () -> reconcile(effect), options.timing().retryPeriod())));
        });
    }

    private void compare(long asked, Map<Role, Long> grantedAttempts, List<Grant> held) {
        Map<Role, Grant> byRole = new HashMap<>();
        held.forEach(grant -> byRole.put(grant.role(), grant));
        roles.reconcile(asked, grantedAttempts, byRole);
    }

    @Override
    public void publishDeadline(SessionEffect.PublishDeadline effect) {
        validity.publish(effect.deadline());
    }

    @Override
    public void withdrawDeadline(SessionEffect.WithdrawDeadline effect) {
        validity.withdraw();
    }

    @Override
    public void notifyLive(SessionEffect.NotifyLive effect) {
        roles.live(effect.epoch());
    }

    @Override
    public void notifySuspended(SessionEffect.NotifySuspended effect) {
        roles.suspended(effect.epoch());
    }

    @Override
    public void notifyResumed(SessionEffect.NotifyResumed effect) {
        roles.resumed(effect.epoch());
    }

    @Override
    public void notifyLost(SessionEffect.NotifyLost effect) {
        roles.lost(effect.epoch(), effect.reason());
    }

    @Override
    public void sendClose(SessionEffect.SendClose effect) {
        session(effect.epoch())
                .ifPresent(id -> asking.ask(
                        () -> store.close(id, asking.timeout()),
                        answer -> tell(new SessionEvent.CloseAnswered(effect.epoch()))));
    }

    @Override
    public void scheduleTick(SessionEffect.ScheduleTick effect) {
        tick.cancel();
        Duration delay = effect.delay();
        Reading due = options.time().read().plus(delay);
        tick = loop.schedule(
                () -> {
                    pauses.came(options.time().read().nanosSince(due));
                    tell(new SessionEvent.Tick());
                },
                delay);
    }

    @Override
    public void emit(SessionEffect.Emit effect) {
        events.emit(effect.event());
    }

    @Override
    public void finished(SessionEffect.Finished effect) {
        tick.cancel();
        finished.complete(null);
    }
}
