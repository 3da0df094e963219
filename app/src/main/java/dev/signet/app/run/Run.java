package dev.signet.app.run;

import dev.signet.Candidate;
import dev.signet.Election;
import dev.signet.Signet;
import dev.signet.app.cli.CommandFailedException;
import dev.signet.app.cli.ExitCode;
import dev.signet.app.cli.Surroundings;
import dev.signet.store.Store;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

/**
 * One run, from the first campaign to the exit code.
 *
 * <p>TERM, INT and HUP reach a JVM as its shutdown, in which this drains: the command first, the role after. The JVM then ends with
 * 128 + the signal by itself. Whatever else ends the run ends the JVM by its own exit code.
 */
final class Run {
    private static final Duration LOOK = Duration.ofMillis(20);

    private final RunPlan plan;
    private final Store store;
    private final FenceCheck fences;
    private final Surroundings surroundings;
    private final Consumer<String> say;
    private final TransferDesk desk;
    private final AtomicBoolean over = new AtomicBoolean();
    private final CompletableFuture<Void> drained = new CompletableFuture<>();

    Run(RunPlan plan, Store store, FenceCheck fences, Surroundings surroundings) {
        this.plan = plan;
        this.store = store;
        this.fences = fences;
        this.surroundings = surroundings;
        this.say = surroundings::say;
        this.desk = new TransferDesk(say);
    }

    /**
     * Blocks until the run is over, and returns the exit code. May be called once per process: it hears the process's signals.
     *
     * @throws CommandFailedException if it cannot begin, saying why
     */
    int execute() throws InterruptedException {
        try (LeaseFeed feed = new LeaseFeed(plan.timing().renewDeadline())) {
            feed.start();
            FirstSession firstSession = new FirstSession(store.traits().name());
            Candidate candidate = join(firstSession);
            RunListener listener = new RunListener(
                    plan, new TermCommands(plan.guard(), feed, candidate.id().toString()), say);
            Thread drain = new Thread(() -> drain(candidate, listener), "signet-drain");
            Runtime.getRuntime().addShutdownHook(drain);
            begin(firstSession, candidate);
            say.accept("campaigning role=" + plan.role() + " candidate=" + candidate.id());
            Election election = candidate.campaign(plan.role(), plan.protection(), listener);
            listener.hears(election);
            desk.open(surroundings, candidate.id(), election);
            return conclude(listener.outcome().join(), candidate);
        }
    }

    private Candidate join(FirstSession firstSession) {
        Signet door = Signet.candidate(plan.name(), store)
                .timing(plan.timing())
                .drain(plan.drain())
                .grace(plan.grace())
                .observer(firstSession)
                .observer(new EventLines(say));
        plan.advertise().ifPresent(door::advertise);
        return door.join();
    }

    /** The session is being opened while the fences are looked at. */
    private void begin(FirstSession firstSession, Candidate candidate) throws InterruptedException {
        boolean begun = false;
        try {
            fences.check();
            firstSession.await();
            begun = true;
        } finally {
            if (!begun) {
                over.set(true);
                candidate.close();
            }
        }
    }

    private int conclude(RunEnd end, Candidate candidate) {
        if (end instanceof RunEnd.Drained) {
            // the elector has still to release the role; whoever returns from here closes its store
            drained.join();
            return ExitCode.TERMINATED.number();
        }
        over.set(true);
        if (end instanceof RunEnd.Exited exited) {
            close(candidate);
            return exited.exitCode();
        }
        if (end instanceof RunEnd.Lost lost) {
            close(candidate);
            say.accept("leadership was lost: " + lost.why());
        } else if (end instanceof RunEnd.Stuck stuck) {
            desk.close();
            say.accept("processes that KILL does not end are left of the command: " + stuck.survivors()
                    + "; the role is not released, and passes on when the lease is over");
        }
        return ExitCode.LEADERSHIP_LOST.number();
    }

    /** The command's end came first, or the command is brought to its end; the role follows. Runs in the shutdown of the JVM. */
    private void drain(Candidate candidate, RunListener listener) {
        if (over.get()) {
            return;
        }
        say.accept("told to end" + (listener.isBusy() ? ": the command first, the role after" : ""));
        CompletableFuture<Void> closed = CompletableFuture.runAsync(() -> close(candidate), Run::inThread);
        Duration free = Duration.ZERO;
        while (!isDone(closed) && free.compareTo(plan.timing().attemptTimeout().multipliedBy(2)) < 0) {
            free = listener.isBusy() ? Duration.ZERO : free.plus(LOOK);
        }
        drained.complete(null);
        if (listener.outcome().getNow(new RunEnd.Drained()) instanceof RunEnd.Exited exited) {
            // it had ended by itself before it heard of ours
            Runtime.getRuntime().halt(exited.exitCode());
        }
    }

    /** Whoever comes second waits for the first: a store that is closed under a candidate takes no release. */
    private synchronized void close(Candidate candidate) {
        candidate.close();
        desk.close();
        store.close();
    }

    private static boolean isDone(CompletableFuture<Void> future) {
        try {
            future.get(LOOK.toMillis(), TimeUnit.MILLISECONDS);
            return true;
        } catch (TimeoutException e) {
            return false;
        } catch (InterruptedException | ExecutionException e) {
            return true;
        }
    }

    private static void inThread(Runnable task) {
        Thread thread = new Thread(task, "signet-close");
        thread.setDaemon(true);
        thread.start();
    }
}
