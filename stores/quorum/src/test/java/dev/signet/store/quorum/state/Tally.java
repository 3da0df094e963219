package dev.signet.store.quorum.state;

import java.util.Map;
import java.util.TreeMap;

/** How often each thing happened: a history in which it did not says nothing of it. */
final class Tally {

    private final Map<String, Integer> counts = new TreeMap<>();

    void count(String what) {
        counts.merge(what, 1, Integer::sum);
    }

    int of(String what) {
        return counts.getOrDefault(what, 0);
    }

    @Override
    public String toString() {
        return counts.toString();
    }
}
