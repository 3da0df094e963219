package dev.signet.app.child;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class BootClockTest {
    private static final long SECOND = 1_000_000_000L;

    /** A host whose monotonic clock stands still while it sleeps. */
    private final AtomicLong boot = new AtomicLong(1000 * SECOND);

    private final AtomicLong monotonic = new AtomicLong(-5 * SECOND);
    private final BootTimeline timeline =
            new BootTimeline(() -> new BootInstant(boot.get() / 10_000_000), monotonic::get);

    @Test
    void readingIsConvertedToTheMomentItWasTaken() {
        pass(3 * SECOND);
        long sent = monotonic.get();
        pass(1 * SECOND);
        assertThat(timeline.at(sent)).isEqualTo(seconds(1003));
        timeline.sample();
        assertThat(timeline.at(sent)).isEqualTo(seconds(1003));
    }

    @Test
    void suspensionAfterTheReadingCountsInFull() {
        long sent = monotonic.get();
        sleep(20 * SECOND);
        timeline.sample();
        pass(1 * SECOND);
        assertThat(timeline.at(sent)).isEqualTo(seconds(1000));
    }

    @Test
    void suspensionBetweenSampleAndReadingMakesItEarlyNeverLate() {
        pass(1 * SECOND);
        sleep(20 * SECOND);
        long sent = monotonic.get();
        assertThat(timeline.at(sent)).isEqualTo(seconds(1001));
        timeline.sample();
        pass(1 * SECOND);
        assertThat(timeline.at(monotonic.get())).isEqualTo(seconds(1022));
    }

    @Test
    void readingOlderThanAllSamplesIsRefused() {
        assertThatThrownBy(() -> timeline.at(monotonic.get() - 1)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void roundingIsAlwaysDown() {
        BootInstant start = new BootInstant(100);
        assertThat(start.plus(Duration.ofMillis(19))).isEqualTo(new BootInstant(101));
        assertThat(start.minus(Duration.ofMillis(11))).isEqualTo(new BootInstant(98));
        assertThat(start.minus(Duration.ofDays(1))).isEqualTo(new BootInstant(0));
        assertThat(new BootInstant(150).since(start)).isEqualTo(Duration.ofMillis(500));
    }

    @Test
    void hostsClockRuns() {
        BootClock clock = BootClock.ofHost();
        BootInstant before = clock.now();
        long begun = System.nanoTime();
        while (clock.now().compareTo(before) <= 0) {
            assertThat(System.nanoTime() - begun).isLessThan(5 * SECOND);
            Thread.onSpinWait();
        }
        assertThat(clock.now()).isGreaterThan(before);
    }

    private void pass(long nanos) {
        boot.addAndGet(nanos);
        monotonic.addAndGet(nanos);
    }

    private void sleep(long nanos) {
        boot.addAndGet(nanos);
    }

    private static BootInstant seconds(long seconds) {
        return new BootInstant(seconds * 100);
    }
}
