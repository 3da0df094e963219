package dev.signet.app.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A real {@code ./signet} process. Closing it ends it and, through its guard, what it started. */
final class SignetProcess implements AutoCloseable {
    private static final Pattern CANDIDATE = Pattern.compile("signet: campaigning role=\\S+ candidate=(\\S+)");
    private static final Pattern LEADING =
            Pattern.compile("signet: leading role=(?<role>\\S+) token=(?<token>\\d+) pid=(?<pid>\\d+)");

    private final Process process;
    private final Path out;
    private final Path err;

    private SignetProcess(Process process, Path out, Path err) {
        this.process = process;
        this.out = out;
        this.err = err;
    }

    /** Once per test run, alone: if the jar is stale this builds it, which takes longer than any test should wait. */
    private static final class Launcher {
        static final String PATH = built();

        private static String built() {
            Path launcher = Path.of(System.getProperty("signet.root"), "signet");
            Shell.text(Path.of("/"), "'" + launcher + "' version");
            return launcher.toString();
        }
    }

    static SignetProcess start(Path folder, String name, Map<String, String> environment, List<String> arguments)
            throws IOException {
        // whoever ran the tests in the background may have had INT ignored, which every process below inherits
        List<String> words = new ArrayList<>(List.of("env", "--default-signal=INT,TERM,HUP", Launcher.PATH));
        words.addAll(arguments);
        Path out = folder.resolve(name + ".out");
        Path err = folder.resolve(name + ".err");
        Path in = folder.resolve(name + ".in");
        ProcessBuilder builder = new ProcessBuilder(words)
                .directory(folder.toFile())
                .redirectOutput(out.toFile())
                .redirectError(err.toFile())
                .redirectInput(
                        Files.exists(in) ? in.toFile() : Path.of("/dev/null").toFile());
        builder.environment().keySet().removeIf(variable -> variable.startsWith("SIGNET_"));
        builder.environment().put("XDG_STATE_HOME", folder.resolve("state").toString());
        builder.environment()
                .put(
                        "XDG_RUNTIME_DIR",
                        Files.createDirectories(folder.resolve("runtime")).toString());
        builder.environment().putAll(environment);
        return new SignetProcess(builder.start(), out, err);
    }

    long pid() {
        return process.pid();
    }

    boolean isAlive() {
        return process.isAlive();
    }

    int exitCode() {
        try {
            if (!process.waitFor(120, TimeUnit.SECONDS)) {
                throw new AssertionError("signet did not end within 120 s; it said:\n" + err());
            }
            return process.exitValue();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    String out() {
        return read(out);
    }

    String err() {
        return read(err);
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    void awaitErr(String text) {
        Wait.until(() -> err().contains(text) || !isAlive(), () -> "'" + text + "' on stderr; there is:\n" + err());
        assertThat(err()).contains(text);
    }

    /** Waits until it leads with this token. */
    void awaitLeading(long token) {
        awaitErr(" token=" + token + " pid=");
    }

    /** Its id. */
    String candidate() {
        awaitErr("campaigning");
        Matcher matcher = CANDIDATE.matcher(err());
        assertThat(matcher.find()).as(err()).isTrue();
        return matcher.group(1);
    }

    long token() {
        return Long.parseLong(leading("token"));
    }

    long childPid() {
        return Long.parseLong(leading("pid"));
    }

    /** Of the last term that it announced. */
    private String leading(String group) {
        Wait.until(() -> LEADING.matcher(err()).find() || !isAlive(), () -> "a leader; there is:\n" + err());
        Matcher matcher = LEADING.matcher(err());
        String found = null;
        while (matcher.find()) {
            found = matcher.group(group);
        }
        assertThat(found).as("leading, in\n%s", err()).isNotNull();
        return found;
    }

    void signal(String name) {
        Shell.run(Path.of("/"), "kill -" + name + " " + pid());
    }

    @Override
    public void close() {
        if (process.isAlive()) {
            signal("CONT");
            process.destroyForcibly();
        }
        try {
            process.waitFor(10, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Waiting for what another process does. */
    static final class Wait {
        /** Wide: the processors of a build machine may be busy with other modules. */
        private static final Duration PATIENCE = Duration.ofSeconds(120);

        private Wait() {}

        static void until(BooleanSupplier condition, Supplier<String> what) {
            long end = System.nanoTime() + PATIENCE.toNanos();
            while (!condition.getAsBoolean()) {
                if (System.nanoTime() > end) {
                    throw new AssertionError("waited " + PATIENCE.toSeconds() + " s in vain for " + what.get());
                }
                pause(Duration.ofMillis(10));
            }
        }

        static void pause(Duration duration) {
            try {
                Thread.sleep(duration.toMillis());
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }
    }
}
