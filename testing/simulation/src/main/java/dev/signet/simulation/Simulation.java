package dev.signet.simulation;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

/**
 * Runs the real machines in seeded worlds. Each seed makes a world of its own, with faults of its own, and runs it to its
 * end: first with faults, then without, when each role must be led and every acknowledged write must be there. All the
 * while {@linkplain Rule the rules} are checked. A seed always gives the same run.
 *
 * <p>Seeds are shared out over threads; within one run there is only one. Thread-safe; calls block until they are done.
 */
public final class Simulation {

    private Simulation() {}

    /**
     * @param from the first seed
     * @param seeds how many, one after the other
     * @param threads how many run at once
     */
    public record Options(long from, long seeds, int threads) {

        /** @throws IllegalArgumentException if there are no seeds or no threads */
        public Options {
            if (seeds < 1 || threads < 1) {
                throw new IllegalArgumentException(
                        seeds + " seeds on " + threads + " threads: each must be at least 1");
            }
        }

        /** From seed 1 on, on as many threads as there are cores. */
        public static Options of(long seeds) {
            return new Options(1, seeds, Runtime.getRuntime().availableProcessors());
        }
    }

    /**
     * A run that broke a rule.
     *
     * @param what for people
     */
    public record Failure(long seed, Rule rule, String what) {
        @Override
        public String toString() {
            return "seed " + seed + " broke " + rule + " (" + rule.text() + "): " + what;
        }
    }

    /**
     * What came of many seeds.
     *
     * @param failures in the order of their seeds
     * @param steps of all worlds together
     * @param simulated time that passed in them, added up
     */
    public record Report(
            long seeds, List<Failure> failures, Coverage coverage, long steps, Duration simulated, Duration took) {

        /** No seed broke a rule. */
        public boolean passed() {
            return failures.isEmpty();
        }

        public double seedsPerSecond() {
            return seeds * 1e9 / Math.max(1, took.toNanos());
        }
    }

    /** Runs the seeds. */
    public static Report run(Options options) {
        long began = System.nanoTime();
        AtomicLong next = new AtomicLong(options.from());
        long end = options.from() + options.seeds();
        List<Tally> tallies = onThreads(options.threads(), () -> {
            Tally tally = new Tally();
            for (long seed = next.getAndIncrement(); seed < end; seed = next.getAndIncrement()) {
                tally.add(Run.of(seed, new Twist(), Trace.SILENT));
            }
            return tally;
        });
        Tally all = new Tally();
        tallies.forEach(all::add);
        all.failures.sort(Comparator.comparingLong(Failure::seed));
        return new Report(
                options.seeds(),
                List.copyOf(all.failures),
                all.coverage,
                all.steps,
                Duration.ofNanos(all.simulatedNanos),
                Duration.ofNanos(System.nanoTime() - began));
    }

    /** Runs one seed again, and tells its story line by line. */
    public static Optional<Failure> replay(long seed, Consumer<String> lines) {
        return failure(Run.of(seed, new Twist(), Trace.to(lines)));
    }

    /** Runs one seed with a mutant, and tells the story of how it is found. */
    public static Optional<Failure> replay(long seed, Mutant mutant, Consumer<String> lines) {
        return failure(Run.of(seed, mutant.twist(), Trace.to(lines)));
    }

    static Optional<Failure> failure(Run.Outcome outcome) {
        return outcome.broken().map(broken -> new Failure(outcome.seed(), broken.rule(), broken.what()));
    }

    static <T> List<T> onThreads(int threads, Callable<T> task) {
        ExecutorService executor = Executors.newFixedThreadPool(threads, runnable -> {
            Thread thread = new Thread(runnable, "signet-simulation");
            thread.setDaemon(true);
            return thread;
        });
        try {
            List<Future<T>> running = new ArrayList<>();
            for (int i = 0; i < threads; i++) {
                running.add(executor.submit(task));
            }
            List<T> results = new ArrayList<>();
            for (Future<T> one : running) {
                results.add(one.get());
            }
            return results;
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while seeds were running", interrupted);
        } catch (ExecutionException thrown) {
            throw new IllegalStateException("the simulation itself failed", thrown.getCause());
        } finally {
            executor.shutdownNow();
        }
    }

    private static final class Tally {

        private final List<Failure> failures = new ArrayList<>();
        private final Coverage coverage = new Coverage();
        private long steps;
        private long simulatedNanos;

        void add(Run.Outcome outcome) {
            failure(outcome).ifPresent(failures::add);
            coverage.add(outcome.coverage());
            steps += outcome.steps();
            simulatedNanos += outcome.simulatedNanos();
        }

        void add(Tally other) {
            failures.addAll(other.failures);
            coverage.add(other.coverage);
            steps += other.steps;
            simulatedNanos += other.simulatedNanos;
        }
    }
}
