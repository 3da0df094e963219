package dev.signet.app.control;

import dev.signet.Answer;
import dev.signet.store.Concluded;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;

/** What goes over a socket: some lines, and an empty one, which tells a whole message from the beginning of one. */
final class Message {

    /** Of which a request of names of the longest kind takes half. */
    static final int LARGEST = 1024;

    /** Said at once when a request is taken on, so that whoever waits for what comes of it knows that somebody is there. */
    static final String TAKEN = "taken";

    private static final String DONE = "done";
    private static final String REFUSED = "refused";
    private static final String UNKNOWN = "unknown";

    private Message() {}

    static ByteBuffer of(List<String> lines) {
        String text = String.join("\n", lines) + "\n\n";
        return ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
    }

    /** The lines of the first whole message in what was read. */
    static Optional<List<String>> read(ByteBuffer read) {
        String text = StandardCharsets.UTF_8.decode(read.duplicate().flip()).toString();
        int end = text.indexOf("\n\n");
        return end < 0
                ? Optional.empty()
                : Optional.of(text.substring(0, end).lines().toList());
    }

    static List<String> lines(Answer<Concluded, String> answer) {
        return answer.<List<String>>fold(
                done -> List.of(DONE),
                why -> List.of(REFUSED, oneLine(why)),
                unknown -> List.of(UNKNOWN, oneLine(unknown.cause())));
    }

    static Answer<Concluded, String> answer(List<String> lines) {
        String why = lines.size() > 1 ? lines.get(1) : "it did not say why";
        return switch (lines.isEmpty() ? "" : lines.get(0)) {
            case DONE -> Answer.done(Concluded.CONCLUDED);
            case REFUSED -> Answer.refused(why);
            case UNKNOWN -> Answer.unknown(why);
            default -> Answer.unknown("it answered in words that this version of signet does not know");
        };
    }

    private static String oneLine(String text) {
        String line = text.replaceAll("\\s*\\R\\s*", "; ");
        return line.length() > LARGEST / 4 ? line.substring(0, LARGEST / 4) : line;
    }
}
