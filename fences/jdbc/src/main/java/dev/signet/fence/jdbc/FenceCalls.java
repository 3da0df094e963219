package dev.signet.fence.jdbc;

import dev.signet.Answer;
import dev.signet.fence.FenceView;
import dev.signet.fence.SealRefusal;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

/** Runs what a fence is asked off the caller's thread, and has each question answered in time. Thread-safe. */
final class FenceCalls implements AutoCloseable {

    /** More at once than one elector and one page ask; a call that hangs in a dead disk must not stop the next. */
    private static final int MOST_AT_ONCE = 4;

    private static final long IDLE_SECONDS = 10;

    private final ThreadPoolExecutor threads = new ThreadPoolExecutor(
            0, MOST_AT_ONCE, IDLE_SECONDS, TimeUnit.SECONDS, new SynchronousQueue<>(), FenceCalls::daemon);

    private final Predicate<SQLException> busy;

    FenceCalls(Predicate<SQLException> busy) {
        this.busy = busy;
    }

    private static Thread daemon(Runnable task) {
        Thread thread = new Thread(task, "signet-fence");
        thread.setDaemon(true);
        return thread;
    }

    /** The call itself gives up a tenth earlier, so that as a rule it says why. */
    CompletionStage<Answer<FenceView, SealRefusal>> answer(Duration timeout, Call call) {
        Deadline deadline = Deadline.in(timeout);
        Deadline inTime = deadline.earlierBy(deadline.nanosLeft() / 10);
        CompletableFuture<Answer<FenceView, SealRefusal>> answer = new CompletableFuture<>();
        try {
            threads.execute(() -> answer.complete(outcome(call, inTime)));
        } catch (RejectedExecutionException e) {
            answer.complete(Answer.unknown(
                    threads.isShutdown() ? "the fence is closed" : MOST_AT_ONCE + " calls are already waiting"));
        }
        return answer.completeOnTimeout(
                        Answer.unknown("no answer within " + timeout), deadline.nanosLeft(), TimeUnit.NANOSECONDS)
                .minimalCompletionStage();
    }

    private Answer<FenceView, SealRefusal> outcome(Call call, Deadline deadline) {
        try {
            return call.make(deadline);
        } catch (SQLException e) {
            String kept = busy.test(e) ? "another has kept the write lock for all of the time-out: " : "";
            return Answer.unknown(kept + e.getMessage());
        } catch (RuntimeException e) {
            return Answer.unknown("unexpected: " + e);
        }
    }

    @Override
    public void close() {
        threads.shutdownNow();
    }

    interface Call {
        Answer<FenceView, SealRefusal> make(Deadline deadline) throws SQLException;
    }
}
