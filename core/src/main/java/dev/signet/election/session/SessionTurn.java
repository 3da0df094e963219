package dev.signet.election.session;

import dev.signet.lease.LeaseTiming;
import dev.signet.observe.Event;
import dev.signet.time.Reading;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** One step being taken: what it may look at, and the effects it has decided on so far. Not kept after the step. */
public final class SessionTurn {

    private final LeaseTiming timing;
    private final Reading now;
    private final List<SessionEffect> effects = new ArrayList<>();

    SessionTurn(LeaseTiming timing, Reading now) {
        this.timing = timing;
        this.now = now;
    }

    LeaseTiming timing() {
        return timing;
    }

    Reading now() {
        return now;
    }

    void add(SessionEffect effect) {
        effects.add(effect);
    }

    void emit(Event event) {
        effects.add(new SessionEffect.Emit(event));
    }

    /** Schedules the next tick and returns when it is due. */
    Reading tickAfter(Duration delay) {
        effects.add(new SessionEffect.ScheduleTick(delay));
        return now.plus(delay);
    }

    boolean isPause(Duration late) {
        return late.compareTo(timing.pauseThreshold()) > 0;
    }

    Duration since(Reading earlier) {
        return Duration.ofNanos(now.nanosSince(earlier));
    }

    List<SessionEffect> effects() {
        return List.copyOf(effects);
    }
}
