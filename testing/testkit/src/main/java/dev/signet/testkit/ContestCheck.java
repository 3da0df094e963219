package dev.signet.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.signet.Role;
import dev.signet.testkit.StoreEvent.Kind;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Judges what contenders wrote down, of one process or of several. It needs no order of requests but that of the versions
 * of each role's record, and compares times only where a lease says that one must lie so far from the other.
 *
 * <p>A grant is known to have ended before the next where its session had asked for that, or where a whole lease had passed
 * since it was last known to be renewed. So it accuses no store that is right; what it finds is broken.
 */
final class ContestCheck {

    private final List<StoreEvent> events;
    private final Map<String, List<StoreEvent>> ofSession;

    private ContestCheck(List<StoreEvent> events) {
        this.events = events;
        this.ofSession = events.stream().collect(Collectors.groupingBy(StoreEvent::session));
    }

    /** @return how many grants there were */
    static int check(List<StoreEvent> events) {
        ContestCheck check = new ContestCheck(events);
        assertThat(events.stream().filter(event -> event.kind() == Kind.VIOLATION))
                .as("what contenders saw broken")
                .isEmpty();
        check.eachTermIsOneGrant();
        check.nobodyReturnsFromTheDead();
        int grants = 0;
        for (Role role : check.of(Kind.GRANTED).map(StoreEvent::role).collect(Collectors.toSet())) {
            grants += check.tokensAndTerms(role);
        }
        return grants;
    }

    private Stream<StoreEvent> of(Kind kind) {
        return events.stream().filter(event -> event.kind() == kind);
    }

    private Stream<StoreEvent> of(Kind kind, String session) {
        return ofSession.getOrDefault(session, List.of()).stream().filter(event -> event.kind() == kind);
    }

    private void eachTermIsOneGrant() {
        Map<String, StoreEvent> byTerm = new HashMap<>();
        of(Kind.GRANTED).forEach(grant -> {
            StoreEvent other = byTerm.putIfAbsent(grant.term(), grant);
            assertThat(other == null || isSame(other, grant))
                    .as("one term, two grants: %s, %s", other, grant)
                    .isTrue();
        });
    }

    private static boolean isSame(StoreEvent left, StoreEvent right) {
        return left.session().equals(right.session())
                && left.role().equals(right.role())
                && left.number() == right.number();
    }

    private void nobodyReturnsFromTheDead() {
        of(Kind.GONE)
                .forEach(gone -> assertThat(ofSession.getOrDefault(gone.session(), List.of()).stream()
                                .filter(event -> event.kind() == Kind.GRANTED || event.kind() == Kind.RENEWED)
                                .filter(event -> event.sentNanos() > gone.answeredNanos()))
                        .as("after it was told that its session is gone")
                        .isEmpty());
    }

    private int tokensAndTerms(Role role) {
        List<StoreEvent> grants = of(Kind.GRANTED)
                .filter(event -> event.role().equals(role))
                .sorted(Comparator.comparingLong(StoreEvent::version))
                .toList();
        long missing = grants.get(0).number() - 1;
        for (int i = 1; i < grants.size(); i++) {
            StoreEvent former = grants.get(i - 1);
            StoreEvent next = grants.get(i);
            if (isSame(former, next)) {
                continue;
            }
            assertThat(next.version()).as("versions of %s, %s", former, next).isGreaterThan(former.version());
            assertThat(next.number()).as("tokens of %s, %s", former, next).isGreaterThan(former.number());
            missing += next.number() - former.number() - 1;
            assertThat(hasEnded(former, next))
                    .as("terms overlap: %s, %s", former, next)
                    .isTrue();
            reservation(former, next)
                    .ifPresent(kept -> assertThat(mayPassBy(kept, next))
                            .as("granted past a reservation: %s, %s", kept, next)
                            .isTrue());
        }
        assertThat(missing)
                .as("tokens of %s that no contender was told of, and the attempts that nobody knows the end of", role)
                .isLessThanOrEqualTo(neverAnswered(role));
        return grants.size();
    }

    /** Attempts that may have been granted without their contender ever hearing of it. */
    private long neverAnswered(Role role) {
        Set<String> asked = new HashSet<>();
        events.stream().filter(event -> event.role().equals(role)).forEach(event -> {
            String attempt = event.session() + " " + event.attempt();
            switch (event.kind()) {
                case ASKING -> asked.add(attempt);
                case GRANTED, REFUSED -> asked.remove(attempt);
                default -> {}
            }
        });
        return asked.size();
    }

    private boolean hasEnded(StoreEvent former, StoreEvent next) {
        if (former.session().equals(next.session())) {
            return next.attempt() > former.attempt();
        }
        boolean released = of(Kind.RELEASING, former.session())
                .filter(event -> event.role().equals(former.role()) && event.attempt() >= former.attempt())
                .anyMatch(event -> event.sentNanos() <= next.answeredNanos());
        return released || isOver(former.session(), next);
    }

    /** Closed, or a lease after the last renewal that is known to have succeeded, with none that succeeded later. */
    private boolean isOver(String session, StoreEvent next) {
        boolean closed = of(Kind.CLOSING, session).anyMatch(event -> event.sentNanos() <= next.answeredNanos());
        List<StoreEvent> renewals = new ArrayList<>(of(Kind.RENEWED, session).toList());
        boolean later = renewals.stream().anyMatch(event -> event.sentNanos() > next.answeredNanos());
        boolean expired = renewals.stream()
                .filter(event -> event.sentNanos() <= next.answeredNanos())
                .allMatch(event -> hasPassed(event.number(), event.sentNanos(), next.answeredNanos()));
        return closed || (expired && !later);
    }

    /** Within 5 %, by which the clock of a store may run off. */
    private static boolean hasPassed(long durationNanos, long sinceNanos, long nowNanos) {
        return nowNanos - sinceNanos >= durationNanos / 100 * 95;
    }

    /** A grant in between, whose answer was lost, may have used the reservation up. */
    private Optional<StoreEvent> reservation(StoreEvent former, StoreEvent next) {
        return of(Kind.RESERVED, former.session())
                .filter(event -> next.number() == former.number() + 1)
                .filter(event -> event.role().equals(former.role()) && event.attempt() == former.attempt())
                .filter(event -> event.version() > former.version() && event.version() < next.version())
                .max(Comparator.comparingLong(StoreEvent::version));
    }

    private boolean mayPassBy(StoreEvent kept, StoreEvent next) {
        return kept.term().equals(next.session())
                || hasPassed(kept.number(), kept.sentNanos(), next.answeredNanos())
                || isOver(kept.term(), next);
    }
}
