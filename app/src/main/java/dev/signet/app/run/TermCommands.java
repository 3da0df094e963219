package dev.signet.app.run;

import dev.signet.Stamp;
import dev.signet.Term;
import dev.signet.TermEnd;
import dev.signet.app.child.BootClock;
import dev.signet.app.child.BootInstant;
import dev.signet.app.child.ChildCommand;
import dev.signet.app.child.ChildEnd;
import dev.signet.app.child.GuardBudget;
import dev.signet.app.child.GuardSettings;
import dev.signet.app.child.GuardedChild;
import dev.signet.time.Reading;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Runs commands under a term and after it. All calls block, for as long as the command runs, and an interrupt does not shorten them: a
 * command is left only when nothing of it lives.
 */
final class TermCommands {
    private static final long LOOK_MILLIS = 10;

    private final GuardSettings settings;
    private final LeaseFeed feed;
    private final String candidate;

    TermCommands(GuardSettings settings, LeaseFeed feed, String candidate) {
        this.settings = settings;
        this.feed = feed;
        this.candidate = candidate;
    }

    /**
     * Runs a command that must not outlive the term, with a guard that learns of each renewal.
     *
     * @param bound the longest that it may take; empty for no bound
     * @param started called when it runs
     * @return empty if the term was over before it could be started
     * @throws IOException if it cannot be started; then nothing of it runs
     */
    Optional<ChildEnd> inTerm(Term term, ChildCommand command, Optional<Duration> bound, Consumer<GuardedChild> started)
            throws IOException {
        Optional<Reading> until = awaitValid(term);
        if (until.isEmpty()) {
            return Optional.empty();
        }
        try (GuardedChild child = start(command, term.stamp(), settings, feed.sent(until.get()))) {
            started.accept(child);
            feed.attach(term, child, until.get());
            var unusedDraining = term.draining().thenAccept(reason -> drain(term, child));
            var unusedEnded = term.ended().thenAccept(end -> stop(end, child));
            bound.ifPresent(longest -> terminateAfter(longest, child));
            ChildEnd end = child.ended().join();
            feed.detach(child);
            return Optional.of(end);
        } catch (IOException e) {
            if (isOver(term)) {
                return Optional.empty();
            }
            throw e;
        }
    }

    /** Runs a command when the term is over. The guard counts from its beginning: it ends within the bound whatever becomes of signet. */
    ChildEnd afterTerm(Stamp stamp, ChildCommand command, Duration bound) throws IOException {
        Duration all = bound.plus(settings.stop().onResign());
        GuardBudget budget = new GuardBudget(
                all, all.plus(Duration.ofSeconds(1)), settings.guard().pollInterval());
        GuardSettings own = new GuardSettings(budget, settings.stop());
        try (GuardedChild child = start(command, stamp, own, BootClock.ofHost().now())) {
            terminateAfter(bound, child);
            return child.ended().join();
        }
    }

    private static Optional<Reading> awaitValid(Term term) {
        boolean interrupted = false;
        try {
            while (!isOver(term)) {
                Optional<Reading> until = term.validUntil();
                if (until.isPresent()) {
                    return until;
                }
                try {
                    Thread.sleep(LOOK_MILLIS);
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
            return Optional.empty();
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private static boolean isOver(Term term) {
        return term.ended().toCompletableFuture().isDone();
    }

    /** A command of a suspended term is stopped, and one that is not sure of its term must not be let go on: it gets no TERM. */
    private void drain(Term term, GuardedChild child) {
        if (term.isValid()) {
            child.terminate(settings.stop().onResign());
        } else {
            child.kill();
        }
    }

    private void stop(TermEnd end, GuardedChild child) {
        feed.detach(child);
        switch (end.reason()) {
            case RENEW_DEADLINE -> child.terminate(settings.stop().onLost());
            // the session lives, and the role is not released before this command has ended
            case RESIGNED, TRANSFERRED, CLOSED ->
                child.terminate(settings.stop().onResign());
            case SESSION_GONE,
                    UNCONFIRMED_AFTER_PAUSE,
                    LOST_AT_STORE,
                    SUPERSEDED,
                    SEAL_REFUSED,
                    HEALED,
                    PREPARE_FAILED,
                    LISTENER_FAILED,
                    PROBE_FAILED,
                    DRAIN_OVERRUN -> child.kill();
        }
    }

    private void terminateAfter(Duration bound, GuardedChild child) {
        CompletableFuture.delayedExecutor(bound.toMillis(), TimeUnit.MILLISECONDS)
                .execute(() -> child.terminate(settings.stop().onResign()));
    }

    private GuardedChild start(ChildCommand command, Stamp stamp, GuardSettings guard, BootInstant from)
            throws IOException {
        return GuardedChild.start(command, environment(stamp), guard, from);
    }

    private Map<String, String> environment(Stamp stamp) {
        return Map.of(
                "SIGNET_ROLE", stamp.role().name(),
                "SIGNET_TOKEN", stamp.token().toString(),
                "SIGNET_TERM_ID", stamp.termId().secret(),
                "SIGNET_STORE_ID", stamp.storeId().toString(),
                "SIGNET_CANDIDATE", candidate);
    }
}
