package dev.signet.observe;

import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;

/** Counters of a candidate. They are kept here, before the lossy queue of the observers: none is lost. Thread-safe. */
public final class Counters {

    private final Map<Counter, LongAdder> adders = new EnumMap<>(Counter.class);

    public Counters() {
        for (Counter counter : Counter.values()) {
            adders.put(counter, new LongAdder());
        }
    }

    /** How often it happened since the candidate joined. */
    public long get(Counter counter) {
        return adder(counter).sum();
    }

    public void add(Counter counter) {
        adder(counter).increment();
    }

    private LongAdder adder(Counter counter) {
        LongAdder adder = adders.get(counter);
        if (adder == null) {
            throw new IllegalStateException("no counter " + counter);
        }
        return adder;
    }
}
