package dev.signet.store.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

/** A server's clock that is set, and what leases on it are worth then. */
class ServerClockTest {

    private static final Duration LEASE = Duration.ofSeconds(15);
    private static final Duration ROUND_TRIP = Duration.ofMillis(20);
    private static final Duration BEAT = Duration.ofSeconds(2);
    private static final Duration HOUR = Duration.ofHours(1);

    /** From any origin, as {@link System#nanoTime()}: also below zero, and it may overflow. */
    private long ownNanos = Long.MAX_VALUE - Duration.ofSeconds(7).toNanos();

    private long serverNanos = Duration.ofDays(20_000).toNanos();
    private final ServerClock clock = new ServerClock(() -> ownNanos);
    private final Leases leases = new Leases();
    private long renewals;

    private void pass(Duration time) {
        pass(time, time);
    }

    private void pass(Duration here, Duration there) {
        ownNanos += here.toNanos();
        serverNanos += there.toNanos();
    }

    private void set(Duration by) {
        serverNanos += by.toNanos();
    }

    /** As a transaction does: asks, the server looks at its clock, the answer comes. */
    private LeaseClock read() {
        return read("first");
    }

    private LeaseClock read(String bootId) {
        long asked = ownNanos;
        pass(ROUND_TRIP.dividedBy(2));
        long answer = serverNanos;
        pass(ROUND_TRIP.dividedBy(2));
        return clock.read(bootId, answer, asked);
    }

    private Leases.Moment now() {
        return leases.now(read());
    }

    private Lease renewed() {
        Lease lease = now().begin(LEASE.toNanos());
        renewals++;
        return new Lease("session", renewals, lease.spanNanos(), lease.bootId(), lease.endsAtNanos());
    }

    private boolean hasEnded(Lease lease) {
        return now().hasEnded(lease);
    }

    private void beatFor(Duration time) {
        for (Duration passed = Duration.ZERO; passed.compareTo(time) < 0; passed = passed.plus(BEAT)) {
            pass(BEAT);
            read();
        }
    }

    @Test
    void itIsNeverAheadOfTheServersAndLagsByLessThanARoundTrip() {
        LeaseClock reading = read();
        for (int i = 0; i < 10; i++) {
            assertThat(reading.nanos()).isLessThanOrEqualTo(serverNanos);
            assertThat(reading.nanos() + reading.resolutionNanos()).isGreaterThanOrEqualTo(serverNanos);
            pass(Duration.ofMillis(3));
        }
    }

    @Test
    void aLeaseEndsByTheServersClockAndNotBeforeItsWholeLength() {
        Lease lease = renewed();
        pass(LEASE.minus(ROUND_TRIP));
        assertThat(hasEnded(lease)).isFalse();
        pass(ROUND_TRIP.multipliedBy(2));
        assertThat(hasEnded(lease)).isTrue();
    }

    @Test
    void aClockThatRunsUpToATwentiethTooFastOrTooSlowWasNotSet() {
        for (double rate : new double[] {0.951, 1.0, 1.049}) {
            for (int beats = 0; beats < 1_000; beats++) {
                pass(BEAT, Duration.ofNanos((long) (BEAT.toNanos() * rate)));
                read();
            }
            pass(HOUR, Duration.ofNanos((long) (HOUR.toNanos() * rate)));
            assertThat(read().steadyNanos()).as("at rate %s", rate).isEqualTo(Long.MAX_VALUE);
        }
    }

