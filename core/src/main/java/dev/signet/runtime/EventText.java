package dev.signet.runtime;

import dev.signet.observe.Event;
import java.lang.reflect.RecordComponent;
import java.util.Locale;

/** An event as a line: what happened, then {@code key=value} for each of its fields. */
final class EventText {

    private EventText() {}

    static String of(Event event) {
        StringBuilder line = new StringBuilder(words(event.getClass().getSimpleName()));
        for (RecordComponent component : event.getClass().getRecordComponents()) {
            line.append(' ').append(component.getName()).append('=').append(value(event, component));
        }
        return line.toString();
    }

    private static String words(String name) {
        return name.replaceAll("(?<=[a-z])(?=[A-Z])", " ").toLowerCase(Locale.ROOT);
    }

    private static String value(Event event, RecordComponent component) {
        try {
            String text = String.valueOf(component.getAccessor().invoke(event));
            return text.indexOf(' ') < 0 ? text : '"' + text.replace('"', '\'') + '"';
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("a public record's accessors can be called", e);
        }
    }
}
