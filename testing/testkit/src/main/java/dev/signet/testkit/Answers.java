package dev.signet.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.signet.Answer;
import dev.signet.store.SessionGone;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;

/** Waits for answers and insists on their case. */
final class Answers {

    /** Far beyond each time-out in the kit. */
    private static final Duration HUNG = Duration.ofSeconds(60);

    private Answers() {}

    static <T> T await(CompletionStage<T> stage) {
        return within(HUNG, "the call", stage);
    }

    /** The answer, which is to come within {@code bound} from now. */
    static <T> T within(Duration bound, String name, CompletionStage<T> call) {
        try {
            return call.toCompletableFuture().get(bound.toNanos(), TimeUnit.NANOSECONDS);
        } catch (TimeoutException e) {
            throw new AssertionError(name + " hangs: no answer within " + bound, e);
        } catch (ExecutionException e) {
            throw new AssertionError(name + " completed exceptionally", e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted", e);
        }
    }

    /** Asks the same again while the answer is unknown, as a candidate does, but not for longer than {@code most}. */
    static <D, R> Answer<D, R> untilKnown(Supplier<CompletionStage<Answer<D, R>>> request, Duration most) {
        long began = System.nanoTime();
        Answer<D, R> answer = await(request.get());
        while (isUnknown(answer)) {
            if (System.nanoTime() - began > most.toNanos()) {
                throw new AssertionError("still unknown after " + most + ": " + answer);
            }
            answer = await(request.get());
        }
        return answer;
    }

    static <D, R> D done(CompletionStage<Answer<D, R>> stage) {
        Answer<D, R> answer = await(stage);
        return answer.<Optional<D>>fold(Optional::of, why -> Optional.empty(), unknown -> Optional.empty())
                .orElseThrow(() -> unexpected(answer));
    }

    static <D, R> R refused(CompletionStage<Answer<D, R>> stage) {
        Answer<D, R> answer = await(stage);
        return answer.<Optional<R>>fold(done -> Optional.empty(), Optional::of, unknown -> Optional.empty())
                .orElseThrow(() -> unexpected(answer));
    }

    /** Empty if it was refused. */
    static <D, R> Optional<D> doneOrNot(CompletionStage<Answer<D, R>> stage) {
        Answer<D, R> answer = await(stage);
        if (isUnknown(answer)) {
            throw unexpected(answer);
        }
        return answer.fold(Optional::of, why -> Optional.empty(), unknown -> Optional.empty());
    }

    static <D> void gone(CompletionStage<Answer<D, SessionGone>> stage) {
        assertThat(refused(stage)).isEqualTo(SessionGone.INSTANCE);
    }

    static boolean isUnknown(Answer<?, ?> answer) {
        return answer.<Boolean>fold(done -> false, refusal -> false, unknown -> true);
    }

    private static AssertionError unexpected(Object answer) {
        return new AssertionError("unexpected answer: " + answer);
    }
}
