package dev.signet.testkit;

import dev.signet.Namespace;
import dev.signet.Role;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;

/**
 * Contenders in a process of their own, which may be killed at any time: what they did until then is in their history, a line
 * each. They end when standard input does, so that none outlives its test.
 */
final class ContestProcess {

    private static final int CONTENDERS = 4;

    private ContestProcess() {}

    /** What a {@link #main} is told. */
    record Task(Shared store, Namespace namespace, List<Role> roles, Duration lease, Path history, int seed) {

        JavaChild start() {
            return JavaChild.start(
                    ContestProcess.class,
                    store.factory().getName(),
                    store.place(),
                    namespace.name(),
                    String.join(",", roles.stream().map(Role::name).toList()),
                    Long.toString(lease.toMillis()),
                    history.toString(),
                    Integer.toString(seed));
        }

        /** Without a last line that the process did not finish. */
        List<StoreEvent> events() {
            try {
                String text = Files.exists(history) ? Files.readString(history) : "";
                return text.substring(0, text.lastIndexOf('\n') + 1)
                        .lines()
                        .map(StoreEvent::of)
                        .toList();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        long grants() {
            return events().stream()
                    .filter(event -> event.kind() == StoreEvent.Kind.GRANTED)
                    .count();
        }
    }

    public static void main(String... task) throws Exception {
        StoreFactory factory = Class.forName(task[0])
                .asSubclass(StoreFactory.class)
                .getConstructor()
                .newInstance();
        Namespace namespace = new Namespace(task[2]);
        List<Role> roles = Stream.of(task[3].split(",", -1)).map(Role::of).toList();
        Duration lease = Duration.ofMillis(Long.parseLong(task[4]));
        AtomicBoolean goesOn = new AtomicBoolean(true);
        Thread input = new Thread(() -> awaitEnd(goesOn), "end of input");
        input.setDaemon(true);
        input.start();
        try (PrintWriter history =
                new PrintWriter(Files.newBufferedWriter(Path.of(task[5]), StandardCharsets.UTF_8), false)) {
            Contest contest = new Contest(
                    roles, lease, Duration.ofSeconds(5), System::nanoTime, event -> write(history, event.line()));
            contest.run(
                    CONTENDERS,
                    () -> factory.connect(task[1], namespace),
                    Integer.parseInt(task[6]),
                    goesOn::get,
                    ContestProcess::rest);
        }
        System.out.println("done");
    }

    private static void write(PrintWriter history, String line) {
        synchronized (history) {
            history.print(line + '\n');
            history.flush();
        }
    }

    private static void awaitEnd(AtomicBoolean goesOn) {
        try (InputStream input = System.in) {
            while (input.read() >= 0) {}
        } catch (IOException e) {
            System.out.println(e);
        }
        goesOn.set(false);
    }

    private static void rest() {
        try {
            Thread.sleep(20);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted", e);
        }
    }
}
