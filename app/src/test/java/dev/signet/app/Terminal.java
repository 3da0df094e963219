package dev.signet.app;

import static org.assertj.core.api.Assertions.assertThat;

import dev.signet.app.cli.Surroundings;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Types a command line in this JVM, in surroundings of its own: a folder that is working directory and home, no variables. */
public final class Terminal {

    private final Path folder;
    private final Map<String, String> env = new HashMap<>();
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    private Terminal(Path folder) {
        this.folder = folder;
    }

    public static Terminal in(Path folder) {
        return new Terminal(folder);
    }

    public Terminal with(String variable, String value) {
        env.put(variable, value);
        return this;
    }

    public Path folder() {
        return folder;
    }

    public Typed type(String... arguments) {
        out.reset();
        err.reset();
        Surroundings surroundings = new Surroundings(stream(out), stream(err), Map.copyOf(env), folder, folder);
        int code = Main.run(surroundings, arguments);
        return new Typed(code, written(), err.toString(StandardCharsets.UTF_8));
    }

    /** What the running or last command has written to stdout so far. */
    public String written() {
        return out.toString(StandardCharsets.UTF_8);
    }

    private static PrintStream stream(ByteArrayOutputStream bytes) {
        return new PrintStream(bytes, true, StandardCharsets.UTF_8);
    }

    /** What came of it. */
    public record Typed(int code, String out, String err) {

        public List<String> errLines() {
            return err.lines().toList();
        }

        /** One line says what is wrong, and shows no password. */
        public void assertRefused(int code, String... told) {
            assertThat(code()).as(err).isEqualTo(code);
            assertThat(out).isEmpty();
            assertThat(errLines())
                    .singleElement()
                    .asString()
                    .startsWith("signet: ")
                    .contains(told)
                    .doesNotContain(Ada.PASSWORD)
                    .doesNotContain("Exception");
        }
    }
}
