package dev.signet.app.place;

import dev.signet.Answer;
import dev.signet.StoreException;
import dev.signet.app.cli.CommandFailedException;
import dev.signet.app.cli.ExitCode;
import dev.signet.fence.FenceView;
import dev.signet.fence.SealRefusal;
import dev.signet.store.StoreRefusal;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Supplier;

/** Asks a store or a fence and waits, for a command that has nothing else to do. Only for what may be asked twice. */
public final class Contact {

    /** After this long without an answer a command gives up. */
    public static final Duration LIMIT = Duration.ofSeconds(10);

    private static final Duration BETWEEN_TRIES = Duration.ofMillis(200);

    private final Duration limit;

    /** @param limit counted from each question */
    public Contact(Duration limit) {
        this.limit = limit;
    }

    public static Contact withinLimit() {
        return new Contact(LIMIT);
    }

    /**
     * @param shown the store's URI, for the line that says that there was no answer
     * @throws CommandFailedException if it refuses, or does not answer in time
     */
    public <D> D store(String shown, Function<Duration, CompletionStage<Answer<D, StoreRefusal>>> question)
            throws InterruptedException {
        return ask("store " + shown, question, StoreRefusal::message);
    }

    /** The same for what a fence shows. */
    public FenceView fence(ProtectedResource resource) throws InterruptedException {
        return fence(resource, resource::explained);
    }

    /** The same with other words for a refusal. */
    public FenceView fence(ProtectedResource resource, Function<SealRefusal, String> explained)
            throws InterruptedException {
        return ask("resource " + resource.shown(), resource.fence()::view, explained);
    }

    /**
     * Does what blocks by itself, again while the store cannot be reached.
     *
     * @throws CommandFailedException if that lasts
     * @throws StoreException what else is refused
     */
    <T> T patiently(Supplier<T> work) {
        long began = System.nanoTime();
        while (true) {
            long asked = System.nanoTime();
            try {
                return work.get();
            } catch (StoreException e) {
                long now = System.nanoTime();
                // the next try may take as long as this one did
                boolean last = now + (now - asked) + BETWEEN_TRIES.toNanos() - began > limit.toNanos();
                if (e.kind() != StoreRefusal.Kind.UNREACHABLE) {
                    throw e;
                }
                if (last || !pause()) {
                    throw new CommandFailedException(
                            ExitCode.UNAVAILABLE, "store " + e.getMessage() + "; try again later", e);
                }
            }
        }
    }

    /** @return false if interrupted */
    private static boolean pause() {
        try {
            TimeUnit.NANOSECONDS.sleep(BETWEEN_TRIES.toNanos());
            return true;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    private <D, R> D ask(
            String who, Function<Duration, CompletionStage<Answer<D, R>>> question, Function<R, String> refusal)
            throws InterruptedException {
        long deadline = System.nanoTime() + limit.toNanos();
        Optional<String> told = Optional.empty();
        while (true) {
            Duration left = Duration.ofNanos(Math.max(1, deadline - System.nanoTime()));
            Answer<D, R> answer = question.apply(left).toCompletableFuture().join();
            boolean last = deadline - System.nanoTime() < BETWEEN_TRIES.toNanos();
            boolean timedOut = System.nanoTime() >= deadline;
            Optional<String> before = told;
            Optional<D> done = answer.fold(
                    Optional::of,
                    why -> {
                        throw new CommandFailedException(ExitCode.CONFIGURATION, refusal.apply(why));
                    },
                    unknown -> {
                        if (last) {
                            // that time ran out while it was asked once more says less than why it was asked again
                            String cause = timedOut ? before.orElse(unknown.cause()) : unknown.cause();
                            throw new CommandFailedException(ExitCode.UNAVAILABLE, silence(who, cause));
                        }
                        return Optional.empty();
                    });
            if (done.isPresent()) {
                return done.get();
            }
            told = answer.fold(some -> before, why -> before, unknown -> Optional.of(unknown.cause()));
            TimeUnit.NANOSECONDS.sleep(BETWEEN_TRIES.toNanos());
        }
    }

    private String silence(String who, String cause) {
        return who + " did not answer within " + limit.toSeconds() + " s (" + cause + "); try again later";
    }
}
