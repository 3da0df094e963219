package dev.signet.app.child;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * A running command of {@code signet run}, and the guard beside it.
 *
 * <p><b>The command</b> has a session of its own, so that neither Ctrl-C nor Ctrl-Z of the terminal reaches it but through signet; its stdin,
 * stdout and stderr are signet's. It has no controlling terminal: what asks for a password on {@code /dev/tty} cannot. Ctrl-Z stops signet, and
 * so, unless it goes on in time, the guard stops the command at its deadline and kills it.
 *
 * <p><b>The order of things</b>: the guard runs and knows its deadlines before the command's process starts; that process waits, before it
 * becomes the command, until the guard has written it down. There is no moment in which signet can die and leave a command without a guard.
 *
 * <p><b>Its end</b>: a command has ended when its process <em>and</em> everything it left behind are gone. If the process ends and others of
 * it live on, these get TERM, and KILL when {@link StopBudget#onResign} has passed: whoever releases the role afterwards releases it of all.
 * {@link #ended} completes only then.
 *
 * <p><b>Not promised</b>: that every process is found, see {@link #lacking} and the limits that {@code ProcessGroup} states; or that the command
 * is ended when signet <em>and</em> its guard are killed in one stroke, as {@code pkill -9 -f signet} does, or both are stopped. And in a host
 * that is suspended as a whole nothing is stopped or killed in time; nor does anything run there.
 *
 * <p>Safe for use by many threads. No method but {@link #start}, {@link #groupGone} and {@link #close} blocks.
 */
public final class GuardedChild implements AutoCloseable {
    private static final String MARK = "SIGNET_TERM_ID";

    private final GuardSettings settings;
    private final Optional<String> lacking;
    private final Optional<GuardProcess> guard;
    private final Ending ending;
    private final CompletableFuture<String> guardLost;
    private BootInstant latestSent;

    private GuardedChild(
            GuardSettings settings,
            Optional<String> lacking,
            Optional<GuardProcess> guard,
            Ending ending,
            CompletableFuture<String> guardLost,
            BootInstant latestSent) {
        this.settings = settings;
        this.lacking = lacking;
        this.guard = guard;
        this.ending = ending;
        this.guardLost = guardLost;
        this.latestSent = latestSent;
    }

    /**
     * Starts guard and command, and waits for both: some 30 ms, or 80 in a JVM that has started no process before.
     *
     * @param environment what the command gets beside the parent's variables, of which those named {@code SIGNET_…} are taken away; must hold
     *     {@code SIGNET_TERM_ID}, by which processes are found that left the group
     * @param renewalSent when the last successful renewal was sent, or the session opened
     * @throws IOException if guard or command cannot be started; then neither runs
     */
    public static GuardedChild start(
            ChildCommand command, Map<String, String> environment, GuardSettings settings, BootInstant renewalSent)
            throws IOException {
        return start(command, environment, settings, renewalSent, GuardHost.look());
    }

    static GuardedChild start(
            ChildCommand command,
            Map<String, String> environment,
            GuardSettings settings,
            BootInstant renewalSent,
            GuardHost.Found found)
            throws IOException {
        String termId = environment.get(MARK);
        if (termId == null || termId.isBlank()) {
            throw new IllegalArgumentException(
                    "environment has no " + MARK + ": without it escaped processes cannot be found");
        }
        Birth birth = new Birth(command, environment, MARK + "=" + termId);
        return found.host().isPresent()
                ? guarded(birth, settings, renewalSent, found.host().get())
                : unguarded(birth, settings, renewalSent, found.lacking());
    }

    private static GuardedChild guarded(Birth birth, GuardSettings settings, BootInstant renewalSent, GuardHost host)
            throws IOException {
        CompletableFuture<Ending> known = new CompletableFuture<>();
        CompletableFuture<String> lost = new CompletableFuture<>();
        GuardProcess guard = GuardProcess.start(host, settings.guard().pollInterval(), new GuardListener() {
            @Override
            public void killing() {
                var unused = known.thenAccept(Ending::killing);
            }

            @Override
            public void lost(String why) {
                // first the deed, then the news
                var unused = known.thenAccept(ending -> ending.kill(ChildEnd.By.LOST_GUARD));
                lost.complete(why);
            }
        });
        guard.mark(birth.mark());
        arm(guard, settings.guard(), renewalSent);
        Process process;
        try {
            process = birth.behindTheGate(host, guard);
        } catch (IOException e) {
            guard.release();
            throw e;
        }
        Kin kin = ProcessGroup.ledBy(process.pid(), birth.mark(), host.shell().toString());
        Ending ending =
                Ending.of(process, kin, Optional.of(guard), settings.stop().onResign());
        known.complete(ending);
        try {
            guard.awaitAdopted(process.pid());
        } catch (IOException e) {
            ending.close();
            throw e;
        }
        return new GuardedChild(settings, Optional.empty(), Optional.of(guard), ending, lost, renewalSent);
    }

    private static GuardedChild unguarded(
            Birth birth, GuardSettings settings, BootInstant renewalSent, Optional<String> lacking) throws IOException {
        Process process = birth.bare();
        Ending ending = Ending.of(
                process,
                new ProcessTree(process.toHandle()),
                Optional.empty(),
                settings.stop().onResign());
        return new GuardedChild(settings, lacking, Optional.empty(), ending, new CompletableFuture<>(), renewalSent);
    }

    /** Empty if the command is guarded as this class says; otherwise a sentence for the user: what is missing, and what follows from it. */
    public Optional<String> lacking() {
        return lacking;
    }

    /** The pid of the command's process; its process group has the same number where the command is guarded. */
    public long pid() {
        return ending.pid();
    }

    Optional<Long> guardPid() {
        return guard.map(GuardProcess::pid);
    }

    /**
     * A renewal succeeded. The guard's deadlines are counted from here, and the processes go on if they were stopped. One that was sent
     * before the last one told is ignored, so that answers that overtake each other move no deadline back.
     *
     * @param sentAt read <em>before</em> the renewal was sent
     */
    public synchronized void renewed(BootInstant sentAt) {
        if (sentAt.compareTo(latestSent) >= 0) {
            latestSent = sentAt;
            guard.ifPresent(process -> arm(process, settings.guard(), sentAt));
        }
    }

    /** The term is suspended: stops the processes until the next {@link #renewed}. They stay under the guard's deadlines. */
    public void suspend() {
        guard.ifPresent(GuardProcess::stop);
    }

    /**
     * TERM to every process, and KILL if any is left after {@code killAfter}; from now on the guard no longer stops them, and stopped ones go on
     * to hear the TERM. A second call can only shorten the time. Whoever is no longer sure of the term uses {@link #kill} instead.
     *
     * @param killAfter {@link StopBudget#onResign} or {@link StopBudget#onLost}
     */
    public void terminate(Duration killAfter) {
        ending.terminate(killAfter);
    }

    /** KILL to every process, until none is left. Idempotent. */
    public void kill() {
        ending.kill(ChildEnd.By.SIGNET);
    }

    /** Completes when nothing of the command is left, or cannot be ended. Dependents run on this child's own thread; they must not block. */
    public CompletableFuture<ChildEnd> ended() {
        return ending.ended().copy();
    }

    /** Completes with the reason if the guard was lost. The command is then being killed already; the caller resigns. */
    public CompletableFuture<String> guardLost() {
        return guardLost.copy();
    }

    /** Whether no process of the command lives. Looks anew on each call, for some milliseconds. */
    public boolean groupGone() {
        return ending.gone();
    }

    /** Kills what is left, waits for it up to twelve seconds, and lets the guard go. Idempotent. */
    @Override
    public void close() {
        ending.close();
    }

    private static void arm(GuardProcess guard, GuardBudget budget, BootInstant sentAt) {
        guard.arm(sentAt.plus(budget.stopAfter()), sentAt.plus(budget.killAfter()));
    }

    /** How the command's process comes into being. */
    private record Birth(ChildCommand command, Map<String, String> environment, String mark) {

        Process bare() throws IOException {
            return start(command.words());
        }

        Process behindTheGate(GuardHost host, GuardProcess guard) throws IOException {
            List<String> words = new ArrayList<>(List.of(
                    host.setsid().toString(),
                    host.shell().toString(),
                    "-c",
                    GuardProcess.script("gate.sh"),
                    "signet-gate",
                    Long.toString(guard.watcherPid()),
                    Long.toString(guard.pid())));
            ProcessBuilder probe = new ProcessBuilder();
            List<String> lost = ChildEnvironment.lostByShells(probe.environment());
            if (!lost.isEmpty()) {
                words.add("env");
                words.addAll(lost);
            }
            words.addAll(command.words());
            return start(words);
        }

        private Process start(List<String> words) throws IOException {
            ProcessBuilder builder = new ProcessBuilder(words).inheritIO();
            ChildEnvironment.prepare(builder.environment(), environment);
            return builder.start();
        }
    }
}
