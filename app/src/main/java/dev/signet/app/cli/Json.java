package dev.signet.app.cli;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.io.PrintStream;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.Optional;

/**
 * Writes one JSON value per line: maps, iterables, texts, numbers, truth values; an empty {@link Optional} as null. Fields are
 * named one by one where they are put, so that renaming a Java field cannot rename one that scripts read. The class is loaded
 * only where JSON was asked for.
 */
final class Json {

    private static final JsonFactory FACTORY = new JsonFactory();

    private Json() {}

    static void print(PrintStream out, Object value) {
        StringWriter text = new StringWriter();
        try (JsonGenerator generator = FACTORY.createGenerator(text)) {
            write(generator, value);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        out.println(text);
    }

    private static void write(JsonGenerator generator, Object value) throws IOException {
        if (value instanceof Map<?, ?> fields) {
            generator.writeStartObject();
            for (Map.Entry<?, ?> field : fields.entrySet()) {
                generator.writeFieldName(String.valueOf(field.getKey()));
                write(generator, field.getValue());
            }
            generator.writeEndObject();
        } else if (value instanceof Iterable<?> elements) {
            generator.writeStartArray();
            for (Object element : elements) {
                write(generator, element);
            }
            generator.writeEndArray();
        } else if (value instanceof Optional<?> optional) {
            if (optional.isPresent()) {
                write(generator, optional.get());
            } else {
                generator.writeNull();
            }
        } else if (value instanceof Boolean truth) {
            generator.writeBoolean(truth);
        } else if (value instanceof Number number) {
            generator.writeNumber(number.longValue());
        } else {
            generator.writeString(String.valueOf(value));
        }
    }
}
