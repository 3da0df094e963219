package dev.signet.testkit;

import dev.signet.Answer;
import dev.signet.time.EventLoop;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** One request on its way, however often it arrives, and its one answer. Thread-safe. */
final class Exchange<D, R> {

    private final CompletableFuture<Answer<D, R>> stage = new CompletableFuture<>();
    private final Consumer<Consumer<Answer<D, R>>> taker;
    private final Duration timeout;
    private final EventLoop loop;
    private final Executor executor;
    private final Consumer<Exchange<?, ?>> whenAnswered;
    private EventLoop.@Nullable Scheduled giveUp;
    private boolean answered;

    /** @param taker takes the request where it arrives, and tells what came of it */
    Exchange(
            Consumer<Consumer<Answer<D, R>>> taker,
            Duration timeout,
            EventLoop loop,
            Executor executor,
            Consumer<Exchange<?, ?>> whenAnswered) {
        this.taker = taker;
        this.timeout = timeout;
        this.loop = loop;
        this.executor = executor;
        this.whenAnswered = whenAnswered;
    }

    CompletionStage<Answer<D, R>> stage() {
        return stage.minimalCompletionStage();
    }

    /** The time-out of the caller, from when it asked. */
    Duration timeout() {
        return timeout;
    }

    /** It takes effect now, and its caller is told if it still waits. */
    void arrive() {
        taker.accept(this::answer);
    }

    /** It takes effect now, and its caller is not told. */
    void arriveUnheard() {
        taker.accept(unheard -> {});
    }

    EventLoop.Scheduled after(Duration delay, Runnable action) {
        return loop.schedule(action, delay);
    }

    /** Its caller is told that nobody knows. */
    void fail(String cause) {
        answer(Answer.unknown(cause));
    }

    /** Fails it after its time-out, unless it is answered before. */
    synchronized void awaitAnswer() {
        if (!answered) {
            giveUp = after(timeout, () -> fail("no answer within " + timeout.toMillis() + " ms"));
        }
    }

    private void answer(Answer<D, R> answer) {
        synchronized (this) {
            if (answered) {
                return;
            }
            answered = true;
            if (giveUp != null) {
                giveUp.cancel();
            }
        }
        whenAnswered.accept(this);
        executor.execute(() -> stage.complete(answer));
    }
}
