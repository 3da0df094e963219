package dev.signet.fence.jdbc;

import dev.signet.Answer;
import dev.signet.fence.FenceView;
import dev.signet.fence.SealRefusal;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

/** Runs what a fence is asked off the caller's thread, and has each question answered in time. Thread-safe. */
final class FenceCalls implements AutoCloseable {

    /**
     * More at once than one elector and one page ask; a call that hangs in a dead disk must not stop the next. Once it is answered,
     * it is none: its thread may still be on its way back, or do what a caller has hung on the answer.
     */
    private static final int MOST_AT_ONCE = 4;

    private static final long IDLE_SECONDS = 10;
    private static final Answer<FenceView, SealRefusal> CLOSED = Answer.unknown("the fence is closed");

    private final ThreadPoolExecutor threads = new ThreadPoolExecutor(
            0, Integer.MAX_VALUE, IDLE_SECONDS, TimeUnit.SECONDS, new SynchronousQueue<>(), FenceCalls::daemon);

    private final Semaphore free = new Semaphore(MOST_AT_ONCE);
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
        if (free.tryAcquire()) {
            start(() -> answer.complete(outcome(call, inTime)), answer);
        } else {
            answer.complete(
                    threads.isShutdown() ? CLOSED : Answer.unknown(MOST_AT_ONCE + " calls are already waiting"));
        }
        return answer.completeOnTimeout(
                        Answer.unknown("no answer within " + timeout), deadline.nanosLeft(), TimeUnit.NANOSECONDS)
                .minimalCompletionStage();
    }

    private void start(Runnable call, CompletableFuture<Answer<FenceView, SealRefusal>> answer) {
        try {
            threads.execute(call);
        } catch (RejectedExecutionException e) {
            free.release();
            answer.complete(CLOSED);
        }
    }

    private Answer<FenceView, SealRefusal> outcome(Call call, Deadline deadline) {
        try {
            return call.make(deadline);
        } catch (SQLException e) {
            String kept = busy.test(e) ? "another has kept the write lock for all of the time-out: " : "";
            return Answer.unknown(kept + e.getMessage());
        } catch (RuntimeException e) {
            return Answer.unknown("unexpected: " + e);
        } finally {
            free.release();
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
