package dev.signet.store.quorum.voter;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * When what lasts for a while ends, as the leader of one Raft term has it, on its monotonic clock. Nothing of it is in the log: a
 * new leader gives everything its whole time anew.
 *
 * <p>The end is decided in two steps. {@link #takeDue} says what is to be ended, and from then on nothing of it is renewed; ended it
 * is when the log says so. A renewal and the decision to expire never both succeed. What the log says nothing of for a while is
 * to be ended again: to say so twice does no harm, and else it would neither end nor go on for as long as this leader leads.
 *
 * <p>Not thread-safe.
 *
 * @param <K> what names such a thing
 */
final class Deadlines<K> {

    /** What came of a renewal. */
    enum Renewal {
        RENEWED,
        /** Its end has been asked for; what comes of that is not known yet. */
        ENDING,
        UNKNOWN
    }

    /** As long as a leader may go on without a majority, and more. */
    static final Duration AGAIN = Duration.ofSeconds(5);

    private static final class Entry {

        private final long nanos;
        private long deadlineNanos;
        private boolean ending;
        private long askedNanos;

        private Entry(long nanos) {
            this.nanos = nanos;
        }

        private boolean isDue(long nowNanos) {
            return ending ? nowNanos - askedNanos >= AGAIN.toNanos() : nowNanos - deadlineNanos >= 0;
        }
    }

    private final Map<K, Entry> entries = new HashMap<>();

    /** Lasts {@code duration} from now. If its end was asked for, that came too late: the log says that it began again. */
    void begin(K key, Duration duration, long nowNanos) {
        Entry entry = new Entry(duration.toNanos());
        entry.deadlineNanos = nowNanos + entry.nanos;
        entries.put(key, entry);
    }

    void beginUnlessKnown(K key, Duration duration, long nowNanos) {
        if (!entries.containsKey(key)) {
            begin(key, duration, nowNanos);
        }
    }

    Renewal renew(K key, long nowNanos) {
        Entry entry = entries.get(key);
        if (entry == null) {
            return Renewal.UNKNOWN;
        }
        if (entry.ending) {
            return Renewal.ENDING;
        }
        entry.deadlineNanos = nowNanos + entry.nanos;
        return Renewal.RENEWED;
    }

    /** It has ended, by whatever. */
    void end(K key) {
        entries.remove(key);
    }

    /** Its end was asked for and will not be decided: it goes on, if it is renewed before it is asked for again. */
    void askAgain(K key) {
        Entry entry = entries.get(key);
        if (entry != null) {
            entry.ending = false;
        }
    }

    /** Whoever looks at the clock was away: what was to be heard meanwhile waits to be heard, so nothing has passed. */
    void postpone(long nanos) {
        entries.values().forEach(entry -> entry.deadlineNanos += nanos);
    }

    /** What is past its deadline and is to be ended now. */
    List<K> takeDue(long nowNanos) {
        List<K> due = new ArrayList<>();
        entries.forEach((key, entry) -> {
            if (entry.isDue(nowNanos)) {
                entry.ending = true;
                entry.askedNanos = nowNanos;
                due.add(key);
            }
        });
        return due;
    }

    /** How long it lasts if nothing happens; empty where it is not known. */
    Optional<Duration> remaining(K key, long nowNanos) {
        return Optional.ofNullable(entries.get(key))
                .map(entry -> Duration.ofNanos(Math.max(0, entry.deadlineNanos - nowNanos)));
    }

    int size() {
        return entries.size();
    }
}
