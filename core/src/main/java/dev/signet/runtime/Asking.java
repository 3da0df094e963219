package dev.signet.runtime;

import dev.signet.Answer;
import dev.signet.time.EventLoop;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Asks a store or a fence and brings the answer to the event loop, once: the answer, or unknown after the time-out,
 * whatever the adapter does. What comes later than that is dropped; who asks again asks for the same.
 */
final class Asking {

    private final EventLoop loop;
    private final Duration timeout;

    Asking(EventLoop loop, Duration timeout) {
        this.loop = loop;
        this.timeout = timeout;
    }

    Duration timeout() {
        return timeout;
    }

    <D, R> void ask(Supplier<CompletionStage<Answer<D, R>>> request, Consumer<Answer<D, R>> then) {
        Delivery<D, R> delivery = new Delivery<>(then);
        EventLoop.Scheduled late = loop.schedule(
                () -> delivery.deliver(Answer.unknown("no answer within " + timeout.toMillis() + " ms")), timeout);
        send(request)
                .whenComplete((answer, fault) -> loop.execute(() -> {
                    late.cancel();
                    delivery.deliver(fault == null ? answer : Answer.unknown(fault.toString()));
                }));
    }

    /** An adapter that throws breaks its contract; its outcome is unknown like any other. */
    private static <D, R> CompletionStage<Answer<D, R>> send(Supplier<CompletionStage<Answer<D, R>>> request) {
        try {
            return request.get();
        } catch (RuntimeException | Error fault) {
            return CompletableFuture.completedFuture(Answer.unknown(fault.toString()));
        }
    }

    /** Used on the loop only. */
    private static final class Delivery<D, R> {

        private final Consumer<Answer<D, R>> then;
        private boolean done;

        Delivery(Consumer<Answer<D, R>> then) {
            this.then = then;
        }

        void deliver(Answer<D, R> answer) {
            if (!done) {
                done = true;
                then.accept(answer);
            }
        }
    }
}
