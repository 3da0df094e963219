package dev.signet.app.place;

import dev.signet.Answer;
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

    private <D, R> D ask(
            String who, Function<Duration, CompletionStage<Answer<D, R>>> question, Function<R, String> refusal)
            throws InterruptedException {
        long deadline = System.nanoTime() + limit.toNanos();
        while (true) {
            Duration left = Duration.ofNanos(Math.max(1, deadline - System.nanoTime()));
            Answer<D, R> answer = question.apply(left).toCompletableFuture().join();
            boolean last = deadline - System.nanoTime() < BETWEEN_TRIES.toNanos();
            Optional<D> done = answer.fold(
                    Optional::of,
                    why -> {
                        throw new CommandFailedException(ExitCode.CONFIGURATION, refusal.apply(why));
                    },
                    unknown -> {
                        if (last) {
                            throw new CommandFailedException(ExitCode.UNAVAILABLE, silence(who, unknown.cause()));
                        }
                        return Optional.empty();
                    });
            if (done.isPresent()) {
                return done.get();
            }
            TimeUnit.NANOSECONDS.sleep(BETWEEN_TRIES.toNanos());
        }
    }

    private String silence(String who, String cause) {
        return who + " did not answer within " + limit.toSeconds() + " s (" + cause + "); try again later";
    }
}
