package dev.signet.store.jdbc;

import dev.signet.Candidate;
import dev.signet.LeadershipListener;
import dev.signet.Namespace;
import dev.signet.Protection;
import dev.signet.Role;
import dev.signet.Signet;
import dev.signet.Term;
import dev.signet.TermEnd;
import dev.signet.lease.LeaseTiming;
import dev.signet.observe.Event;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BooleanSupplier;

/** A real candidate at a store of its own, and what has befallen it. */
final class Leader implements LeadershipListener, AutoCloseable {

    static final Role ROLE = Role.of("ledger");

    /** Lease, deadline and period of a test that waits for their end. */
    static final LeaseTiming SHORT =
            new LeaseTiming(Duration.ofSeconds(3), Duration.ofSeconds(2), Duration.ofMillis(500));

    final List<Term> terms = new CopyOnWriteArrayList<>();
    final List<TermEnd> ends = new CopyOnWriteArrayList<>();
    final List<Event> events = new CopyOnWriteArrayList<>();
    private final JdbcStore store;
    private final Candidate candidate;

    private Leader(String name, String url, LeaseTiming timing) {
        store = JdbcStore.open(
                DriverDataSource.of(url),
                Namespace.DEFAULT,
                JdbcStoreOptions.defaults().withAttempt(timing.attemptTimeout()));
        candidate = Signet.candidate(name, store)
                .timing(timing)
                .observer(events::add)
                .join();
        candidate.campaign(ROLE, Protection.unfenced("a test"), this);
    }

    static Leader at(String url, String name, LeaseTiming timing) {
        return new Leader(name, url, timing);
    }

    @Override
    public void onElected(Term term) {
        terms.add(term);
    }

    @Override
    public void onDeposed(Term term, TermEnd end) {
        ends.add(end);
    }

    boolean leads() {
        return !terms.isEmpty() && term().isValid();
    }

    Term term() {
        return terms.get(terms.size() - 1);
    }

    static void await(String what, BooleanSupplier happened) {
        long begun = System.nanoTime();
        while (!happened.getAsBoolean()) {
            if (System.nanoTime() - begun > Duration.ofSeconds(60).toNanos()) {
                throw new AssertionError("not within 60 s: " + what);
            }
            sleep(Duration.ofMillis(10));
        }
    }

    static void sleep(Duration time) {
        try {
            Thread.sleep(time.toMillis());
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    @Override
    public void close() {
        candidate.close();
        store.close();
    }
}
