package dev.signet.store.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class LeasesTest {

    private static final Duration SPAN = Duration.ofSeconds(15);
    private static final Duration TICK = Duration.ofMillis(10);

    private final ManualClock clock = new ManualClock("here");
    private final Leases leases = new Leases(clock);

    @Test
    void aLeaseEndsByItsClockRoundedUpNeverDown() {
        Lease lease = leases.now().begin("x", SPAN.toNanos());

        clock.pass(SPAN);
        assertThat(leases.now().hasEnded(lease)).isFalse();
        clock.pass(TICK);
        assertThat(leases.now().hasEnded(lease)).isTrue();
    }

    @Test
    void aLeaseOfAnotherBootEndsOnceItWasSeenUnchangedForItsWholeLength() {
        ManualClock other = new ManualClock("there");
        Lease lease = new Leases(other).now().begin("x", SPAN.toNanos());
        clock.pass(SPAN.multipliedBy(9));

        assertThat(leases.now().hasEnded(lease)).isFalse();
        clock.pass(SPAN);
        assertThat(leases.now().hasEnded(lease)).isFalse();
        clock.pass(TICK);
        assertThat(leases.now().hasEnded(lease)).isTrue();
    }

    @Test
    void aLeaseOfAnotherBootThatWasRenewedBeginsAnew() {
        ManualClock other = new ManualClock("there");
        Leases others = new Leases(other);
        Lease first = others.now().begin("renewal 1", SPAN.toNanos());
        leases.now().hasEnded(first);
        clock.pass(SPAN);
        // its clock stands still, so only the stamp tells that it was renewed
        Lease second = others.now().begin("renewal 2", SPAN.toNanos());

        assertThat(leases.now().remainingNanos(second)).isGreaterThanOrEqualTo(SPAN.toNanos());
    }

    @Test
    void aLeaseThatEndsLaterThanItsSpanFromNowIsOfAnotherClockWhateverItsBootId() {
        ManualClock ahead = new ManualClock("here");
        ahead.pass(Duration.ofDays(3));
        Lease lease = new Leases(ahead).now().begin("x", SPAN.toNanos());

        assertThat(leases.now().hasEnded(lease)).isFalse();
        clock.pass(SPAN.plus(TICK));
        assertThat(leases.now().hasEnded(lease)).isTrue();
    }

    @Test
    void onlySoManyLeasesOfOtherBootsAreKeptInMind() {
        Lease first = new Lease("first", SPAN.toNanos(), "there", 0);
        leases.now().hasEnded(first);
        for (int i = 0; i < 20_000; i++) {
            leases.now().hasEnded(new Lease("lease " + i, SPAN.toNanos(), "there", 0));
        }
        clock.pass(SPAN.plus(TICK));

        assertThat(leases.now().hasEnded(first))
                .as("seen anew, so late and not early")
                .isFalse();
    }
}
