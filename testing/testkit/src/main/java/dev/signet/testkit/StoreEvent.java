package dev.signet.testkit;

import dev.signet.Role;
import java.util.List;
import java.util.Locale;

/**
 * What a contender did or was told, as a line of a history. What a line has no use for is 0 or "-". Immutable.
 *
 * @param sentNanos when the request was sent, on a clock that all contenders share
 * @param answeredNanos when its answer was there
 * @param session of the contender, by a name that is no secret: that of its candidate
 * @param term of a grant or of the request for one
 * @param number the lease or window in nanoseconds, or the token of a grant
 * @param version the record's, after that
 */
record StoreEvent(
        Kind kind,
        long sentNanos,
        long answeredNanos,
        String session,
        Role role,
        long attempt,
        String term,
        long number,
        long version) {

    /** Of what is not about a role. */
    static final Role NONE = Role.of("-");

    enum Kind {
        /** A session is open, or lasts a full lease anew. */
        RENEWED,
        /** The session is told to be gone. */
        GONE,
        /** About to ask for its end. */
        CLOSING,
        /** About to ask for a role. */
        ASKING,
        GRANTED,
        /** The first and only answer to an attempt was no. */
        REFUSED,
        /** About to give a role back. */
        RELEASING,
        /** The role is kept for the candidate named by {@code term}. */
        RESERVED,
        /** A contender saw that a promise was broken; {@code term} says which. */
        VIOLATION
    }

    String line() {
        return String.join(
                " ",
                List.of(
                        kind.toString().toLowerCase(Locale.ROOT),
                        Long.toString(sentNanos),
                        Long.toString(answeredNanos),
                        session,
                        role.name(),
                        Long.toString(attempt),
                        term.replace(' ', '_'),
                        Long.toString(number),
                        Long.toString(version)));
    }

    static StoreEvent of(String line) {
        String[] words = line.split(" ", -1);
        return new StoreEvent(
                Kind.valueOf(words[0].toUpperCase(Locale.ROOT)),
                Long.parseLong(words[1]),
                Long.parseLong(words[2]),
                words[3],
                Role.of(words[4]),
                Long.parseLong(words[5]),
                words[6],
                Long.parseLong(words[7]),
                Long.parseLong(words[8]));
    }
}
