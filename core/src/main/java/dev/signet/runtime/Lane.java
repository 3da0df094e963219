package dev.signet.runtime;

import dev.signet.FencingToken;
import dev.signet.election.role.Callback;
import dev.signet.election.role.RoleEvent.Outcome;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The calls of one role's listener: one at a time, in order, on the application's executor. An interrupt reaches only
 * the call that it is meant for, and never leaks into what the thread does next.
 */
final class Lane {

    /** What a call does; the listener's exceptions are its outcome. */
    interface Body {
        void run() throws Exception;
    }

    private record Call(FencingToken token, Callback callback, Body body, Consumer<Outcome> then) {}

    private final Executor executor;
    private final Queue<Call> waiting = new ArrayDeque<>();
    private @Nullable Call running;
    private @Nullable Thread thread;

    Lane(Executor executor) {
        this.executor = executor;
    }

    /** @param then told once how the call ended, from whatever thread */
    void submit(FencingToken token, Callback callback, Body body, Consumer<Outcome> then) {
        Call call = new Call(token, callback, body, then);
        synchronized (this) {
            if (running != null) {
                waiting.add(call);
                return;
            }
            running = call;
        }
        start(call);
    }

    /** Interrupts the thread inside {@code prepare} or {@code onElected} of this term, if there is one. */
    synchronized void interrupt(FencingToken token) {
        if (running != null
                && thread != null
                && running.token().equals(token)
                && running.callback() != Callback.DEPOSED) {
            thread.interrupt();
        }
    }

    /** Whether the caller is inside a call of this lane: it must not wait for the lane. */
    synchronized boolean isCurrentThread() {
        return Thread.currentThread() == thread;
    }

    private void start(Call call) {
        try {
            executor.execute(() -> run(call));
        } catch (RejectedExecutionException rejected) {
            finish(call, new Outcome.Rejected());
        } catch (RuntimeException | Error fault) {
            finish(call, new Outcome.Threw("its executor failed: " + fault));
        }
    }

    /** Not if its executor has failed with it before: that was its outcome. */
    private void run(Call call) {
        synchronized (this) {
            if (!call.equals(running)) {
                return;
            }
            thread = Thread.currentThread();
        }
        Outcome outcome = outcomeOf(call.body());
        finish(call, outcome);
    }

    /** A listener may throw anything: all of it is its outcome, and none of it may reach the executor or the loop. */
    @SuppressWarnings("CatchingUnchecked")
    private static Outcome outcomeOf(Body body) {
        try {
            body.run();
            return new Outcome.Returned();
        } catch (Throwable thrown) {
            return new Outcome.Threw(thrown.toString());
        }
    }

    /** Once for each call: its executor may have run it and fail all the same. */
    private void finish(Call call, Outcome outcome) {
        Call next;
        synchronized (this) {
            if (!call.equals(running)) {
                return;
            }
            if (Thread.currentThread() == thread) {
                thread = null;
                Thread.interrupted();
            }
            next = waiting.poll();
            running = next;
        }
        call.then().accept(outcome);
        if (next != null) {
            start(next);
        }
    }
}
