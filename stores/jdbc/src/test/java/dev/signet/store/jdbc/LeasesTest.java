package dev.signet.store.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class LeasesTest {

    private static final Duration SPAN = Duration.ofSeconds(15);
    private static final Duration TICK = Duration.ofMillis(10);

    private final ManualClock clock = new ManualClock("here");
    private final Leases leases = new Leases();

    private Leases.Moment now() {
        return leases.now(LeaseClock.of(clock));
    }

    private static Leases.Moment now(ManualClock other) {
        return new Leases().now(LeaseClock.of(other));
    }

    private static Lease begin(ManualClock other, long renewals) {
        Lease lease = now(other).begin(SPAN.toNanos());
        return new Lease("session", renewals, lease.spanNanos(), lease.bootId(), lease.endsAtNanos());
    }

    @Test
    void aLeaseEndsByItsClockRoundedUpNeverDown() {
        Lease lease = now().begin(SPAN.toNanos());

        clock.pass(SPAN);
        assertThat(now().hasEnded(lease)).isFalse();
        clock.pass(TICK);
        assertThat(now().hasEnded(lease)).isTrue();
    }

    @Test
    void aLeaseOfAnotherBootEndsOnceItWasSeenUnchangedForItsWholeLength() {
        ManualClock other = new ManualClock("there");
        Lease lease = now(other).begin(SPAN.toNanos());
        clock.pass(SPAN.multipliedBy(9));

        assertThat(now().hasEnded(lease)).isFalse();
        clock.pass(SPAN);
        assertThat(now().hasEnded(lease)).isFalse();
        clock.pass(TICK);
        assertThat(now().hasEnded(lease)).isTrue();
    }

    @Test
    void aLeaseOfAnotherBootThatWasRenewedBeginsAnew() {
        ManualClock other = new ManualClock("there");
        Lease first = begin(other, 1);
        now().hasEnded(first);
        clock.pass(SPAN);
        // its clock stands still, so only the count of renewals tells that it was renewed
        Lease second = begin(other, 2);

        assertThat(now().remainingNanos(second)).isGreaterThanOrEqualTo(SPAN.toNanos());
    }

    @Test
    void aLeaseThatEndsLaterThanItsSpanFromNowIsOfAnotherClockWhateverItsBootId() {
        ManualClock ahead = new ManualClock("here");
        ahead.pass(Duration.ofDays(3));
        Lease lease = now(ahead).begin(SPAN.toNanos());

        assertThat(now().hasEnded(lease)).isFalse();
        clock.pass(SPAN.plus(TICK));
        assertThat(now().hasEnded(lease)).isTrue();
    }

    @Test
    void onlySoManyLeasesOfOtherBootsAreKeptInMind() {
        Lease first = new Lease("first", 0, SPAN.toNanos(), "there", 0);
        now().hasEnded(first);
        for (int i = 0; i < 20_000; i++) {
            now().hasEnded(new Lease("lease " + i, 0, SPAN.toNanos(), "there", 0));
        }
        clock.pass(SPAN.plus(TICK));

        assertThat(now().hasEnded(first)).as("seen anew, so late and not early").isFalse();
    }
}
