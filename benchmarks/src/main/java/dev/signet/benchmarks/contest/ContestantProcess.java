package dev.signet.benchmarks.contest;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.signet.benchmarks.server.Figures;
import dev.signet.benchmarks.server.Threads;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/** A {@link Contestant} as whoever measures sees it, in a process of its own. Thread-safe. */
public final class ContestantProcess implements AutoCloseable {

    private static final Duration LONGEST_START = Duration.ofSeconds(60);
    private static final Duration LONGEST_END = Duration.ofSeconds(20);

    private final Process process;
    private final Map<String, Long> elected = new HashMap<>();
    private final Map<String, Long> resigned = new HashMap<>();
    private final Map<String, Long> renewed = new HashMap<>();
    private Figures renewals = new Figures();
    private String name = "";
    private boolean ready;

    /**
     * @param main of the process, which {@linkplain Contestant#run runs} a contestant
     * @param args that come first on its command line
     */
    public ContestantProcess(Class<?> main, List<String> args, Timing timing) {
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        List<String> command = new ArrayList<>(List.of(
                java,
                "-cp",
                System.getProperty("java.class.path"),
                "-Dorg.slf4j.simpleLogger.defaultLogLevel=error",
                "-Djava.util.logging.config.file=/dev/null",
                main.getName()));
        command.addAll(args);
        command.add(String.valueOf(timing.lease().toMillis()));
        command.add(String.valueOf(timing.period().toMillis()));
        try {
            this.process =
                    new ProcessBuilder(command).redirectError(Redirect.INHERIT).start();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        Threads.daemon(this::listen).start();
    }

    private void listen() {
        try (BufferedReader lines = process.inputReader(UTF_8)) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                note(line.split(" ", -1));
            }
        } catch (IOException e) {
            // it was killed
        }
    }

    private synchronized void note(String[] words) {
        switch (words[0]) {
            case "ready" -> ready = true;
            case "elected" -> elected.put(words[1], Long.parseLong(words[2]));
            case "resigning" -> resigned.put(words[1], Long.parseLong(words[2]));
            case "renewed" -> {
                renewed.put(words[1], Long.parseLong(words[2]));
                renewals.add(Long.parseLong(words[3]) / 1e3);
            }
            case "named" -> name = words[1];
            default -> System.err.println(String.join(" ", words));
        }
        notifyAll();
    }

    public ContestantProcess awaitReady() {
        await(LONGEST_START, () -> ready);
        return this;
    }

    public void say(String command) {
        try {
            process.getOutputStream().write((command + "\n").getBytes(UTF_8));
            process.getOutputStream().flush();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Whether it has come to lead so many roles since it was last forgotten, within that time. */
    public boolean awaitElected(int roles, Duration longest) {
        return await(longest, () -> elected.size() >= roles);
    }

    private synchronized boolean await(Duration longest, BooleanSupplier reached) {
        long deadline = System.nanoTime() + longest.toNanos();
        try {
            while (!reached.getAsBoolean()) {
                long left = deadline - System.nanoTime();
                if (left <= 0) {
                    return false;
                }
                TimeUnit.NANOSECONDS.timedWait(this, left);
            }
            return true;
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** When it came to lead each of them, in microseconds of the wall clock. */
    public synchronized Map<String, Long> elected() {
        return Map.copyOf(elected);
    }

    public synchronized Map<String, Long> resigned() {
        return Map.copyOf(resigned);
    }

    /** Since when the lease of each lasts that tells of its renewals: of the last one that was accepted. */
    public synchronized Map<String, Long> renewed() {
        return Map.copyOf(renewed);
    }

    /** How long renewals took, in milliseconds, since this was asked last. */
    public synchronized Figures renewals() {
        Figures since = renewals;
        renewals = new Figures();
        return since;
    }

    /** Of its contender; empty before it has one. */
    public synchronized String name() {
        return name;
    }

    public long pid() {
        return process.pid();
    }

    public ProcessHandle handle() {
        return process.toHandle();
    }

    public synchronized void forget() {
        elected.clear();
        resigned.clear();
    }

    /** Stops it where it is, until {@link #thaw}. */
    public void freeze() {
        signal("-STOP");
    }

    public void thaw() {
        signal("-CONT");
    }

    private void signal(String signal) {
        try {
            int code = new ProcessBuilder("kill", signal, String.valueOf(process.pid()))
                    .inheritIO()
                    .start()
                    .waitFor();
            if (code != 0) {
                throw new IllegalStateException("kill " + signal + " ended with " + code);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    public double cpuSeconds() {
        return process.info().totalCpuDuration().orElse(Duration.ZERO).toNanos() / 1e9;
    }

    /** SIGKILL; returns when it is no more. */
    public void kill() {
        process.destroyForcibly();
        try {
            process.waitFor(LONGEST_END.toSeconds(), TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void close() {
        kill();
    }
}
