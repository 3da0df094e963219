package dev.signet.runtime;

import dev.signet.CandidateId;
import dev.signet.observe.Event;
import dev.signet.observe.Observer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Logs events: one line each, {@code key=value}; a warning asks for action. */
final class EventLog implements Observer {

    private static final Logger LOG = LoggerFactory.getLogger("dev.signet");

    private final CandidateId candidate;

    EventLog(CandidateId candidate) {
        this.candidate = candidate;
    }

    @Override
    public void on(Event event) {
        if (asksForAction(event)) {
            LOG.warn("{} candidate={}", EventText.of(event), candidate);
        } else if (event instanceof Event.Granted || event instanceof Event.Sealed) {
            LOG.debug("{} candidate={}", EventText.of(event), candidate);
        } else {
            LOG.info("{} candidate={}", EventText.of(event), candidate);
        }
    }

    private static boolean asksForAction(Event event) {
        return event instanceof Event.Alarm
                || event instanceof Event.Unfenced
                || event instanceof Event.SealRefused
                || event instanceof Event.SealUnanswered
                || event instanceof Event.WriteRefused
                || event instanceof Event.TokensSkipped
                || event instanceof Event.ListenerFailed
                || event instanceof Event.ListenerOverran
                || event instanceof Event.SessionRefused
                || event instanceof Event.SessionLost;
    }
}
