package dev.signet.time;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class ReadingTest {

    private static final Reading START = new Reading(Long.MAX_VALUE - 1_000, 1_700_000_000_000L);

    @Test
    void elapsedIsTheClockThatAdvancedMore() {
        assertThat(new Reading(START.monoNanos() + 5_000_000, START.wallMillis() + 20).nanosSince(START))
                .isEqualTo(20_000_000);
        assertThat(new Reading(START.monoNanos() + 30_000_000, START.wallMillis() + 20).nanosSince(START))
                .isEqualTo(30_000_000);
    }

    @Test
    void aWallClockThatGoesBackIsIgnored() {
        assertThat(new Reading(START.monoNanos() + 7, START.wallMillis() - 3_600_000).nanosSince(START))
                .isEqualTo(7);
    }

    @Test
    void aDeadlineIsReachedByEitherClock() {
        Reading deadline = START.plus(Duration.ofSeconds(10));

        assertThat(START.isAtOrAfter(deadline)).isFalse();
        assertThat(new Reading(deadline.monoNanos(), START.wallMillis()).isAtOrAfter(deadline))
                .isTrue();
        assertThat(new Reading(START.monoNanos(), deadline.wallMillis()).isAtOrAfter(deadline))
                .isTrue();
    }

    @Test
    void theMonotonicClockMayWrapAround() {
        Reading later = START.plus(Duration.ofSeconds(1));

        assertThat(later.monoNanos()).isNegative();
        assertThat(later.nanosSince(START)).isEqualTo(1_000_000_000);
        assertThat(later.laterOf(START)).isEqualTo(later);
        assertThat(START.laterOf(later)).isEqualTo(later);
    }
}
