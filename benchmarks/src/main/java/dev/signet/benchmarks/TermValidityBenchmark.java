package dev.signet.benchmarks;

import dev.signet.Candidate;
import dev.signet.Namespace;
import dev.signet.Protection;
import dev.signet.Role;
import dev.signet.Signet;
import dev.signet.Term;
import dev.signet.store.jdbc.LocalStore;
import dev.signet.store.jdbc.LocalStoreOptions;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * What {@link Term#isValid()} costs beside the two clocks that it reads. Aim: 1.3 times, and no allocation
 * ({@code -prof gc}).
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@State(Scope.Benchmark)
@Fork(3)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@SuppressWarnings("NullAway.Init") // JMH calls lead() before it measures
public class TermValidityBenchmark {

    private Path folder = Path.of(".");
    private LocalStore store;
    private Candidate candidate;
    private Term term;

    @Setup
    public void lead() throws Exception {
        folder = Files.createTempDirectory("signet-benchmark");
        Path file = folder.resolve("signet.db");
        LocalStore.init(file);
        store = LocalStore.open(file, Namespace.DEFAULT, LocalStoreOptions.defaults());
        candidate = Signet.candidate("benchmark", store).join();
        CompletableFuture<Term> elected = new CompletableFuture<>();
        candidate.campaign(Role.of("benchmark"), Protection.unfenced("measured alone"), elected::complete);
        term = elected.get(10, TimeUnit.SECONDS);
    }

    @TearDown
    public void resign() {
        candidate.close();
        store.close();
    }

    @Benchmark
    public long twoClocks() {
        return System.nanoTime() ^ System.currentTimeMillis();
    }

    @Benchmark
    public boolean isValid() {
        return term.isValid();
    }
}
