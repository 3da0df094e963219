package dev.signet.app.child;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/** A {@link RenewingParent} as a test sees it. Closing it ends what it started, and fails if anything of it was left over. */
final class ParentProcess implements AutoCloseable {
    /** Wide: the two processors of a build machine may be busy with other modules. */
    static final Duration PATIENCE = Duration.ofSeconds(60);

    private static final int RETRY = 400;

    /** When its guard steps in, if no renewal reaches it. */
    enum Pace {
        /** Not while a test runs: so whatever ends was not ended by a deadline. */
        RELAXED(600_000, 400_000),
        /** Stops after 2 s; kills after 18.5 s, which leaves a busy host the time to let the command go on. */
        SOON_STOPPED(20_000, 2_000),
        /** Stops after 2 s; kills after 10.9 s, which leaves a busy host the time to see it stopped. */
        SOON_KILLED(12_000, 2_000);

        final Duration lease;
        final Duration deadline;

        Pace(int leaseMillis, int deadlineMillis) {
            lease = Duration.ofMillis(leaseMillis);
            deadline = Duration.ofMillis(deadlineMillis);
        }

        GuardBudget budget() {
            return GuardBudget.of(lease, deadline);
        }
    }

    private final Path folder;
    private final String termId = UUID.randomUUID().toString();
    private final Process process;
    private final BootClock clock = BootClock.ofHost();

