package dev.signet.app.run;

import dev.signet.observe.Event;
import dev.signet.observe.Observer;
import java.util.Optional;
import java.util.function.Consumer;

/** Says, in a line each, what a person beside a run wants to know of the elector's doings. */
final class EventLines implements Observer {
    private final Consumer<String> say;

    EventLines(Consumer<String> say) {
        this.say = say;
    }

    @Override
    public void on(Event event) {
        line(event).ifPresent(say);
    }

    private static Optional<String> line(Event event) {
        if (event instanceof Event.Unfenced unfenced) {
            return Optional.of("unfenced role=" + unfenced.role() + " reason=\"" + unfenced.reason()
                    + "\": a leader that was paused or cut off can still write");
        }
        if (event instanceof Event.StoreUnreachable unreachable) {
            return Optional.of("store unreachable, trying on: " + unreachable.cause());
        }
        if (event instanceof Event.SessionRefused refused) {
            return Optional.of(
                    "store refuses a session, trying on: " + refused.refusal().message());
        }
        if (event instanceof Event.SessionSuspended suspended) {
            return Optional.of(
                    "suspended: could not run for " + suspended.late().toMillis() + " ms");
        }
        if (event instanceof Event.SessionResumed resumed) {
            return Optional.of("resumed after " + resumed.suspended().toMillis() + " ms");
        }
        if (event instanceof Event.SealRefused refused) {
            return Optional.of("seal refused role=" + refused.role() + " token=" + refused.token() + " resource="
                    + refused.resource() + " refusal=" + refused.refusal() + " highest=" + refused.highest());
        }
        if (event instanceof Event.SealUnanswered unanswered) {
            return Optional.of("granted, but cannot lead yet, trying on: role=" + unanswered.role() + " token="
                    + unanswered.token() + " resource=" + unanswered.resource() + " is not sealed: "
                    + unanswered.cause());
        }
        if (event instanceof Event.TokensSkipped skipped) {
            return Optional.of("tokens skipped role=" + skipped.role() + " from=" + skipped.from() + " to="
                    + skipped.to() + " reason=\"" + skipped.reason() + "\"");
        }
        if (event instanceof Event.Alarm alarm) {
            return Optional.of("alarm role=" + alarm.role() + ": " + alarm.why());
        }
        if (event instanceof Event.ListenerFailed failed) {
            return Optional.of("gives up role=" + failed.role() + " token=" + failed.token() + ": "
                    + failed.cause().replaceFirst("^java\\.io\\.IOException: ", ""));
        }
        if (event instanceof Event.BackedOff backedOff) {
            return Optional.of("does not campaign for role=" + backedOff.role() + " for "
                    + backedOff.delay().toMillis() + " ms");
        }
        return Optional.empty();
    }
}
