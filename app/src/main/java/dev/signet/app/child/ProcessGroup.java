package dev.signet.app.child;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BiPredicate;
import java.util.stream.Stream;

/**
 * On Linux: the process group of a command, other groups of its session (a shell with job control makes them), and processes elsewhere whose
 * environment carries the command's mark (a grandchild that called {@code setsid}).
 *
 * <p>Out of reach: a process with a session <em>and</em> an environment of its own ({@code env -i setsid …}, or a daemon that writes its title
 * over its environment), one that runs as another user, and one that another service started at the command's wish.
 *
 * <p>The kernel does not give away the number of a group while it has a member, and a leader's number not before it was reaped. Once all are
 * gone the number may be anyone's. So before the number is used, a leader that is there must be the one that was there at first; what remains
 * is a reuse between that look and the signal, microseconds in which the kernel would have to hand out all other pids.
 *
 * <p>Safe for use by many threads.
 */
final class ProcessGroup implements Kin {
    private static final int SLOWEST_KILL_SECONDS = 2;

    private static final long NEVER = -1;

    /** Who is just becoming another program has no environment for that moment, and is overlooked: so none is none only then. */
    private static final int LOOKS = 3;

    /** Who lost the processor in that moment is in it until it has it again. */
    private static final long BETWEEN_LOOKS_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

    private final long id;
    private final long leaderStarted;
    private final String mark;
    private final String shell;
    private final BiPredicate<Long, String> carries;

    ProcessGroup(long id, long leaderStarted, String mark, String shell) {
        this(id, leaderStarted, mark, shell, ProcessTable::carries);
    }

    /** @param carries whether a process' environment has a variable */
    ProcessGroup(long id, long leaderStarted, String mark, String shell, BiPredicate<Long, String> carries) {
        this.id = id;
        this.leaderStarted = leaderStarted;
        this.mark = mark;
        this.shell = shell;
        this.carries = carries;
    }

    /**
     * The group that the process leads, or led: a short command may be over already.
     *
     * @param mark {@code NAME=VALUE}, an unguessable variable of the command's environment
     */
    static ProcessGroup ledBy(long pid, String mark, String shell) {
        return new ProcessGroup(
                pid, ProcessTable.find(pid).map(ProcessStat::started).orElse(NEVER), mark, shell);
    }

    @Override
    public void signal(Signal signal) {
        List<String> targets = new ArrayList<>();
        if (ours()) {
            targets.add("-" + id);
        }
        Stream.concat(numbered(), marked())
                .filter(process -> process.group() != id)
                .map(process -> Long.toString(process.pid()))
                .distinct()
                .forEach(targets::add);
        if (!targets.isEmpty()) {
            send(signal, targets);
        }
    }

    @Override
    public List<Long> living() {
        List<Long> living = numbered().map(ProcessStat::pid).toList();
        // environments cost more to read, and while there are others they need not be
        for (int look = 0; living.isEmpty() && look < LOOKS; look++) {
            LockSupport.parkNanos(look == 0 ? 0 : BETWEEN_LOOKS_NANOS);
            living = marked().map(ProcessStat::pid).toList();
        }
        return living;
    }

    private Stream<ProcessStat> numbered() {
        return ours() ? alive().filter(process -> process.group() == id || process.session() == id) : Stream.of();
    }

    private Stream<ProcessStat> marked() {
        return alive().filter(process -> carries.test(process.pid(), mark));
    }

    private static Stream<ProcessStat> alive() {
        return ProcessTable.all().stream().filter(ProcessStat::lives);
    }

    private boolean ours() {
        return ProcessTable.find(id)
                .map(leader -> leader.started() == leaderStarted)
                .orElse(true);
    }

    /** By the shell's own {@code kill}: there need be no other, and {@code -SIG -PID} is the one form that every shell takes. */
    private void send(Signal signal, List<String> targets) {
        List<String> words = new ArrayList<>(List.of(shell, "-c", "kill \"$@\"", "signet-kill", "-" + signal));
        words.addAll(targets);
        try {
            Process kill = new ProcessBuilder(words)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
            if (!kill.waitFor(SLOWEST_KILL_SECONDS, TimeUnit.SECONDS)) {
                kill.destroyForcibly();
            }
        } catch (IOException e) {
            // no process could be started: what can be done without one
            if (signal == Signal.KILL) {
                living().forEach(pid -> ProcessHandle.of(pid).ifPresent(ProcessHandle::destroyForcibly));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
