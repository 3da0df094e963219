package dev.signet.election.role;

import dev.signet.Answer;
import dev.signet.CandidateId;
import dev.signet.TermId;
import dev.signet.observe.Event;
import dev.signet.store.Concluded;
import dev.signet.store.Grant;
import dev.signet.store.RoleView;
import dev.signet.time.Reading;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** One step being taken: what it may look at, and what it has decided on so far. Not kept after the step. */
public final class Turn {

    private static final Duration LONGEST_BACK_OFF = Duration.ofMinutes(1);
    private static final int LONGEST_DOUBLING = 10;
    private static final Duration HEALING_WINDOW = Duration.ofHours(1);
    private static final int HEALINGS_PER_WINDOW = 3;

    private Standing standing;
    private final Reading now;
    private final TermId fresh;
    private final List<RoleEffect> effects = new ArrayList<>();

    Turn(Standing standing, Reading now, TermId fresh) {
        this.standing = standing;
        this.now = now;
        this.fresh = fresh;
    }

    Standing standing() {
        return standing;
    }

    RolePlan plan() {
        return standing.plan();
    }

    TermId fresh() {
        return fresh;
    }

    void add(RoleEffect effect) {
        effects.add(effect);
    }

    void emit(Event event) {
        effects.add(new RoleEffect.Emit(event));
    }

    void schedule(Timer timer, Duration delay) {
        effects.add(new RoleEffect.Schedule(timer, delay));
    }

    void cancel(Timer timer) {
        effects.add(new RoleEffect.Cancel(timer));
    }

    /** When to ask again what was not answered. */
    Duration soon() {
        return plan().timing().retryPeriod().dividedBy(4);
    }

    void wish(Standing.Wish wish) {
        if (standing.wish() != Standing.Wish.CLOSE) {
            standing = standing.withWish(wish);
        }
    }

    void pulse(long epoch, Pulse.Beat beat) {
        standing = standing.withPulse(new Pulse(epoch, beat));
    }

    long nextAttempt() {
        standing = standing.withNextAttempt();
        return standing.lastAttempt();
    }

    /** Takes note of a view, unless a newer one was seen before: versions never go back. */
    boolean sees(RoleView view) {
        boolean older =
                standing.seen().filter(seen -> seen.version() > view.version()).isPresent();
        if (!older) {
            standing = standing.withSeen(view);
        }
        return !older;
    }

    /**
     * Takes note of the view in an answer to a request that was decided on {@code askedVersion}. A store that answers
     * with less has gone back, restored from a backup: what was seen of it before counts no more.
     */
    boolean hears(RoleView view, long askedVersion) {
        if (view.version() < askedVersion) {
            forgetSeen();
        }
        return sees(view);
    }

    /** What was seen may be of a store that was restored since, to lower versions: the next view counts, whatever it is. */
    void forgetSeen() {
        standing = standing.withoutSeen();
    }

    long seenVersion() {
        return standing.seen().map(RoleView::version).orElse(0L);
    }

    /** Whether a newer record than the one that the grant wrote was seen, and names another term or nobody. */
    boolean contradicts(Grant grant) {
        return standing.seen().filter(Tenure.of(grant, false)::isContradictedBy).isPresent();
    }

    /** Lets others have the role for a while, longer with each failure in a row. */
    void backOff() {
        int failures = standing.failures() + 1;
        Duration delay = plan().timing().retryPeriod().multipliedBy(1L << Math.min(failures - 1, LONGEST_DOUBLING));
        if (delay.compareTo(LONGEST_BACK_OFF) > 0) {
            delay = LONGEST_BACK_OFF;
        }
        standing = standing.withFailures(failures, true);
        schedule(new Timer.BackOff(), delay);
        emit(new Event.BackedOff(plan().role(), failures, delay));
    }

    void backOffOver() {
        standing = standing.withFailures(standing.failures(), false);
    }

    void succeeded() {
        standing = standing.withFailures(0, standing.backingOff());
    }

    /** Whether the role may be healed once more in this hour; counts it if so. */
    boolean mayHeal() {
        List<Reading> recent = new ArrayList<>();
        for (Reading healing : standing.healings()) {
            if (now.nanosSince(healing) < HEALING_WINDOW.toNanos()) {
                recent.add(healing);
            }
        }
        if (recent.size() >= HEALINGS_PER_WINDOW) {
            return false;
        }
        recent.add(now);
        standing = standing.withHealings(recent);
        return true;
    }

    void transferBegins(CandidateId to) {
        standing = standing.withTransferTo(Optional.of(to));
    }

    /** Answers whoever waits for a transfer; nothing if nobody does. */
    void concludeTransfer(Answer<Concluded, String> outcome) {
        standing.transferTo().ifPresent(to -> {
            effects.add(new RoleEffect.ConcludeTransfer(to, outcome));
            outcome.handle(
                    done -> {},
                    why -> emit(new Event.TransferRefused(plan().role(), why)),
                    unknown -> emit(new Event.TransferUnknown(plan().role(), unknown.cause())));
        });
        standing = standing.withTransferTo(Optional.empty());
    }

    /** The listener of an ended term runs on after its grace. */
    void overran(Tenure tenure) {
        standing = standing.withOverrun(Optional.of(tenure));
    }

    /** A call has returned, perhaps of a term whose listener had overrun its grace. */
    void returned(RoleEvent.CallbackReturned event) {
        standing = standing.withOverrun(standing.overrun()
                .map(tenure -> tenure.isOf(event.term()) ? tenure.withReturned(event.callback()) : tenure)
                .filter(tenure -> !tenure.running().isEmpty()));
    }

    List<RoleEffect> effects() {
        return List.copyOf(effects);
    }
}
