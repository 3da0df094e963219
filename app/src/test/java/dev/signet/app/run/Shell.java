package dev.signet.app.run;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** Short commands of the tests' own. None runs for longer than five minutes: the longest builds the runnable jar. */
final class Shell {
    private static final Duration BOUND = Duration.ofMinutes(5);

    /** @param text its stdout and stderr */
    record Result(int exitCode, String text) {}

    private Shell() {}

    static Result run(Path folder, String script) {
        return run(folder, System.getenv(), List.of("sh", "-c", script));
    }

    /** @param environment all of it */
    static Result run(Path folder, Map<String, String> environment, List<String> command) {
        return run(folder, environment, command, BOUND);
    }

    /** By a file, since a pipe ends only with the last process that holds it. */
    static Result run(Path folder, Map<String, String> environment, List<String> command, Duration bound) {
        ProcessBuilder builder =
                new ProcessBuilder(command).directory(folder.toFile()).redirectErrorStream(true);
        builder.environment().keySet().retainAll(environment.keySet());
        builder.environment().putAll(environment);
        try {
            Path said = Files.createTempFile("signet-shell", ".txt");
            Process process = builder.redirectOutput(said.toFile()).start();
            process.getOutputStream().close();
            boolean ended = process.waitFor(bound.toMillis(), TimeUnit.MILLISECONDS);
            if (!ended) {
                process.descendants().forEach(ProcessHandle::destroyForcibly);
                process.destroyForcibly().waitFor();
            }
            String text = new String(Files.readAllBytes(said), StandardCharsets.UTF_8).strip();
            Files.delete(said);
            if (!ended) {
                throw new AssertionError(command + " did not end within " + bound + "; it said: " + text);
            }
            return new Result(process.exitValue(), text);
        } catch (IOException | InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    static String text(Path folder, String script) {
        Result result = run(folder, script);
        if (result.exitCode() != 0) {
            throw new AssertionError(script + " ended with " + result.exitCode() + ": " + result.text());
        }
        return result.text();
    }

    /** What a file of {@code /proc} says of a process. */
    static String proc(long pid, String file) {
        try {
            return Files.readString(Path.of("/proc", Long.toString(pid), file), StandardCharsets.ISO_8859_1);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Whether the process is there and is no zombie. */
    static boolean lives(long pid) {
        try {
            String stat = Files.readString(Path.of("/proc", Long.toString(pid), "stat"));
            return stat.charAt(stat.lastIndexOf(')') + 2) != 'Z';
        } catch (IOException e) {
            return false;
        }
    }
}
