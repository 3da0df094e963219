package dev.signet.app.child;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;

/** The guard's script beside a command, without signet, whose lines the test says itself. */
final class GuardScript implements AutoCloseable {

    final Process guard;
    final Process gate;
    private final String path;
    private final Path tools;
    private final String mark;
    private final Path uptime;
    private final List<String> heard = new ArrayList<>();
    private final BufferedReader ears;
    private final Writer mouth;

    /**
     * Returns when the command has been let go.
     *
     * @param tools where its shell is, as {@code sh}, and perhaps others of its programs; its words go beside that
     * @param more folders for its PATH
     * @param name for the mark
     */
    GuardScript(Path tools, String more, String name, String command) throws IOException {
        this(tools, more, name, command, Path.of("/proc/uptime"));
    }

    /** @param uptime what it takes for {@code /proc/uptime} */
    GuardScript(Path tools, String more, String name, String command, Path uptime) throws IOException {
        this.tools = tools;
        this.uptime = uptime;
        path = tools + more;
        // its own: the guard of a test before may still look for what it has left
        mark = "SIGNET_TERM_ID=script-" + name + "-" + UUID.randomUUID();
        guard = start("words", "eval \"$script\"", "signet-guard", "0.05");
        ears = guard.inputReader(StandardCharsets.UTF_8);
        mouth = guard.outputWriter(StandardCharsets.UTF_8);
        String watcher = ears.readLine().replace("ready ", "");
        tell("mark " + mark);
        arm(1, 60_000, 60_000);
        gate = start(
                "gate",
                GuardProcess.script("gate.sh"),
                "gate",
                watcher,
                Long.toString(guard.pid()),
                find("sh").orElseThrow().toString(),
                "-c",
                command);
        until("guarding " + gate.pid());
        until("armed 1");
    }

    private Process start(String errors, String script, String... arguments) throws IOException {
        List<String> words = new ArrayList<>(List.of(
                find("setsid").orElseThrow().toString(), tools.resolve("sh").toString(), "-c", script));
        words.addAll(List.of(arguments));
        ProcessBuilder builder = new ProcessBuilder(words)
                .redirectError(tools.resolveSibling(errors).toFile());
        builder.environment().clear();
        builder.environment().put("PATH", path);
        if (arguments[0].equals("signet-guard")) {
            builder.environment().put("script", script());
        } else {
            builder.environment().put("SIGNET_TERM_ID", mark.replaceFirst(".*=", ""));
        }
        return builder.start();
    }

    private String script() {
        return GuardProcess.script("guard.sh").replace("</proc/uptime", "<" + uptime);
    }

    /** Counted from now. */
    void arm(int number, long stopMillis, long killMillis) throws IOException {
        String seconds = Files.readString(uptime).split(" ")[0];
        BootInstant now = new BootInstant(Long.parseLong(seconds.replace(".", "")));
        armAt(
                number,
                now.plus(Duration.ofMillis(stopMillis)).hundredths(),
                now.plus(Duration.ofMillis(killMillis)).hundredths());
    }

    void armAt(int number, long stop, long kill) throws IOException {
        tell("arm " + number + " " + stop + " " + kill);
    }

    void tell(String line) throws IOException {
        mouth.write(line + "\n");
        mouth.flush();
    }

    void until(String line) throws IOException {
        while (!heard.contains(line)) {
            String next = ears.readLine();
            assertThat(next).as("heard " + heard + " but not " + line).isNotNull();
            heard.add(next);
        }
    }

    /** What it has said so far, up to the last line waited for. */
    List<String> heard() {
        return List.copyOf(heard);
    }

    static void until(BooleanSupplier condition) throws InterruptedException {
        long begun = System.nanoTime();
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime() - begun).isLessThan(ParentProcess.PATIENCE.toNanos());
            Thread.sleep(5);
        }
    }

    ProcessGroup group() {
        return ProcessGroup.ledBy(gate.pid(), mark, "/bin/sh");
    }

    List<ProcessStat> everything() {
        return ProcessTable.all().stream()
                .filter(one -> one.lives() && ProcessTable.carries(one.pid(), mark))
                .toList();
    }

    /** Those that have a session of their own by now. */
    long left() {
        return everything().stream().filter(one -> one.session() != gate.pid()).count();
    }

    static Optional<Path> find(String name) {
        return Stream.of(System.getenv("PATH").split(":"))
                .map(folder -> Path.of(folder, name))
                .filter(Files::isExecutable)
                .findFirst();
    }

    @Override
    public void close() {
        guard.destroyForcibly();
        everything().forEach(one -> ParentProcess.signal("KILL", one.pid()));
    }
}