    /** {@code wrapper} comes before java, {@code options} after it. */
    ParentProcess(Path folder, Pace pace, List<String> wrapper, List<String> options, String... command)
            throws IOException {
        this.folder = folder;
        Files.createDirectories(folder.resolve("orders"));
        List<String> words = new ArrayList<>(wrapper);
        words.addAll(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-Xshare:auto"));
        words.addAll(options);
        words.addAll(List.of(
                "-cp",
                System.getProperty("java.class.path"),
                RenewingParent.class.getName(),
                folder.toString(),
                Long.toString(pace.lease.toMillis()),
                Long.toString(pace.deadline.toMillis()),
                Integer.toString(RETRY),
                termId));
        words.addAll(List.of(command));
        ProcessBuilder builder = new ProcessBuilder(words)
                .redirectOutput(folder.resolve("out").toFile())
                .redirectError(folder.resolve("err").toFile());
        Path in = folder.resolve("in");
        builder.redirectInput(
                Files.exists(in) ? in.toFile() : Path.of("/dev/null").toFile());
        builder.environment().put("SIGNET_PASSWORD", "secret");
        builder.environment().put("PASSED_ON", "yes");
        builder.environment().put("odd.name", "kept");
        process = builder.start();
    }

    static ParentProcess of(Path folder, String... command) throws IOException {
        return new ParentProcess(folder, Pace.RELAXED, List.of(), List.of(), command);
    }

    /** The command is a script for {@code sh}. */
    static ParentProcess ofScript(Path folder, String script) throws IOException {
        return ofScript(folder, Pace.RELAXED, script);
    }

    static ParentProcess ofScript(Path folder, Pace pace, String script) throws IOException {
        return new ParentProcess(folder, pace, List.of(), List.of(), "sh", "-c", script);
    }

    void order(String name) throws IOException {
        Files.createFile(folder.resolve("orders").resolve(name));
    }

    long pid() {
        return process.pid();
    }

    long childPid() {
        return Long.parseLong(line("started ").split(" ")[2]);
    }

    long guardPid() {
        return Long.parseLong(line("started ").split(" ")[3]);
    }

    long startMillis() {
        return Long.parseLong(line("started ").split(" ")[4]);
    }

    /** The first line of the report whose words after the time begin so; waits for it. */
    String line(String beginning) {
        until(() -> find(beginning).isPresent(), "a report of '" + beginning + "'");
        return find(beginning).orElseThrow();
    }

    Optional<String> find(String beginning) {
        return lines().stream()
                .filter(line -> line.substring(line.indexOf(' ') + 1).startsWith(beginning))
                .findFirst();
    }

    List<String> lines() {
        try {
            Path report = folder.resolve("report");
            return Files.exists(report) ? Files.readAllLines(report) : List.of();
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    BootInstant lastRenewal() {
        line("renewed");
        String last = lines().stream()
                .filter(line -> line.endsWith(" renewed"))
                .reduce((a, b) -> b)
                .orElseThrow();
        return new BootInstant(Long.parseLong(last.split(" ")[0]));
    }

    void anotherRenewal() {
        BootInstant before = lastRenewal();
        until(() -> lastRenewal().compareTo(before) > 0, "another renewal");
    }

    /** No more renewals after the first one. Returns when the last one was sent. */
    BootInstant hold() throws IOException {
        line("renewed");
        order("hold");
        line("obeyed hold");
        return lastRenewal();
    }

    int exitCode() {
        try {
            assertThat(process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS))
                    .as("parent ended")
                    .isTrue();
            return process.exitValue();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    String out() throws IOException {
        return Files.readString(folder.resolve("out"));
    }

    String err() throws IOException {
        return Files.readString(folder.resolve("err"));
    }

    boolean hasWritten(String words) {
        try {
            return out().contains(words);
        } catch (IOException e) {
            return false;
        }
    }

    long descendants() {
        return process.descendants().count();
    }

    BootInstant now() {
        return clock.now();
    }

    /** All live processes of the command, by group, session and environment, seen from outside. */
    List<ProcessStat> members() {
        long group =
                find("started ").map(line -> Long.parseLong(line.split(" ")[2])).orElse(-1L);
        return ProcessTable.all().stream()
                .filter(ProcessStat::lives)
                .filter(one -> one.group() == group
                        || one.session() == group
                        || ProcessTable.carries(one.pid(), "SIGNET_TERM_ID=" + termId))
                .toList();
    }

    List<Long> guardParts() {
        long guard = guardPid();
        return ProcessTable.all().stream()
                .filter(one -> one.session() == guard && one.lives())
                .map(ProcessStat::pid)
                .toList();
    }

    boolean gone() {
        return members().isEmpty();
    }

    boolean stopped() {
        List<ProcessStat> members = members();
        return !members.isEmpty() && members.stream().allMatch(ProcessStat::stopped);
    }

    boolean running() {
        return !gone() && members().stream().noneMatch(ProcessStat::stopped);
    }

    /** Returns when it became true. */
    BootInstant until(BooleanSupplier condition, String what) {
        long begun = System.nanoTime();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - begun > PATIENCE.toNanos()) {
                throw new AssertionError(
                        "waited in vain for " + what + "; report: " + lines() + "; members: " + members());
            }
            pause(5);
        }
        return clock.now();
    }

    /** Watches for as long; fails as soon as it is no longer so. */
    void always(BooleanSupplier condition, Duration time, String what) {
        long begun = System.nanoTime();
        while (System.nanoTime() - begun < time.toNanos()) {
            assertThat(condition.getAsBoolean()).as(what).isTrue();
            pause(10);
        }
    }

    static void signal(String name, long... pids) {
        List<String> words = new ArrayList<>(List.of("kill", "-" + name, "--"));
        for (long pid : pids) {
            words.add(Long.toString(pid));
        }
        try {
            new ProcessBuilder(words)
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start()
                    .waitFor();
        } catch (IOException | InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void close() {
        long guard =
                find("started ").map(line -> Long.parseLong(line.split(" ")[3])).orElse(-1L);
        if (process.isAlive()) {
            signal("CONT", process.pid());
            process.destroyForcibly();
        }
        until(this::gone, "the end of the command's processes");
        until(
                () -> ProcessTable.all().stream().noneMatch(one -> one.session() == guard && one.lives()),
                "the end of the guard's processes");
    }

    private static void pause(long millis) {
        try {
            Thread.sleep(millis);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
