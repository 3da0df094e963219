package dev.signet.store.quorum.voter;

import dev.signet.StoreId;
import dev.signet.store.quorum.state.Command;
import dev.signet.store.quorum.state.Ledger;
import dev.signet.store.quorum.state.LiveSession;
import dev.signet.store.quorum.state.Reply;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Ends what is past its deadline while this voter leads: by a command that carries the Raft term in which that was decided. Called
 * every {@link #INTERVAL} by one thread.
 *
 * <p>If it was called much later than that, this process was away, and renewals that were sent in time may wait unread: everything
 * is postponed by as much before anybody is judged.
 */
final class Sweep implements Runnable {

    static final Duration INTERVAL = Duration.ofMillis(100);

    private static final long AWAY_NANOS = Duration.ofSeconds(1).toNanos();

    private final ReplicatedLedger ledger;
    private final Function<Command, CompletableFuture<Reply>> log;
    private final LongSupplier nanos;
    private long lastNanos;

    Sweep(ReplicatedLedger ledger, Function<Command, CompletableFuture<Reply>> log, LongSupplier nanos) {
        this.ledger = ledger;
        this.log = log;
        this.nanos = nanos;
        this.lastNanos = nanos.getAsLong();
    }

    @Override
    public void run() {
        long now = nanos.getAsLong();
        long late = now - lastNanos - INTERVAL.toNanos();
        lastNanos = now;
        ledger.raftTerm().ifPresent(term -> {
            sweep(term, now, late > AWAY_NANOS ? late : 0);
            makeStore();
        });
    }

    /** The first leader of all does; the first id in the log stays. */
    private void makeStore() {
        if (ledger.read(Ledger::storeId).isEmpty()) {
            var unused = log.apply(new Command.Found(StoreId.random()));
        }
    }

    private record Due(List<LiveSession> sessions, List<ReservationKey> reservations) {}

    /** @param now before anything that may take long: were it later, nobody would have counted the time between */
    private void sweep(long raftTerm, long now, long late) {
        Due due = ledger.asLeader(raftTerm, led -> {
                    led.clock().postpone(late);
                    return new Due(
                            led.clock().sessions().takeDue(now).stream()
                                    .flatMap(key -> led.ledger().session(key.namespace(), key.session()).stream())
                                    .toList(),
                            led.clock().reservations().takeDue(now));
                })
                .orElse(new Due(List.of(), List.of()));
        due.sessions().forEach(session -> {
            SessionKey key = new SessionKey(session.namespace(), session.session());
            var unused = log.apply(new Command.Expire(key.namespace(), key.session(), session.openings(), raftTerm))
                    .whenComplete((reply, fault) -> settle(raftTerm, fault, LeaderClock::sessions, key));
        });
        due.reservations().forEach(key -> {
            var unused = log.apply(new Command.Lapse(key.namespace(), key.role(), key.reservation(), raftTerm))
                    .whenComplete((reply, fault) -> settle(raftTerm, fault, LeaderClock::reservations, key));
        });
    }

    /** What nobody knows the outcome of stays asked for, and is asked for again after a while. */
    private <K> void settle(
            long raftTerm, @Nullable Throwable fault, Function<LeaderClock, Deadlines<K>> deadlines, K key) {
        if (fault instanceof NotProposed) {
            var unused = ledger.asLeader(raftTerm, led -> {
                deadlines.apply(led.clock()).askAgain(key);
                return key;
            });
        }
    }
}
