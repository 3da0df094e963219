package dev.signet.testkit;

import dev.signet.Role;
import dev.signet.store.Store;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/**
 * Contenders on a store in real time, for as long as a test likes and whatever it does to the store meanwhile: they take, renew, hand
 * over and give back a few roles at random, over a way that loses, delays and repeats requests. What they were told is then
 * held against what a store promises of tokens, terms and sessions. Immutable.
 *
 * @param clients a client for each, with connections of its own; the test closes them
 * @param lease of their sessions
 * @param seed of what they do; when they do it, the threads decide
 */
public record Crowd(Supplier<Store> clients, Duration lease, long seed) {

    private static final List<Role> ROLES =
            List.of(Role.of("ledger"), Role.of("nightly"), Role.of("billing"), Role.of("mail"));
    private static final int CONTENDERS = 6;
    private static final Duration TIMEOUT = Duration.ofSeconds(5);

    /**
     * Blocks while {@code goesOn}. A contender that has had no answer for a minute fails it.
     *
     * @param meanwhile done again and again by the calling thread; it is to take a moment each time
     * @return how many terms were granted
     * @throws AssertionError if a promise was broken
     */
    public int contend(BooleanSupplier goesOn, Runnable meanwhile) throws InterruptedException {
        ConcurrentLinkedQueue<StoreEvent> history = new ConcurrentLinkedQueue<>();
        new Contest(ROLES, lease, TIMEOUT, System::nanoTime, history::add)
                .run(CONTENDERS, clients, seed, goesOn, meanwhile);
        return ContestCheck.check(new ArrayList<>(history));
    }
}