    @Test
    void anAnswerThatTookLongIsNoStep() {
        read();
        long asked = ownNanos;
        pass(Duration.ofSeconds(5));
        long early = serverNanos;
        pass(Duration.ofSeconds(5));
        assertThat(clock.read("first", early, asked).steadyNanos()).isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void readingsThatOvertakeEachOtherAreNoStep() {
        read();
        pass(BEAT);
        long asked = ownNanos;
        long answer = serverNanos;
        pass(Duration.ofSeconds(1));
        read();
        assertThat(clock.read("first", answer, asked).steadyNanos()).isEqualTo(Long.MAX_VALUE);
        pass(BEAT);
        assertThat(read().steadyNanos()).isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void afterAStepForwardNothingEndsForAWholeLease() {
        Lease before = renewed();
        pass(BEAT);
        set(HOUR);
        assertThat(hasEnded(before))
                .as("on the clock as it is now it ended long ago")
                .isFalse();
        pass(LEASE.minus(ROUND_TRIP.multipliedBy(2)));
        assertThat(hasEnded(before)).isFalse();
        pass(ROUND_TRIP.multipliedBy(4));
        assertThat(hasEnded(before)).isTrue();
    }

    @Test
    void afterAStepBackADeadHoldersLeaseEndsWithinALeaseAndNotAnHourLater() {
        Lease before = renewed();
        pass(BEAT);
        set(HOUR.negated());
        assertThat(hasEnded(before)).isFalse();
        beatFor(LEASE);
        assertThat(hasEnded(before)).isTrue();
    }

    @Test
    void aHolderThatRenewsKeepsItsLeaseOverStepsBothWays() {
        Lease lease = renewed();
        for (Duration step : new Duration[] {HOUR, HOUR.negated(), LEASE, LEASE.negated(), BEAT, BEAT.negated()}) {
            set(step);
            for (int beats = 0; beats < 10; beats++) {
                pass(BEAT);
                assertThat(hasEnded(lease)).as("after a step of %s", step).isFalse();
                lease = renewed();
            }
        }
    }

    @Test
    void steadyAgainForALeaseItIsBelievedAgain() {
        set(HOUR);
        read();
        set(HOUR);
        read();
        beatFor(LEASE.multipliedBy(2));
        Lease lease = renewed();
        pass(LEASE.plus(ROUND_TRIP));
        assertThat(hasEnded(lease))
                .as("without waiting for it to stand still here")
                .isTrue();
    }

    @Test
    void eachStepBeginsTheWaitAnew() {
        Lease lease = renewed();
        for (int steps = 0; steps < 5; steps++) {
            set(HOUR);
            pass(LEASE.dividedBy(2));
            read();
            lease = renewed();
            pass(BEAT);
            assertThat(hasEnded(lease)).isFalse();
        }
    }

    @Test
    void aClientWhoseOwnClockStoodStillTakesItForAStepAndWaits() {
        Lease lease = renewed();
        // suspended: the holder elsewhere goes on, and has renewed 2 s ago
        pass(Duration.ZERO, HOUR);
        Lease ofAHolderElsewhere = new Lease("session", 9, LEASE.toNanos(), "first", serverNanos + LEASE.toNanos());
        assertThat(hasEnded(lease)).isFalse();
        pass(LEASE.plus(BEAT));
        assertThat(hasEnded(lease)).isTrue();
        assertThat(hasEnded(ofAHolderElsewhere)).isTrue();
    }

    @Test
    void anotherServerIsNotComparedWithTheFirstButItsLeasesAreForeign() {
        Lease ofTheFirst = renewed();
        set(HOUR);
        assertThat(leases.now(read("second")).hasEnded(ofTheFirst)).isFalse();
        pass(LEASE.minus(BEAT));
        assertThat(leases.now(read("second")).hasEnded(ofTheFirst)).isFalse();
        pass(BEAT.plus(ROUND_TRIP));
        assertThat(leases.now(read("second")).hasEnded(ofTheFirst)).isTrue();
    }

    @Test
    void aClockThatIsSetWhileAnotherServerAnswersIsStillFoundToBeSet() {
        Lease lease = renewed();
        pass(BEAT);
        read("second");
        pass(BEAT);
        set(HOUR);

        assertThat(hasEnded(lease))
                .as("back at the first server, whose clock was set meanwhile")
                .isFalse();
    }
}
