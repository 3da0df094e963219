package dev.signet.app.run;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** Short commands of the tests' own. */
final class Shell {

    /** @param text its stdout and stderr */
    record Result(int exitCode, String text) {}

    private Shell() {}

    static Result run(Path folder, String script) {
        return run(folder, System.getenv(), List.of("sh", "-c", script));
    }

    /** @param environment all of it */
    static Result run(Path folder, Map<String, String> environment, List<String> command) {
        ProcessBuilder builder =
                new ProcessBuilder(command).directory(folder.toFile()).redirectErrorStream(true);
        builder.environment().keySet().retainAll(environment.keySet());
        builder.environment().putAll(environment);
        try {
            Process process = builder.start();
            process.getOutputStream().close();
            String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            return new Result(process.waitFor(), text.strip());
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
