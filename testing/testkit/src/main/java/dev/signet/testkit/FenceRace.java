package dev.signet.testkit;

import static dev.signet.testkit.FenceStamps.LEDGER;
import static dev.signet.testkit.FenceStamps.ROLE;
import static dev.signet.testkit.FenceStamps.STORE;
import static dev.signet.testkit.FenceStamps.stamp;

import dev.signet.Answer;
import dev.signet.FenceException;
import dev.signet.Stamp;
import dev.signet.fence.FenceView;
import dev.signet.fence.SealRefusal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/** One run of a {@link FenceStress}: who leads, who has heard of it, and what is counted. {@link #run} is for one thread. */
final class FenceRace {

    static final long FIRST = 1;

    private static final Duration SEAL_TIMEOUT = Duration.ofSeconds(10);
    private static final int MOST_ASKED = 10;
    private static final int MOST_COUNTED = 20_000;
    private static final long COUNT_PAUSE_NANOS = 100_000;

    /** A term lasts for that, and then until one of its rows is there: without those there is nothing to get past. */
    private static final long TERM_MILLIS = 20;

    private static final long LONGEST_TERM_NANOS = TimeUnit.SECONDS.toNanos(60);

    private static final long LAST_WRITE_SECONDS = 60;

    final FenceSite site;
    final FenceStress stress;
    private final List<FenceStressWriter> writers = new ArrayList<>();
    private final List<Note> notes = new ArrayList<>();
    private final List<Duration> sealTimes = new ArrayList<>();
    private volatile Stamp current = stamp(FIRST);
    private final AtomicLong written = new AtomicLong();
    private volatile long answered;
    private volatile boolean over;
    private long unknown;

    /** How many rows there were below a token, right after the seal for it was answered. */
    private record Note(long token, long below) {}

    FenceRace(FenceSite site, FenceStress stress) {
        this.site = site;
        this.stress = stress;
    }

    void enter(FenceStressWriter writer) {
        writers.add(writer);
    }

    /** Of the term that leads, as far as a writer without a term knows. */
    Stamp current() {
        return current;
    }

    /** The token of the last seal that was answered. */
    long answered() {
        return answered;
    }

    /** A row with this token. */
    void committed(long token) {
        written.accumulateAndGet(token, Math::max);
    }

    boolean isOver() {
        return over;
    }

    /** Whether it may be tried again after that. */
    boolean isTransient(RuntimeException thrown) {
        return thrown instanceof FenceException fault
                ? fault.outcome() == FenceException.Outcome.RETRY
                : site.isTransient(thrown);
    }

    FenceStressOutcome run() throws InterruptedException {
        site.init(LEDGER, ROLE, STORE);
        seal(current);
        ExecutorService threads = Executors.newFixedThreadPool(writers.size());
        try {
            List<Future<FenceStressOutcome.Writes>> running =
                    writers.stream().map(threads::submit).toList();
            for (int i = 0; i < stress.seals(); i++) {
                lead();
                succeed(stamp(current.token().value() + 1));
            }
            lead();
            over = true;
            return outcome(ended(running));
        } finally {
            over = true;
            threads.shutdownNow();
        }
    }

    private void lead() throws InterruptedException {
        long begun = System.nanoTime();
        Thread.sleep(TERM_MILLIS);
        while (written.get() < current.token().value()) {
            if (System.nanoTime() - begun > LONGEST_TERM_NANOS) {
                throw new AssertionError("no row with token " + current.token() + " came to be written");
            }
            Thread.sleep(1);
        }
    }

    private void succeed(Stamp next) {
        long asked = System.nanoTime();
        seal(next);
        sealTimes.add(Duration.ofNanos(System.nanoTime() - asked));
        long token = next.token().value();
        answered = token;
        notes.add(new Note(token, rowsBelow(token)));
        current = next;
    }

    private void seal(Stamp next) {
        Answer<FenceView, SealRefusal> answer = Answer.unknown("not asked yet");
        for (int i = 0; i < MOST_ASKED; i++) {
            answer = site.fence().seal(next, SEAL_TIMEOUT).toCompletableFuture().join();
            if (answer instanceof Answer.Done) {
                return;
            }
            if (answer instanceof Answer.Refused) {
                break;
            }
            unknown++;
        }
        throw new AssertionError("not sealed with token " + next.token() + ": " + answer);
    }

    /** Where readers and writers are in each other's way, it may take more than one try. */
    private long rowsBelow(long token) {
        for (int i = 1; ; i++) {
            try {
                return site.rowsBelow(token);
            } catch (RuntimeException e) {
                if (i == MOST_COUNTED || !isTransient(e)) {
                    throw e;
                }
                LockSupport.parkNanos(COUNT_PAUSE_NANOS);
            }
        }
    }

    private List<FenceStressOutcome.Writes> ended(List<Future<FenceStressOutcome.Writes>> running)
            throws InterruptedException {
        List<FenceStressOutcome.Writes> ended = new ArrayList<>();
        for (Future<FenceStressOutcome.Writes> writer : running) {
            try {
                ended.add(writer.get(LAST_WRITE_SECONDS, TimeUnit.SECONDS));
            } catch (ExecutionException e) {
                throw new AssertionError("a writer failed: " + e.getCause(), e.getCause());
            } catch (TimeoutException e) {
                throw new AssertionError("a writer hangs", e);
            }
        }
        return ended;
    }

    private FenceStressOutcome outcome(List<FenceStressOutcome.Writes> writes) {
        long violations = notes.stream()
                .mapToLong(note -> rowsBelow(note.token()) - note.below())
                .sum();
        return new FenceStressOutcome(
                FenceStressOutcome.SealTimes.of(sealTimes), unknown, rowsBelow(Long.MAX_VALUE), violations, writes);
    }
}
