package dev.signet.servers;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Sees to it that no server outlives this JVM, not even one that is killed: a shell beside it that waits for the end of a pipe whose
 * other end only the JVM holds. An exit in good order waits until the shell has done its work.
 */
final class Warden {

    private static final int LONGEST_EXIT_SECONDS = 20;

    private final Path folder;
    private final OutputStream watched;
    private final Process shell;
    private final AtomicInteger folders = new AtomicInteger();

    private Warden() {
        try (InputStream script = Objects.requireNonNull(Warden.class.getResourceAsStream("warden.sh"))) {
            folder = Files.createTempDirectory("signet-servers-");
            // the servers run as other users, and have to pass through
            Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwx--x--x"));
            shell = new ProcessBuilder(
                            Programs.find("setsid", "util-linux", List.of()),
                            "sh",
                            "-c",
                            new String(script.readAllBytes(), UTF_8),
                            "signet-servers-warden",
                            folder.toString())
                    .directory(folder.getRoot().toFile())
                    .redirectOutput(Redirect.DISCARD)
                    .redirectError(Redirect.DISCARD)
                    .start();
            watched = shell.getOutputStream();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        Runtime.getRuntime().addShutdownHook(new Thread(this::dismiss, "end of test servers"));
    }

    static Warden ofThisJvm() {
        return Holder.WARDEN;
    }

    /** A new, empty folder, which is gone when the JVM is. */
    Path newFolder(String name) {
        try {
            return Files.createDirectory(
                    folder.resolve(name + "-" + folders.incrementAndGet()),
                    PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** From here on the process and its descendants end with this JVM. */
    synchronized void watch(Process process) throws IOException {
        String line = process.pid() + " " + ProcessState.of(process.toHandle()).startTicks() + "\n";
        watched.write(line.getBytes(UTF_8));
        watched.flush();
    }

    private void dismiss() {
        try {
            watched.close();
            shell.waitFor(LONGEST_EXIT_SECONDS, TimeUnit.SECONDS);
        } catch (IOException e) {
            shell.destroyForcibly();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static final class Holder {
        static final Warden WARDEN = new Warden();
    }
}
