package dev.signet.store.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

class LeftoversTest {

    private final ManualClock clock = new ManualClock("here");
    private final Leases leases = new Leases();
    private final Leftovers leftovers = new Leftovers();
    private final Map<Long, Lease> sessions = Map.of(
            7L, leases.now(LeaseClock.of(clock)).begin(Duration.ofSeconds(15).toNanos()));

    @Test
    void aSessionIsLeftOverAnHourAfterItWasSeenToHaveEnded() {
        assertThat(leftovers.among(sessions, leases.now(LeaseClock.of(clock)))).isEmpty();
        clock.pass(Duration.ofMinutes(1));
        assertThat(leftovers.among(sessions, leases.now(LeaseClock.of(clock)))).isEmpty();
        clock.pass(Duration.ofMinutes(61));
        assertThat(leftovers.among(sessions, leases.now(LeaseClock.of(clock)))).containsExactly(7L);
    }

    @Test
    void afterANightInSuspensionNothingIsLeftOverYet() {
        assertThat(leftovers.among(sessions, leases.now(LeaseClock.of(clock)))).isEmpty();
        clock.pass(Duration.ofHours(8));
        assertThat(leftovers.among(sessions, leases.now(LeaseClock.of(clock)))).isEmpty();
    }

    @Test
    void aSessionThatWasRenewedCountsFromItsNextEnd() {
        clock.pass(Duration.ofMinutes(1));
        leftovers.among(sessions, leases.now(LeaseClock.of(clock)));
        Map<Long, Lease> renewed = Map.of(
                7L,
                leases.now(LeaseClock.of(clock)).begin(Duration.ofSeconds(15).toNanos()));
        assertThat(leftovers.among(renewed, leases.now(LeaseClock.of(clock)))).isEmpty();
        clock.pass(Duration.ofMinutes(61));
        assertThat(leftovers.among(renewed, leases.now(LeaseClock.of(clock)))).isEmpty();
    }
}
