package dev.signet.app.child;

import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Brings a command to its end, and knows when that is reached: its process has been reaped, and nothing of its kin lives.
 *
 * <p>The guard does the signalling where there is one: it decides on stopping too, so the two cannot cross; and its shell needs no new process
 * for it on a host that has no room for one. What is still alive a moment after a KILL is killed from here as well.
 *
 * <p>All state belongs to one thread, which this class owns. The methods may be called from any, and only {@link #gone} and {@link #close} block.
 */
final class Ending {
    private static final long LOOK_MILLIS = 20;
    private static final long KILL_AGAIN_NANOS = TimeUnit.MILLISECONDS.toNanos(200);
    private static final Duration GIVE_UP = Duration.ofSeconds(10);
    private static final int KILLED = 128 + 9;

    private final Process process;
    private final Kin kin;
    private final Optional<GuardProcess> guard;
    private final Duration killRemainsAfter;
    private final Duration giveUpAfter;
    private final CompletableFuture<ChildEnd> ended = new CompletableFuture<>();
    private final BlockingQueue<Runnable> orders = new LinkedBlockingQueue<>();

    // only the thread below touches these
    private ChildEnd.By by = ChildEnd.By.ITSELF;
    private boolean ending;
    private boolean terminated;
    private boolean killed;
    private long killAtNanos;
    private long killedNanos;
    private long killAgainNanos;

    private Ending(
            Process process, Kin kin, Optional<GuardProcess> guard, Duration killRemainsAfter, Duration giveUpAfter) {
        this.process = process;
        this.kin = kin;
        this.guard = guard;
        this.killRemainsAfter = killRemainsAfter;
        this.giveUpAfter = giveUpAfter;
    }

    /**
     * Watches over a command that runs.
     *
     * @param killRemainsAfter from TERM to KILL for what the command's process leaves behind
     */
    static Ending of(Process process, Kin kin, Optional<GuardProcess> guard, Duration killRemainsAfter) {
        return of(process, kin, guard, killRemainsAfter, GIVE_UP);
    }

    static Ending of(
            Process process, Kin kin, Optional<GuardProcess> guard, Duration killRemainsAfter, Duration giveUpAfter) {
        Ending ending = new Ending(process, kin, guard, killRemainsAfter, giveUpAfter);
        Thread thread = new Thread(ending::run, "signet-child");
        thread.setDaemon(true);
        thread.start();
        var unused = process.onExit().thenRun(() -> ending.orders.add(ending::processEnded));
        return ending;
    }

    long pid() {
        return process.pid();
    }

    CompletableFuture<ChildEnd> ended() {
        return ended;
    }

    boolean gone() {
        return kin.living().isEmpty();
    }

    void terminate(Duration killAfter) {
        orders.add(() -> {
            blame(ChildEnd.By.SIGNET);
            terminateWithin(killAfter);
        });
    }

    void kill(ChildEnd.By whom) {
        boolean alive = process.isAlive();
        // before the deed, whose success may be heard of while this order still waits
        orders.add(() -> {
            if (alive && by == ChildEnd.By.ITSELF) {
                by = whom;
            }
            killNow();
        });
        guard.ifPresent(GuardProcess::kill);
    }

    /** The guard does what its deadline told it to. */
    void killing() {
        orders.add(() -> {
            // by now the process may be dead of it
            by = by == ChildEnd.By.ITSELF ? ChildEnd.By.GUARD : by;
            killNow();
        });
    }

    void close() {
        if (!ended.isDone()) {
            kill(ChildEnd.By.SIGNET);
        }
        try {
            ended.get(giveUpAfter.toSeconds() + 2, TimeUnit.SECONDS);
        } catch (ExecutionException | TimeoutException e) {
            // survivors; the guard, whose pipe closes with this process at the latest, goes on trying
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void run() {
        while (!ended.isDone()) {
            try {
                Runnable order = ending ? orders.poll(LOOK_MILLIS, TimeUnit.MILLISECONDS) : orders.take();
                if (order != null) {
                    order.run();
                }
                if (ending) {
                    look();
                }
            } catch (UncheckedIOException e) {
                // no look at the processes this time, say for want of descriptors: the next look decides
            } catch (InterruptedException e) {
                // nobody has this thread but this class, which never interrupts it
            }
        }
    }

    private void processEnded() {
        ending = true;
        if (!kin.living().isEmpty()) {
            terminateWithin(killRemainsAfter);
        }
    }

    private void terminateWithin(Duration killAfter) {
        ending = true;
        long deadline = System.nanoTime() + killAfter.toNanos();
        if (!terminated) {
            terminated = true;
            killAtNanos = deadline;
            helper().ifPresentOrElse(GuardProcess::drain, this::drain);
        } else if (deadline - killAtNanos < 0) {
            killAtNanos = deadline;
        }
    }

    private void killNow() {
        ending = true;
        if (!killed) {
            killed = true;
            killedNanos = System.nanoTime();
            killAgainNanos = killedNanos + (helper().isPresent() ? KILL_AGAIN_NANOS : 0);
        }
    }

    private void look() {
        long now = System.nanoTime();
        List<Long> living = kin.living();
        if (living.isEmpty() && !process.isAlive()) {
            finish();
        } else if (!killed && terminated && now - killAtNanos >= 0) {
            guard.ifPresent(GuardProcess::kill);
            killNow();
        } else if (killed && now - killedNanos > giveUpAfter.toNanos()) {
            complete(living);
        } else if (killed && now - killAgainNanos >= 0) {
            killAgainNanos = now + KILL_AGAIN_NANOS;
            kin.signal(Signal.KILL);
        }
    }

    private void drain() {
        kin.signal(Signal.TERM);
        kin.signal(Signal.CONT);
    }

    private Optional<GuardProcess> helper() {
        return guard.filter(GuardProcess::listens);
    }

    private void blame(ChildEnd.By whom) {
        if (by == ChildEnd.By.ITSELF && process.isAlive()) {
            by = whom;
        }
    }

    private void finish() {
        guard.ifPresent(GuardProcess::release);
        // the command's end may be heard of before the guard's word on it, or before the guard's own end
        if (by == ChildEnd.By.ITSELF && process.exitValue() == KILLED) {
            by = guard.map(GuardProcess::blamed).orElse(by);
        }
        complete(List.of());
    }

    private void complete(List<Long> survivors) {
        ended.complete(new ChildEnd(process.isAlive() ? KILLED : process.exitValue(), by, survivors));
    }
}
