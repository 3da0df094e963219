package dev.signet.store.jdbc;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** A {@link StoreProcess} that is running; it is killed when the test ends. */
final class JavaChild implements AutoCloseable {

    private static final String END = "(end of output)";

    private final Process process;
    private final BlockingQueue<String> lines = new LinkedBlockingQueue<>();

    private JavaChild(Process process) {
        this.process = process;
        Thread reader = new Thread(this::read, "output of " + process.pid());
        reader.setDaemon(true);
        reader.start();
    }

    static JavaChild start(String... args) {
        return startUnder(List.of(), args);
    }

    static List<String> command(String... args) {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-Dslf4j.internal.verbosity=ERROR",
                "-cp",
                System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
                StoreProcess.class.getName()));
        command.addAll(List.of(args));
        return command;
    }

    /** @param prefix a command that runs the rest of its line */
    static JavaChild startUnder(List<String> prefix, String... args) {
        List<String> command = new ArrayList<>(prefix);
        command.addAll(command(args));
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
    String expect(String beginning) {
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
    List<String> rest() {
        List<String> rest = new ArrayList<>();
        for (String line = next(); !line.equals(END); line = next()) {
            rest.add(line);
        }
        return rest;
    }

    private String next() {
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

    void signal(String name) {
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

    /** By its handle: what it has said so far can still be read, whereas destroying a Process closes its streams. */
    void kill() {
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
