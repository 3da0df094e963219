package dev.signet.simulation;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** How often each thing of {@link Sometimes} was seen. Not thread-safe. */
public final class Coverage {

    private final Map<Sometimes, Long> counts = new EnumMap<>(Sometimes.class);

    void seen(Sometimes what) {
        counts.merge(what, 1L, Long::sum);
    }

    void add(Coverage other) {
        other.counts.forEach((what, count) -> counts.merge(what, count, Long::sum));
    }

    /** How often it was seen. */
    public long of(Sometimes what) {
        return counts.getOrDefault(what, 0L);
    }

    /** What was never seen: whatever the runs say of it is empty. */
    public List<Sometimes> missing() {
        List<Sometimes> missing = new ArrayList<>(List.of(Sometimes.values()));
        missing.removeAll(counts.keySet());
        return missing;
    }
}
