package dev.signet.app.child;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * What this host has of what a guard needs.
 *
 * @param shell a POSIX shell
 * @param setsid starts a command in a session of its own (util-linux, busybox)
 */
record GuardHost(Path shell, Path setsid) {
    /** Either a host that can have a guard, or the sentence that says what is missing and what that means. */
    record Found(Optional<GuardHost> host, Optional<String> lacking) {}

    static Found look() {
        Optional<Path> shell = program("sh");
        Optional<Path> setsid = program("setsid");
        // both are needed: the boot clock, and the open files of the guard's processes
        boolean proc = Files.isReadable(Path.of("/proc/uptime")) && Files.isDirectory(Path.of("/proc/self/fd"));
        if (proc && shell.isPresent() && setsid.isPresent()) {
            return new Found(Optional.of(new GuardHost(shell.get(), setsid.get())), Optional.empty());
        }
        String missing = !proc ? "/proc" : shell.isEmpty() ? "sh" : "setsid";
        return new Found(
                Optional.empty(),
                Optional.of("this host has no " + missing
                        + ", so there is no guard process: the command runs on if signet is stopped or killed, and only its direct"
                        + " descendants are ended with it; rely on the fence alone"));
    }

    /** What starts a guard that looks at the clock so often. */
    ProcessBuilder guard(Duration pollInterval) {
        String seconds = pollInterval.toMillis() / 1000 + "." + String.format("%03d", pollInterval.toMillis() % 1000);
        // by the environment, so that neither a file nor a page of script in `ps` is left lying about
        ProcessBuilder builder = new ProcessBuilder(
                setsid.toString(), shell.toString(), "-c", "eval \"$script\"", "signet-guard", seconds);
        Map<String, String> environment = builder.environment();
        String path = environment.getOrDefault("PATH", "");
        environment.clear();
        environment.put("PATH", "/usr/bin:/bin:" + path);
        environment.put("LC_ALL", "C");
        environment.put("script", GuardProcess.script("guard.sh"));
        return builder.directory(Path.of("/").toFile()).redirectError(ProcessBuilder.Redirect.INHERIT);
    }

    private static Optional<Path> program(String name) {
        String path = System.getenv("PATH");
        return Stream.concat(
                        List.of("/usr/bin", "/bin").stream(),
                        path == null ? Stream.of() : Stream.of(path.split(":", -1)))
                .filter(folder -> folder.startsWith("/"))
                .map(folder -> Path.of(folder, name))
                .filter(Files::isExecutable)
                .findFirst();
    }
}
