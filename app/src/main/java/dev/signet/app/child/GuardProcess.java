package dev.signet.app.child;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
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
 * <p>Safe for use by many threads. No method waits for the guard but {@link #start}, {@link #awaitAdopted} and {@link #hasKilled}.
 */
final class GuardProcess {
    private static final Duration SLOWEST_ANSWER = Duration.ofSeconds(5);
    /** From its end to the reading of what it said before; parts of it that live on may keep its stdout open. */
    private static final Duration LAST_WORD = Duration.ofMillis(50);

    private static final int RENEWALS_BEFORE_DEAF = 2;
    private static final long NANOS_BEFORE_DEAF = TimeUnit.SECONDS.toNanos(1);

    private final Process process;
    private final OutputStream mouth;
    private final GuardListener listener;
    private final CompletableFuture<Long> watcher = new CompletableFuture<>();
    private final CompletableFuture<Long> adopted = new CompletableFuture<>();
    private final CompletableFuture<Boolean> deed = new CompletableFuture<>();

    // guarded by this
    private long said;
    private long answered;
    private long owingSinceNanos;
    private boolean over;

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
        String seconds = pollInterval.toMillis() / 1000 + "." + String.format("%03d", pollInterval.toMillis() % 1000);
        // by the environment, so that neither a file nor a page of script in `ps` is left lying about
        ProcessBuilder builder = new ProcessBuilder(
                host.setsid().toString(), host.shell().toString(), "-c", "eval \"$script\"", "signet-guard", seconds);
        Map<String, String> environment = builder.environment();
        String path = environment.getOrDefault("PATH", "");
        environment.clear();
        environment.put("PATH", "/usr/bin:/bin:" + path);
        environment.put("LC_ALL", "C");
        environment.put("script", script("guard.sh"));
        builder.directory(Path.of("/").toFile()).redirectError(ProcessBuilder.Redirect.INHERIT);
        GuardProcess guard = new GuardProcess(builder.start(), listener);
        Thread ears = new Thread(guard::listen, "signet-guard");
        ears.setDaemon(true);
        ears.start();
        var unused = guard.process
                .onExit()
                .thenRunAsync(
                        () -> guard.end("the guard process has ended"),
                        CompletableFuture.delayedExecutor(LAST_WORD.toMillis(), TimeUnit.MILLISECONDS));
        guard.await(guard.watcher, "did not start");
        return guard;
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
            end(why);
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

    /** Whether it has killed the command of its own accord. To be asked after {@link #release}: waits, a second at most, for its last word. */
    boolean hasKilled() {
        return deed.completeOnTimeout(false, 1, TimeUnit.SECONDS).join();
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
        end("the guard process has ended");
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
        if (why.equals("asked")) {
            return;
        }
        deed.complete(true);
        synchronized (this) {
            if (over) {
                return;
            }
            over = true;
        }
        listener.killing();
    }

    private void end(String why) {
        deed.complete(false);
        IOException failure = new IOException(why);
        watcher.completeExceptionally(failure);
        adopted.completeExceptionally(failure);
        synchronized (this) {
            if (over) {
                return;
            }
            over = true;
        }
        listener.lost(why);
        // what is left of it reads the end of file, and kills the group once more
        hangUp();
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
