package dev.signet.app.child;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * The guard, seen from signet: a shell script in a session of its own ({@code guard.sh}, whose head describes what is said), told over its
 * stdin and answering on its stdout. When this process dies, the pipe closes, and the guard kills the command.
 *
 * <p>The JDK closes every other descriptor in the children it starts, so nobody else holds that pipe open.
 *
 * <p>A guard that was stopped, or of which one part was killed, keeps silent. So each renewal's line is answered, and a guard that still owes
 * the answer to a line two renewals back, and for a second, counts as lost. (Two, since after a pause of signet itself the answer may lie
 * there unread; a second, since short leases renew often.)
 *
 * <p>Who ended the command is a matter of order, not of time. What the guard says stands in its pipe before the deed, and a guard whose shell
 * ends by itself has no part left that could say more: its words are read to their end. A shell that was killed may leave a part behind, which
 * hears signet's pipe close and kills the command; but the JDK knows of the shell's end before it closes that pipe, so whoever finds the command
 * dead of it finds the guard dead too.
 *
 * <p>Safe for use by many threads. No method waits for the guard but {@link #start}, {@link #awaitAdopted} and {@link #blamed}.
 */
final class GuardProcess {
    private static final Duration SLOWEST_ANSWER = Duration.ofSeconds(5);
    private static final String ENDED = "the guard process has ended";
    private static final int RENEWALS_BEFORE_DEAF = 2;
    private static final long NANOS_BEFORE_DEAF = TimeUnit.SECONDS.toNanos(1);

    private final Process process;
    private final OutputStream mouth;
    private final GuardListener listener;
    private final CompletableFuture<Long> watcher = new CompletableFuture<>();
    private final CompletableFuture<Long> adopted = new CompletableFuture<>();
    private final CompletableFuture<ChildEnd.By> blamed = new CompletableFuture<>();

    // guarded by this
    private long said;
    private long answered;
    private long owingSinceNanos;
    private boolean over;
    private boolean obeyed;
    private boolean judged;

    private GuardProcess(Process process, GuardListener listener) {
        this.process = process;
        this.mouth = process.getOutputStream();
        this.listener = listener;
    }

    /**
     * Starts a guard that knows the command's mark and its first deadlines, but not yet the command.
     *
     * @throws IOException if it cannot be started, or says nothing within five seconds
     */
    static GuardProcess start(GuardHost host, Duration pollInterval, GuardListener listener) throws IOException {
        GuardProcess guard = new GuardProcess(host.guard(pollInterval).start(), listener);
        guard.begin(guard::listen, "signet-guard");
        // parts that live on may keep its stdout open, which then has no end to be read
        guard.begin(guard::endIfKilled, "signet-guard-end");
        guard.await(guard.watcher, "did not start");
        return guard;
    }

    private void begin(Runnable task, String name) {
        Thread thread = new Thread(task, name);
        thread.setDaemon(true);
        thread.start();
    }

    static String script(String name) {
        try (InputStream in = GuardProcess.class.getResourceAsStream(name)) {
            if (in == null) {
                throw new IllegalStateException("resource " + name + " is missing beside " + GuardProcess.class);
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read the resource " + name, e);
        }
    }

    long pid() {
        return process.pid();
    }

    /** The guard's process on whose stdout the gate waits. */
    long watcherPid() {
        return watcher.join();
    }

    /**
     * Waits until the guard knows the process group, which its gate tells it.
     *
     * @throws IOException if it does not within five seconds, or ends
     */
    void awaitAdopted(long group) throws IOException {
        long told = await(adopted, "was not told of the command");
        if (told != group) {
            throw new IOException("the guard was told of process group " + told + ", but the command has " + group);
        }
    }

    void mark(String variable) {
        say("mark " + variable);
    }

    /** From now on these deadlines, and the group goes on if it was stopped and the new ones have not passed. */
    void arm(BootInstant stopAt, BootInstant killAt) {
        String why = null;
        synchronized (this) {
            if (said == answered) {
                owingSinceNanos = System.nanoTime();
            } else if (said - answered >= RENEWALS_BEFORE_DEAF
                    && System.nanoTime() - owingSinceNanos > NANOS_BEFORE_DEAF) {
                why = "the guard process does not answer any more";
            }
            said++;
            if (why == null) {
                say("arm " + said + " " + stopAt.hundredths() + " " + killAt.hundredths());
            }
        }
        if (why != null) {
            judge(ChildEnd.By.LOST_GUARD, why);
        }
    }

    /** Whether it can still be asked for anything, as far as is known. */
    synchronized boolean listens() {
        return !over;
    }

    void stop() {
        say("stop");
    }

    void drain() {
        say("drain");
    }

    void kill() {
        say("kill");
    }

    /** Lets the guard go: nothing of the command is left. Idempotent. */
    void release() {
        synchronized (this) {
            say("end");
            over = true;
        }
        hangUp();
    }

    /**
     * Who ended the command, as the guard knows it: {@code GUARD} if it did so of its own accord, {@code LOST_GUARD} if it was lost first, else
     * {@code ITSELF}. To be asked after {@link #release}: waits, a second at most, for the guard's last word.
     */
    ChildEnd.By blamed() {
        if (!process.isAlive()) {
            endIfKilled();
        }
        return blamed.completeOnTimeout(ChildEnd.By.ITSELF, 1, TimeUnit.SECONDS).join();
    }

    private synchronized void say(String line) {
        if (over) {
            return;
        }
        try {
            mouth.write((line + '\n').getBytes(StandardCharsets.UTF_8));
            mouth.flush();
        } catch (IOException e) {
            // it has ended, which the other thread hears too, and tells
        }
    }

    private void listen() {
        try (BufferedReader ears =
                new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
            for (String line = ears.readLine(); line != null; line = ears.readLine()) {
                hear(line.split(" ", 2));
            }
        } catch (IOException e) {
            // the same as its end
        }
        // whoever held its stdout has ended, so it has too
        end(exitCode() == 0 && mayEnd());
    }

    private void hear(String[] words) {
        switch (words[0]) {
            case "ready" -> watcher.complete(Long.parseLong(words[1]));
            case "guarding" -> adopted.complete(Long.parseLong(words[1]));
            case "armed" -> answered(Long.parseLong(words[1]));
            case "killing" -> killing(words[1]);
            default -> {}
        }
    }

    private synchronized void answered(long number) {
        answered = number;
        owingSinceNanos = System.nanoTime();
    }

    private void killing(String why) {
        switch (why) {
            case "asked" -> {
                synchronized (this) {
                    obeyed = true;
                }
            }
            case "closed", "deaf" ->
                judge(ChildEnd.By.LOST_GUARD, "the guard process hears nothing any more, and kills the command");
            default -> judge(ChildEnd.By.GUARD, why);
        }
    }

    /** A guard that ends by itself ends with 0, and its words are read first. */
    private void endIfKilled() {
        if (exitCode() != 0) {
            end(false);
        }
    }

    private void end(boolean due) {
        IOException failure = new IOException(ENDED);
        watcher.completeExceptionally(failure);
        adopted.completeExceptionally(failure);
        judge(due ? ChildEnd.By.ITSELF : ChildEnd.By.LOST_GUARD, ENDED);
    }

    /** Waits for it. Not by {@code onExit}: JDK 17 may hold that back until whoever reads from the process has read something. */
    private int exitCode() {
        while (true) {
            try {
                return process.waitFor();
            } catch (InterruptedException e) {
                // nobody interrupts the threads that ask
            }
        }
    }

    /** After its kill on demand, or when let go: then its end is no loss. */
    private synchronized boolean mayEnd() {
        return obeyed || over;
    }

    /** The first judgement stands. */
    private void judge(ChildEnd.By by, String why) {
        synchronized (this) {
            if (judged) {
                return;
            }
            judged = true;
            over = true;
        }
        switch (by) {
            case GUARD -> listener.killing();
            case LOST_GUARD -> {
                listener.lost(why);
                // what is left of it reads the end of file, and kills the group once more
                hangUp();
            }
            default -> {}
        }
        // last: whoever asks for it is told all the rest before
        blamed.complete(by);
    }

    /** Closes the pipe without a word, as this process' death does: whatever of the command the guard knows is killed. Idempotent. */
    void hangUp() {
        try {
            mouth.close();
        } catch (IOException e) {
            // it had ended before
        }
    }

    private <T> T await(CompletableFuture<T> answer, String failure) throws IOException {
        try {
            return answer.get(SLOWEST_ANSWER.toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException | TimeoutException e) {
            hangUp();
            throw new IOException("the guard process " + failure, e);
        } catch (InterruptedException e) {
            hangUp();
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while the guard process started", e);
        }
    }
}
