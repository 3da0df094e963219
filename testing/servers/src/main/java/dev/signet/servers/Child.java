package dev.signet.servers;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.OutputStream;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * A process that this JVM started, with all its descendants. Signals go down the tree of parents, not to a process group: the
 * processes of a PostgreSQL server each have a session of their own. The root is our own child, so its number is not given to another
 * process while it lives; descendants are killed through handles, which know when their process was started.
 */
final class Child {

    private static final Duration LONGEST_SIGNAL = Duration.ofSeconds(10);

    /** Waits until the warden knows of it, then becomes the program. Ends if the JVM dies in between. */
    private static final String GATE = "read -r go && exec \"$@\" < /dev/null";

    private final Process process;

    private Child(Process process) {
        this.process = process;
    }

    /**
     * In a session of its own, so that a Ctrl-C at the terminal, or a signal to the group of the tests, is not for it.
     *
     * @param folder its working directory
     * @param log what it says is appended there
     */
    static Child start(List<String> command, Map<String, String> environment, Path folder, Path log) {
        List<String> line = new ArrayList<>(
                List.of(Programs.find("setsid", "util-linux", List.of()), "sh", "-c", GATE, "signet-servers-gate"));
        line.addAll(command);
        ProcessBuilder builder = new ProcessBuilder(line)
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectOutput(Redirect.appendTo(log.toFile()));
        // nothing of the caller's, whose variables and files in the home folder these programs would follow
        String path = System.getenv().getOrDefault("PATH", "");
        builder.environment().clear();
        builder.environment().putAll(Map.of("PATH", path, "HOME", folder.toString(), "LC_ALL", "C.UTF-8"));
        builder.environment().putAll(environment);
        try {
            Process process = builder.start();
            try (OutputStream gate = process.getOutputStream()) {
                Warden.ofThisJvm().watch(process);
                gate.write("go\n".getBytes(UTF_8));
            }
            return new Child(process);
        } catch (IOException e) {
            throw new ServerException("cannot start " + command, e);
        }
    }

    /** Whether one of its processes holds a connection. */
    boolean holds(String inode) {
        return processes().stream().anyMatch(one -> Sockets.isOf(one, inode));
    }

    List<ProcessHandle> processes() {
        return Stream.concat(Stream.of(process.toHandle()), process.descendants())
                .toList();
    }

    boolean isAlive() {
        return process.isAlive();
    }

    int exitCode() {
        return process.exitValue();
    }

    /** @return whether it ended within that time */
    boolean awaitEnd(Duration longest) {
        try {
            return process.waitFor(longest.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            throw interrupted(e);
        }
    }

    /** Returns when nothing of it runs. The root first: then it starts no other while the rest is counted. */
    void freeze() {
        Set<ProcessHandle> frozen = new LinkedHashSet<>();
        List<ProcessHandle> next = List.of(process.toHandle());
        while (!next.isEmpty()) {
            signal("STOP", next);
            await("frozen", next, state -> state.isFrozen());
            frozen.addAll(next);
            next = process.descendants().filter(one -> !frozen.contains(one)).toList();
        }
    }

    void thaw() {
        signal("CONT", process.descendants().toList());
        signal("CONT", List.of(process.toHandle()));
    }

    /**
     * Asks the root to end, and kills what is left when the time is over.
     *
     * @param signal what this program understands as a wish to end in good order
     */
    void end(String signal, Duration longest) {
        thaw();
        List<ProcessHandle> rest = process.descendants().toList();
        signal(signal, List.of(process.toHandle()));
        if (!awaitEnd(longest)) {
            kill();
        }
        rest.forEach(ProcessHandle::destroyForcibly);
    }

    /** SIGKILL to all of it; returns when nothing of it runs. */
    void kill() {
        if (process.isAlive()) {
            freeze();
        }
        List<ProcessHandle> all = new ArrayList<>(process.descendants().toList());
        all.add(process.toHandle());
        all.forEach(ProcessHandle::destroyForcibly);
        await("dead", all, ProcessState::isOver);
        awaitEnd(LONGEST_SIGNAL);
    }

    private static void signal(String name, List<ProcessHandle> processes) {
        List<String> command = new ArrayList<>(List.of(Programs.find("kill", "procps", List.of()), "-" + name));
        processes.stream().filter(ProcessHandle::isAlive).forEach(one -> command.add(Long.toString(one.pid())));
        if (command.size() == 2) {
            return;
        }
        try {
            // it complains of what has ended meanwhile, which is nothing to complain of
            new ProcessBuilder(command)
                    .redirectOutput(Redirect.DISCARD)
                    .redirectError(Redirect.DISCARD)
                    .start()
                    .waitFor();
        } catch (IOException e) {
            throw new ServerException("cannot run " + command, e);
        } catch (InterruptedException e) {
            throw interrupted(e);
        }
    }

    private static void await(String what, List<ProcessHandle> processes, Predicate<ProcessState> reached) {
        long begun = System.nanoTime();
        while (!processes.stream().allMatch(one -> !one.isAlive() || reached.test(ProcessState.of(one)))) {
            if (System.nanoTime() - begun > LONGEST_SIGNAL.toNanos()) {
                throw new ServerException("not " + what + " after " + LONGEST_SIGNAL + ": " + processes);
            }
            pause(Duration.ofMillis(2));
        }
    }

    static void pause(Duration duration) {
        try {
            TimeUnit.NANOSECONDS.sleep(duration.toNanos());
        } catch (InterruptedException e) {
            throw interrupted(e);
        }
    }

    private static ServerException interrupted(InterruptedException e) {
        Thread.currentThread().interrupt();
        return new ServerException("interrupted", e);
    }
}
