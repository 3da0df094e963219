package dev.signet.store.etcd;

import dev.signet.store.RoleView;
import io.grpc.Deadline;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * How long leases last, for whoever looks at roles: etcd says it in whole seconds, rounded down. It is asked once for each lease. What
 * it does not say in time stays open: that is no reason to show nothing. Thread-safe.
 */
final class Remaining {

    private static final int MOST_LEASES = 200;
    private static final long LONGEST_MILLIS = 1_000;

    private final Members members;

    Remaining(Members members) {
        this.members = members;
    }

    /**
     * What is seen of a role, and what ends it.
     *
     * @param holder the lease of the session that holds it, while that lives
     * @param kept the lease on which it is kept for somebody
     */
    record Timed(RoleView view, Optional<Long> holder, Optional<Long> kept) {

        private Stream<Long> leases() {
            return Stream.concat(holder.stream(), kept.stream());
        }

        private RoleView with(Map<Long, Duration> remaining) {
            return new RoleView(
                    view.role(),
                    view.version(),
                    view.lastToken(),
                    view.holder(),
                    view.claimable(),
                    holder.map(remaining::get),
                    view.reservation()
                            .map(whole -> new RoleView.Reservation(
                                    whole.target(),
                                    kept.map(remaining::get)
                                            .filter(rest -> rest.compareTo(whole.remaining()) < 0)
                                            .orElse(whole.remaining()))));
        }
    }

    CompletableFuture<List<RoleView>> of(List<Timed> all, Deadline deadline) {
        Set<Long> leases = all.stream()
                .flatMap(Timed::leases)
                .distinct()
                .limit(MOST_LEASES)
                .collect(Collectors.toSet());
        Map<Long, Duration> remaining = new ConcurrentHashMap<>();
        // as long again must be left for the answer
        Deadline soon = Deadline.after(
                Math.min(LONGEST_MILLIS, deadline.timeRemaining(TimeUnit.MILLISECONDS) / 2), TimeUnit.MILLISECONDS);
        CompletableFuture<?>[] asked = leases.stream()
                .map(lease -> members.timeToLive(lease, soon)
                        .thenAccept(seconds -> remaining.put(lease, Duration.ofSeconds(Math.max(0, seconds))))
                        .exceptionally(fault -> null))
                .toArray(CompletableFuture<?>[]::new);
        return CompletableFuture.allOf(asked)
                .thenApply(
                        done -> all.stream().map(each -> each.with(remaining)).toList());
    }
}
