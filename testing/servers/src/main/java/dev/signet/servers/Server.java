package dev.signet.servers;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A real server on a free port of loopback, with its data in a folder of its own. Thread-safe; what changes its state blocks, each
 * within a bound. Closing kills it and removes its folder; so does the end of the JVM, a crash included.
 *
 * <p>A subclass names its command and one request; that is all it takes.
 */
public abstract class Server implements AutoCloseable {

    private static final Duration LONGEST_START = Duration.ofSeconds(60);
    private static final Duration LONGEST_STOP = Duration.ofSeconds(20);
    private static final Duration LONGEST_TOOL = Duration.ofSeconds(60);
    private static final Duration BETWEEN_REQUESTS = Duration.ofMillis(20);
    private static final int ATTEMPTS_AT_PORTS = 5;
    private static final int LOG_SHOWN = 8_000;

    final Path folder;

    private final String name;
    private final Account account;
    private final Path log;
    private int[] ports;
    private volatile @Nullable Child child;
    private boolean shared;
    private boolean closed;

    /**
     * @param name for its folder and for messages
     * @param ports how many it listens on
     */
    Server(String name, Account account, int ports) {
        this.name = name;
        this.account = account;
        this.folder = newFolder(account, name);
        this.log = folder.resolve("log");
        this.ports = Ports.free(ports);
    }

    /** Makes its data; once, before the first start. */
    abstract void prepare();

    /** The program that serves, in the foreground, on {@link #port(int)}, with everything it writes under {@link #folder}. */
    abstract List<String> command();

    /** A request that only this server answers: another one may have been quicker at the port. Fails within seconds. */
    abstract void ask() throws Exception;

    /** The signal that ends it in good order. */
    String endingSignal() {
        return "TERM";
    }

    /** How long that may take before it is killed. */
    Duration longestStop() {
        return LONGEST_STOP;
    }

    public final String host() {
        return "127.0.0.1";
    }

    /** The same for as long as the server exists. */
    public final int port() {
        return port(0);
    }

    final int port(int index) {
        return ports[index];
    }

    /** What it and its tools have written so far. */
    public final String log() {
        try {
            return Files.exists(log) ? new String(Files.readAllBytes(log), UTF_8) : "";
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Whether it holds a connection, whose number the kernel knows. */
    final boolean holds(String inode) {
        // without the lock: it is asked also while the server starts
        Child current = child;
        return current != null && current.holds(inode);
    }

    /** Those that run for it now, its first one first. For whoever measures them: signals are this class's. */
    public final synchronized List<ProcessHandle> processes() {
        return child == null ? List.of() : child.processes();
    }

    /** True also while it is frozen. */
    public final synchronized boolean isRunning() {
        return child != null && child.isAlive();
    }

    /** The first start, with other ports if somebody else was quicker at one of them. */
    final synchronized void start() {
        try {
            prepare();
            for (int attempt = 1; ; attempt++) {
                try {
                    launch();
                    return;
                } catch (ServerException e) {
                    if (attempt == ATTEMPTS_AT_PORTS || !lostAPort()) {
                        throw e;
                    }
                    ports = Ports.free(ports.length);
                }
            }
        } catch (RuntimeException e) {
            end();
            throw e;
        }
    }

    private boolean lostAPort() {
        return log().toLowerCase(Locale.ROOT).contains("address already in use");
    }

    private void launch() {
        Child started = Child.start(account.command(command()), Map.of(), folder, log);
        child = started;
        long begun = System.nanoTime();
        while (true) {
            Exception refused;
            try {
                ask();
                return;
            } catch (Exception e) {
                refused = e;
            }
            if (!started.isAlive()) {
                throw failed("ended with " + started.exitCode() + " before it answered", refused);
            }
            if (System.nanoTime() - begun > LONGEST_START.toNanos()) {
                started.kill();
                throw failed("did not answer within " + LONGEST_START, refused);
            }
            Child.pause(BETWEEN_REQUESTS);
        }
    }

    private ServerException failed(String what, @Nullable Exception cause) {
        String said = log();
        String shown = said.length() > LOG_SHOWN ? "[...]" + said.substring(said.length() - LOG_SHOWN) : said;
        String message = name + " " + what + "; its log:\n" + shown;
        return cause == null ? new ServerException(message) : new ServerException(message, cause);
    }

    /** Runs a program to its end, as the server's user and in its folder. */
    final void run(List<String> command, Map<String, String> environment) {
        Child tool = Child.start(account.command(command), environment, folder, log);
        if (!tool.awaitEnd(LONGEST_TOOL)) {
            tool.kill();
            throw failed("waited " + LONGEST_TOOL + " for " + command, null);
        }
        if (tool.exitCode() != 0) {
            throw failed(command + " ended with " + tool.exitCode(), null);
        }
    }

    /** A folder of that user, which is gone when the JVM is. */
    static Path newFolder(Account account, String folderName) {
        Path created = Warden.ofThisJvm().newFolder(folderName);
        account.own(created);
        return created;
    }

    /** A file that the server may read, and nobody else. */
    final Path write(String fileName, String content) {
        try {
            Path file = Files.writeString(folder.resolve(fileName), content);
            Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
            account.own(file);
            return file;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Stops all its processes where they are, as a host that hangs would: connections stay, nothing answers. */
    public final synchronized void freeze() {
        running("freeze").freeze();
    }

    /** Lets it go on after {@link #freeze}. Idempotent. */
    public final synchronized void thaw() {
        running("thaw").thaw();
    }

    /** SIGKILL to all its processes, frozen or not. Its data stays: {@link #restart} recovers it. Idempotent. */
    public final synchronized void kill() {
        own("kill");
        if (child != null) {
            child.kill();
        }
    }

    /** An ordered shutdown; SIGKILL if that takes longer than 20 s. Thaws it first. Idempotent. */
    public final synchronized void stop() {
        own("stop");
        if (child != null && child.isAlive()) {
            child.end(endingSignal(), longestStop());
        }
    }

    /**
     * Starts it on the same port and data, after {@link #stop} if it runs; returns when it answers.
     *
     * @throws ServerException if it does not
     */
    public final synchronized void restart() {
        stop();
        launch();
    }

    /** Kills it and removes all that it wrote. Idempotent. */
    @Override
    public final synchronized void close() {
        if (!closed) {
            own("close");
            end();
        }
    }

    /** From here on it belongs to all tests of this JVM, and refuses what would take it away from the others. */
    final synchronized void share() {
        shared = true;
    }

    private void own(String wish) {
        if (shared) {
            throw new IllegalStateException("this " + name + " is shared: to " + wish + " one, start one of your own");
        }
        if (closed) {
            throw new IllegalStateException("this " + name + " is closed");
        }
    }

    private Child running(String wish) {
        own(wish);
        if (child == null || !child.isAlive()) {
            throw new IllegalStateException("this " + name + " does not run");
        }
        return child;
    }

    private void end() {
        closed = true;
        if (child != null) {
            child.kill();
        }
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(file);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public String toString() {
        return name + " on " + host() + ":" + port();
    }
}
