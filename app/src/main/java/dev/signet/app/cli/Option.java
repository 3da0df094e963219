package dev.signet.app.cli;

import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * One option of a command, declared on {@link Options}. It has its value once the command runs.
 *
 * @param <T> what its text is read as
 */
public final class Option<T> {

    private final String name;
    private final Function<List<String>, T> reading;
    private @Nullable T value;

    /** @param name as given on the command line; empty for a value that others make together */
    Option(String name, Function<List<String>, T> reading) {
        this.name = name;
        this.reading = reading;
    }

    /** @throws IllegalStateException if the command line was not read yet, or its value there is faulty */
    public T value() {
        if (value == null) {
            throw new NoValueException(name);
        }
        return value;
    }

    String name() {
        return name;
    }

    /** @throws IllegalArgumentException if the texts mean nothing to this option */
    void read(List<String> texts) {
        value = Objects.requireNonNull(reading.apply(texts));
    }

    static final class NoValueException extends IllegalStateException {

        private static final long serialVersionUID = 1L;

        NoValueException(String name) {
            super(name + " has no value yet");
        }
    }
}
