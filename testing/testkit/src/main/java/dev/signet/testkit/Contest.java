package dev.signet.testkit;

import dev.signet.CandidateId;
import dev.signet.Role;
import dev.signet.store.Store;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/** {@linkplain Contender Contenders} on one store, each on a thread and a client of its own, and what they write down. */
final class Contest {

    private final List<Role> roles;
    private final Duration lease;
    private final Duration timeout;
    private final LongSupplier clock;
    private final Consumer<StoreEvent> history;
    private final Map<String, CandidateId> present = new ConcurrentHashMap<>();
    private final ConcurrentLinkedQueue<Throwable> faults = new ConcurrentLinkedQueue<>();
    private volatile boolean over;

    /**
     * @param clock that the leases are about, and that all whose histories are put together share
     * @param history told by many threads at a time
     */
    Contest(List<Role> roles, Duration lease, Duration timeout, LongSupplier clock, Consumer<StoreEvent> history) {
        this.roles = roles;
        this.lease = lease;
        this.timeout = timeout;
        this.clock = clock;
        this.history = history;
    }

    /**
     * Runs until {@code goesOn} is false, or a contender fails, which is thrown.
     *
     * @param meanwhile done again and again by the calling thread, and to take a moment each time
     */
    void run(int contenders, Supplier<Store> client, long seed, BooleanSupplier goesOn, Runnable meanwhile)
            throws InterruptedException {
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < contenders; i++) {
            Store store = client.get();
            String name = "contender-" + seed + "-" + i;
            long itsSeed = seed * 1_000 + i;
            threads.add(new Thread(() -> contend(store, name, itsSeed), name));
        }
        threads.forEach(Thread::start);
        while (threads.stream().anyMatch(Thread::isAlive)) {
            meanwhile.run();
            over = !goesOn.getAsBoolean() || !faults.isEmpty();
        }
        for (Thread thread : threads) {
            thread.join();
        }
        Optional.ofNullable(faults.peek()).ifPresent(fault -> {
            throw new AssertionError("a contender of seed " + seed + " failed: " + fault, fault);
        });
    }

    private void contend(Store store, String name, long seed) {
        try {
            Contender contender = new Contender(store, name, this, seed);
            while (!over) {
                contender.step();
            }
        } catch (RuntimeException | AssertionError fault) {
            faults.add(fault);
        }
    }

    List<Role> roles() {
        return roles;
    }

    Duration lease() {
        return lease;
    }

    Duration timeout() {
        return timeout;
    }

    long nanos() {
        return clock.getAsLong();
    }

    void tell(StoreEvent event) {
        history.accept(event);
    }

    void join(CandidateId candidate) {
        present.put(candidate.name(), candidate);
    }

    CandidateId anybody(Random random) {
        List<CandidateId> all = new ArrayList<>(present.values());
        return all.get(random.nextInt(all.size()));
    }

    /** Sleeps past its lease, unless the contest ends before. */
    void nap() {
        long until = nanos() + lease.toNanos() * 5 / 4;
        try {
            while (nanos() - until < 0 && !over) {
                Thread.sleep(2);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted", e);
        }
    }
}
