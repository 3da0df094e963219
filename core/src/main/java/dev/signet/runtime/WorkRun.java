package dev.signet.runtime;

import dev.signet.Term;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;

/** One run of some work in one term: the caller's thread does it, the listener's thread stands in for it. */
final class WorkRun {

    private final Term term;
    private final CountDownLatch finished = new CountDownLatch(1);
    private @Nullable Thread worker;
    private boolean ended;

    WorkRun(Term term) {
        this.term = term;
    }

    Term term() {
        return term;
    }

    /** Called by the worker; false if the term ended before the work began. */
    synchronized boolean begin() {
        if (ended) {
            finished.countDown();
            return false;
        }
        worker = Thread.currentThread();
        return true;
    }

    /** Called by the worker when the work is done; whether the term had ended by then. Takes the interrupt back. */
    synchronized boolean finish() {
        worker = null;
        finished.countDown();
        if (ended) {
            Thread.interrupted();
        }
        return ended || term.ended().toCompletableFuture().isDone();
    }

    /** Stays until the work is done. An interrupt means that the term has ended: it is passed on, and waiting goes on. */
    void standIn() {
        while (true) {
            try {
                finished.await();
                return;
            } catch (InterruptedException termEnded) {
                end();
            }
        }
    }

    private synchronized void end() {
        ended = true;
        if (worker == null) {
            finished.countDown();
        } else {
            worker.interrupt();
        }
    }
}
