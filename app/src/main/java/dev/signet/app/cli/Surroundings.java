package dev.signet.app.cli;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;

/**
 * All that a command sees of its process, so that tests can bring their own.
 *
 * @param out for what was asked for, and for nothing else
 * @param err for everything else that is said to people
 * @param env the environment variables
 * @param cwd what relative paths start from
 * @param home the user's folder
 */
public record Surroundings(PrintStream out, PrintStream err, Map<String, String> env, Path cwd, Path home) {

    /** Those of this process. Its streams are UTF-8 whatever the locale: names are, and so is JSON. */
    public static Surroundings ofProcess() {
        Map<String, String> env = System.getenv();
        String home = env.getOrDefault("HOME", "");
        return new Surroundings(
                utf8(FileDescriptor.out),
                utf8(FileDescriptor.err),
                env,
                Path.of(System.getProperty("user.dir")),
                Path.of(home.startsWith("/") ? home : System.getProperty("user.home")));
    }

    private static PrintStream utf8(FileDescriptor descriptor) {
        return new PrintStream(new FileOutputStream(descriptor), true, StandardCharsets.UTF_8);
    }

    /** A variable's value; an empty one counts as none, as it cannot be unset everywhere. */
    public Optional<String> variable(String name) {
        return Optional.ofNullable(env.get(name)).filter(value -> !value.isEmpty());
    }

    /** One line to people, on stderr, without passwords. */
    public void say(String line) {
        err.println("signet: " + Redaction.of(line));
    }

    /** The path as a person means it: relative to the working directory, {@code ~/} for the user's folder. */
    public Path path(String text) {
        // a shell leaves the ~ of local:~/signet.db alone, and nobody wants a folder named ~
        return text.startsWith("~/")
                ? home.resolve(text.substring(2)).normalize()
                : cwd.resolve(text).normalize();
    }
}
