package dev.signet.app.run;

import dev.signet.Term;
import dev.signet.app.child.BootClock;
import dev.signet.app.child.BootInstant;
import dev.signet.app.child.BootTimeline;
import dev.signet.app.child.GuardedChild;
import dev.signet.time.Reading;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Tells the guard of a command of each renewal of its term, by looking a hundred times a second at the moment until which the term is valid. So
 * the heartbeat neither waits for a guard nor knows of one, and no news is lost in a queue: there is only the newest.
 *
 * <p>A term that is suspended, valid for nobody, has its command stopped until it resumes.
 *
 * <p>Safe for use by many threads; the looking is done on a thread of its own.
 */
final class LeaseFeed implements AutoCloseable {
    /** A pause that begins sooner after a renewal than this is judged by the renewal before it. */
    private static final long LOOK_MILLIS = 10;
    /** As {@link BootTimeline} remembers 600 samples, these reach back for twice the deadline. */
    private static final long SAMPLES_PER_DEADLINE = 300;

    private final Duration renewDeadline;
    private final BootTimeline timeline;
    private final long looksPerSample;
    private final Thread thread;
    private final AtomicReference<@Nullable Fed> fed = new AtomicReference<>();
    private volatile boolean closed;

    /** Construct it before the session is opened: it converts no reading that is older than itself. */
    LeaseFeed(Duration renewDeadline) {
        this.renewDeadline = renewDeadline;
        this.timeline = new BootTimeline(BootClock.ofHost(), System::nanoTime);
        this.looksPerSample = Math.max(1, renewDeadline.toMillis() / SAMPLES_PER_DEADLINE / LOOK_MILLIS);
        this.thread = new Thread(this::run, "signet-lease-feed");
        thread.setDaemon(true);
    }

    void start() {
        thread.start();
    }

    /** When the renewal that makes a term valid until then was sent, on the boot clock. */
    BootInstant sent(Reading validUntil) {
        return timeline.at(validUntil.monoNanos() - renewDeadline.toNanos());
    }

    /** From now on the child hears of this term; until {@link #detach}, or another child is attached. */
    void attach(Term term, GuardedChild child, Reading told) {
        fed.set(new Fed(term, child, told));
    }

    void detach(GuardedChild child) {
        fed.updateAndGet(present -> present != null && present.child == child ? null : present);
    }

    private void run() {
        for (long look = 1; !closed; look++) {
            try {
                Thread.sleep(LOOK_MILLIS);
                look(look);
            } catch (InterruptedException e) {
                return;
            } catch (UncheckedIOException e) {
                // the clock could not be read, say for want of descriptors: until it can, the guard's deadlines draw
                // near
            }
        }
    }

    private void look(long number) {
        if (number % looksPerSample == 0) {
            timeline.sample();
        }
        Fed present = fed.get();
        if (present != null) {
            present.look(this);
        }
    }

    @Override
    public void close() {
        closed = true;
        thread.interrupt();
    }

    /** Used on the feed's thread, once it was handed over. */
    private static final class Fed {
        private final Term term;
        private final GuardedChild child;
        private Optional<Reading> told;

        Fed(Term term, GuardedChild child, Reading told) {
            this.term = term;
            this.child = child;
            this.told = Optional.of(told);
        }

        void look(LeaseFeed feed) {
            Optional<Reading> now = term.validUntil();
            if (now.equals(told)) {
                return;
            }
            told = now;
            // told of the end of the term by that itself; stopping it here on its way down does no harm
            now.ifPresentOrElse(until -> child.renewed(feed.sent(until)), child::suspend);
        }
    }
}
