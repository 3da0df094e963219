package dev.signet.testkit;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/**
 * A main class that runs in a JVM of its own, on the class path of the test, and says what it does on standard output, a line
 * each. It is killed when it is closed.
 */
public final class JavaChild implements AutoCloseable {

    private static final String END = "(end of output)";

    private final Process process;
    private final BlockingQueue<String> lines = new LinkedBlockingQueue<>();

    private JavaChild(Process process) {
        this.process = process;
        Thread reader = new Thread(this::read, "output of " + process.pid());
        reader.setDaemon(true);
        reader.start();
    }

    public static JavaChild start(Class<?> main, String... args) {
        return startUnder(List.of(), main, args);
    }

    /** The command line that starts it. */
    public static List<String> command(Class<?> main, String... args) {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-Dslf4j.internal.verbosity=ERROR",
                "-cp",
                System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
                main.getName()));
        command.addAll(List.of(args));
        return command;
    }

    /** @param prefix a command that runs the rest of its line */
    public static JavaChild startUnder(List<String> prefix, Class<?> main, String... args) {
        List<String> command = new ArrayList<>(prefix);
        command.addAll(command(main, args));
        try {
            return new JavaChild(
                    new ProcessBuilder(command).redirectErrorStream(true).start());
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private void read() {
        try (BufferedReader output =
                new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
            for (String line = output.readLine(); line != null; line = output.readLine()) {
                lines.add(line);
            }
        } catch (IOException e) {
            lines.add(e.toString());
        }
        lines.add(END);
    }

    /** The next line that begins so, without that beginning; lines before it are dropped. */
    public String expect(String beginning) {
        List<String> seen = new ArrayList<>();
        while (true) {
            String line = next();
            if (line.startsWith(beginning)) {
                return line.substring(beginning.length()).strip();
            }
            seen.add(line);
            if (line.equals(END)) {
                throw new AssertionError("no line begins with '" + beginning + "' in " + seen);
            }
        }
    }

    /** All lines that are still to come. */
    public List<String> rest() {
        List<String> rest = new ArrayList<>();
        for (String line = next(); !line.equals(END); line = next()) {
            rest.add(line);
        }
        return rest;
    }

    /** Whatever it says next. */
    public String next() {
        try {
            String line = lines.poll(60, TimeUnit.SECONDS);
            if (line == null) {
                throw new AssertionError("the child says nothing");
            }
            return line;
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    public void signal(String name) {
        try {
            int status = new ProcessBuilder("kill", "-" + name, Long.toString(process.pid()))
                    .inheritIO()
                    .start()
                    .waitFor();
            if (status != 0) {
                throw new AssertionError("kill answered " + status);
            }
        } catch (IOException | InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    /** Once it has ended, within a minute. */
    public int exitCode() {
        try {
            if (!process.waitFor(60, TimeUnit.SECONDS)) {
                throw new AssertionError("the child does not end");
            }
            return process.exitValue();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    /** Its standard input ends. */
    public void endInput() {
        try {
            process.getOutputStream().close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** By its handle: what it has said so far can still be read, whereas destroying a Process closes its streams. */
    public void kill() {
        process.toHandle().destroyForcibly();
        try {
            process.waitFor();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    @Override
    public void close() {
        kill();
    }
}
