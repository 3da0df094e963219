package dev.signet.app.run;

import dev.signet.app.cli.CommandFailedException;
import dev.signet.app.cli.ExitCode;
import dev.signet.app.place.Contact;
import dev.signet.observe.Event;
import dev.signet.observe.Observer;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** Whether the store takes this candidate in at all. Once it has, its absence is waited out. */
final class FirstSession implements Observer {
    private final String store;
    private final CompletableFuture<Optional<String>> refused = new CompletableFuture<>();
    private volatile String silence = "no answer yet";

    /** @param store its URI, for people */
    FirstSession(String store) {
        this.store = store;
    }

    @Override
    public void on(Event event) {
        if (event instanceof Event.SessionOpened) {
            refused.complete(Optional.empty());
        } else if (event instanceof Event.SessionRefused refusal) {
            refused.complete(Optional.of(refusal.refusal().message()));
        } else if (event instanceof Event.StoreUnreachable unreachable) {
            silence = unreachable.cause();
        }
    }

    /** @throws CommandFailedException if the store refuses, or does not open a session in time */
    void await() {
        Optional<String> outcome = refused.copy()
                .completeOnTimeout(Optional.of(""), Contact.LIMIT.toMillis(), TimeUnit.MILLISECONDS)
                .join();
        if (outcome.isEmpty()) {
            return;
        }
        String why = outcome.get();
        throw why.isEmpty()
                ? new CommandFailedException(
                        ExitCode.UNAVAILABLE,
                        "store " + store + " did not answer within " + Contact.LIMIT.toSeconds() + " s (" + silence
                                + "); try again later")
                : new CommandFailedException(ExitCode.CONFIGURATION, why);
    }
}
