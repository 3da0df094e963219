package dev.signet.fence.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.signet.Answer;
import dev.signet.fence.FenceView;
import dev.signet.fence.SealRefusal;
import java.time.Duration;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class FenceCallsTest {

    private static final Duration LATER = Duration.ofSeconds(20);

    private final CountDownLatch over = new CountDownLatch(1);
    private final FenceCalls calls = new FenceCalls(failure -> false);

    @AfterEach
    void end() {
        over.countDown();
        calls.close();
    }

    private static void await(CountDownLatch latch) {
        try {
            assertThat(latch.await(LATER.toSeconds(), TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private CompletionStage<Answer<FenceView, SealRefusal>> call(CountDownLatch until) {
        return calls.answer(LATER, deadline -> {
            await(until);
            return Answer.unknown("answered");
        });
    }

    private String answer() {
        return call(new CountDownLatch(0)).toCompletableFuture().join().toString();
    }

    /** As on a busy machine, where whoever has an answer asks again before the thread that gave it is back. */
    @Test
    void aCallThatIsAnsweredKeepsNobodyOut() {
        for (int i = 0; i < 6; i++) {
            CountDownLatch asked = new CountDownLatch(1);
            CountDownLatch answered = new CountDownLatch(1);
            var call = call(asked);
            assertThat(call.toCompletableFuture()).as("call %d", i).isNotDone();
            var unused = call.thenRun(() -> {
                answered.countDown();
                await(over);
            });
            asked.countDown();
            await(answered);
        }
        assertThat(answer()).contains("answered");
    }

    @Test
    void callsBeyondTheLimitAreAnsweredAtOnceAndThoseAfterThemAreMade() {
        var first = call(over);
        for (int i = 1; i < 4; i++) {
            var unused = call(over);
        }
        assertThat(answer()).contains("4 calls are already waiting");
        over.countDown();
        assertThat(first.toCompletableFuture().join().toString()).contains("answered");
        assertThat(answer()).contains("answered");
    }

    @Test
    void aClosedFenceSaysSoHoweverManyAreWaiting() {
        for (int i = 0; i < 4; i++) {
            var unused = call(over);
        }
        calls.close();
        assertThat(answer()).contains("the fence is closed");
    }

    @Test
    void aClosedFenceSaysSoWithNobodyWaiting() {
        calls.close();
        for (int i = 0; i < 6; i++) {
            assertThat(answer()).contains("the fence is closed");
        }
    }
}
