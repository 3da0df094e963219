package dev.signet.app.cli;

import java.io.PrintStream;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** What a command prints: for people, or with {@code --json} for programs. */
public final class Output {

    private final Surroundings surroundings;
    private final Option<Boolean> json;

    private Output(Surroundings surroundings, Option<Boolean> json) {
        this.surroundings = surroundings;
        this.json = json;
    }

    public static Output in(Options options) {
        return new Output(
                options.surroundings(),
                options.flag("--json", "Print JSON, one value a line; the fields are on the reference page."));
    }

    public boolean isJson() {
        return json.value();
    }

    /** @param fields in the order in which they are to be printed */
    public void print(Supplier<? extends Map<String, ?>> fields, Consumer<PrintStream> text) {
        if (isJson()) {
            Json.print(surroundings.out(), fields.get());
        } else {
            text.accept(surroundings.out());
        }
        if (surroundings.out().checkError()) {
            throw new CommandFailedException(ExitCode.FAILED, "cannot write to stdout");
        }
    }
}
