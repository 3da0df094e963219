package dev.signet.simulation;

import dev.signet.TermEnd;
import dev.signet.election.session.SessionEffect;
import dev.signet.election.session.SessionEvent;
import dev.signet.lease.LeaseTiming;
import dev.signet.time.Reading;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What one process did with its session, judged by its requests, answers and clocks: R4, R5. */
final class SessionLedger {

    /** What the clocks said when a request for a proof of life was sent. */
    record Request(Reading sentAt, long sent, long suspendedInAll, long setsBack) {}

    private final World world;
    private final Incarnation process;
    private final LeaseTiming timing;
    private final Set<Long> gone = new HashSet<>();
    private final Set<Long> lost = new HashSet<>();
    private final Set<Long> led = new HashSet<>();
    private long provenEpoch;
    private @Nullable Reading proof;
    private long proofSent;
    private @Nullable Request newestProof;
    private @Nullable Reading published;
    private boolean suspended;
    private long suspendedAt;
    private boolean tickWasLate;
    private boolean reconcileDue;

    SessionLedger(World world, Incarnation process) {
        this.world = world;
        this.process = process;
        this.timing = world.climate().timing();
    }

    /** The store's word that the session lives arrived; it was asked for at {@code sentAt}. */
    void proven(long epoch, Request request) {
        Reading sentAt = request.sentAt();
        long sent = request.sent();
        if (epoch < provenEpoch) {
            return;
        }
        if (epoch > provenEpoch || sent >= proofSent) {
            newestProof = request;
        }
        if (epoch > provenEpoch || proof == null) {
            reconcileDue = false;
            provenEpoch = epoch;
            proof = sentAt;
            proofSent = sent;
        } else {
            proof = proof.laterOf(sentAt);
            proofSent = Math.max(proofSent, sent);
        }
    }

    Request request(Reading sentAt) {
        Clocks clocks = process.node().clocks();
        return new Request(sentAt, world.now(), clocks.suspendedInAll(world.now()), clocks.setsBack());
    }

    /**
     * Whether the host was suspended, and its wall clock set back, since the last proof of life was sent: then neither
     * clock tells how much time has passed, and no holder can know that its deadline did.
     */
    boolean isBlind() {
        Clocks clocks = process.node().clocks();
        Request last = newestProof;
        return last != null
                && clocks.suspendedInAll(world.now()) > last.suspendedInAll()
                && clocks.setsBack() > last.setsBack();
    }

    void heardGone(long epoch) {
        gone.add(epoch);
    }

    void steps(SessionEvent event, @Nullable Reading tickDue, List<SessionEffect> effects) {
        Reading now = process.node().clocks().read(world.now());
        tickWasLate = tickDue != null
                && now.nanosSince(tickDue) > timing.pauseThreshold().toNanos();
        boolean reconciles = effects.stream().anyMatch(SessionEffect.Reconcile.class::isInstance);
        if (event instanceof SessionEvent.RenewUnknown unknown && unknown.epoch() == provenEpoch) {
            reconcileDue = true;
        } else if (event instanceof SessionEvent.Renewed renewed
                && renewed.epoch() == provenEpoch
                && !suspended
                && published != null
                && !now.isAtOrAfter(published)) {
            world.require(
                    reconciles || !(reconcileDue || renewed.match() == SessionEvent.HeldMatch.DIFFERENT),
                    Rule.ONE_GRANT,
                    () -> "the store was not asked what the session holds");
            reconcileDue = false;
        }
    }

    /** A tick that comes after the deadline leaves nothing published. */
    void stepped(SessionEvent event) {
        Reading until = published;
        if (event instanceof SessionEvent.Tick && until != null) {
            world.require(
                    // to the millisecond, which is what the wall clock has
                    !process.node()
                            .clocks()
                            .read(world.now())
                            .plusNanos(-2 * Agenda.MILLI)
                            .isAtOrAfter(until),
                    Rule.DEADLINE,
                    () -> "a tick came after the deadline and neither suspended nor lost the session");
        }
    }

    void publishes(SessionEffect.PublishDeadline effect) {
        long epoch = effect.epoch();
        world.require(!lost.contains(epoch), Rule.FINAL, () -> "session " + epoch + " was lost and is valid again");
        Reading sent = proof;
        world.require(
                sent != null && provenEpoch == epoch,
                Rule.DEADLINE,
                () -> "a deadline without a proof of life of session " + epoch);
        if (sent == null) {
            return;
        }
        Reading latest = sent.plus(timing.renewDeadline());
        world.require(
                effect.deadline().monoNanos() <= latest.monoNanos()
                        && effect.deadline().wallMillis() <= latest.wallMillis(),
                Rule.DEADLINE,
                () -> "the deadline lies "
                        + (effect.deadline().monoNanos() - sent.monoNanos()) / Agenda.MILLI
                        + " ms after the sending of the last success");
        Reading before = published;
        world.require(
                before == null || !process.node().clocks().read(world.now()).isAtOrAfter(before),
                Rule.FINAL,
                () -> "a deadline that had passed was moved on without a confirmation");
        world.require(
                !suspended || proofSent >= suspendedAt,
                Rule.PAUSE,
                () -> "valid again after a pause by an answer to a renewal sent before it");
        published = effect.deadline();
        led.add(epoch);
    }

    void withdraws() {
        published = null;
    }

    void suspends() {
        suspended = true;
        suspendedAt = world.now();
    }

    void resumes(long epoch) {
        reconcileDue = false;
        world.require(
                suspended && provenEpoch == epoch && proofSent >= suspendedAt,
                Rule.PAUSE,
                () -> "resumed without a renewal begun after waking");
        suspended = false;
    }

    void loses(long epoch, TermEnd.Reason reason) {
        lost.add(epoch);
        switch (reason) {
            case RENEW_DEADLINE -> {
                world.sometimes(Sometimes.DEADLINE_PASSED_AWAKE);
                world.require(!tickWasLate, Rule.PAUSE, () -> "a pause alone has deposed");
            }
            case SESSION_GONE -> {
                world.sometimes(Sometimes.SESSION_GONE);
                world.require(gone.contains(epoch), Rule.PAUSE, () -> "lost as gone, which no store has said");
            }
            case UNCONFIRMED_AFTER_PAUSE -> world.sometimes(Sometimes.PAUSE_NOT_SURVIVED);
            default -> world.require(false, Rule.PAUSE, () -> "lost because of " + reason);
        }
        suspended = false;
    }

    void closes(long epoch) {
        world.require(
                !led.contains(epoch) || !lost.contains(epoch),
                Rule.LEASE,
                () -> "a lost session was closed, which hands its roles on before its lease is over");
    }
}
