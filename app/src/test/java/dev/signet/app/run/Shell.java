package dev.signet.app.run;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/** Short commands of the tests' own. */
final class Shell {

    /** @param text its stdout and stderr */
    record Result(int exitCode, String text) {}

    private Shell() {}

    static Result run(Path folder, String script) {
        try {
            Process process = new ProcessBuilder("sh", "-c", script)
                    .directory(folder.toFile())
                    .redirectErrorStream(true)
                    .start();
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
