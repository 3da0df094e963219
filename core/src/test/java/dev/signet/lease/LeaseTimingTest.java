package dev.signet.lease;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LeaseTimingTest {

    @Test
    void theDefaultIsFifteenTenTwo() {
        LeaseTiming timing = LeaseTiming.DEFAULT;

        assertThat(timing.leaseDuration()).hasSeconds(15);
        assertThat(timing.renewDeadline()).hasSeconds(10);
        assertThat(timing.retryPeriod()).hasSeconds(2);
        assertThat(timing.attemptTimeout()).hasMillis(2500);
        assertThat(timing.stopBudget()).hasSeconds(5);
        assertThat(timing.pauseThreshold()).hasSeconds(4);
    }

    @ParameterizedTest
    @CsvSource({"6000, 4000, 800", "3000, 2000, 400", "15000, 10000, 5000", "1000, 700, 100", "3600000, 3000000, 60000"
    })
    void whatCanWorkIsTaken(long lease, long deadline, long retry) {
        assertThat(LeaseTiming.faults(millis(lease), millis(deadline), millis(retry)))
                .isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "15000, 15000, 2000, renewDeadline 15000 ms is not below leaseDuration 15000 ms",
        "15000, 2400, 2000, renewDeadline 2400 ms is not above 1.2 · retryPeriod 2400 ms",
        "15000, 10000, 5001, retryPeriod 5001 ms is above a third of leaseDuration 15000 ms",
        "15000, 14950, 2000, leaves less than 100 ms",
        "15000, 10000, 49, retryPeriod 49 ms is below 50 ms",
        "3600001, 10000, 2000, leaseDuration is above 3600000 ms",
    })
    void eachPartOfTheInequalityIsChecked(long lease, long deadline, long retry, String fault) {
        assertThat(LeaseTiming.faults(millis(lease), millis(deadline), millis(retry)))
                .singleElement()
                .asString()
                .contains(fault);
    }

    @Test
    void everyFaultIsNamedAtOnce() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new LeaseTiming(millis(40), millis(45), millis(49)))
                .withMessageContaining("is below 50 ms")
                .withMessageContaining("is not above 1.2")
                .withMessageContaining("is not below leaseDuration")
                .withMessageContaining("is above a third");
    }

    @Test
    void negativeAndHugeDurationsAreFaultsAndNoOverflow() {
        assertThat(LeaseTiming.faults(Duration.ofSeconds(-15), Duration.ofSeconds(-10), Duration.ofSeconds(-2)))
                .isNotEmpty();
        assertThat(LeaseTiming.faults(
                        Duration.ofSeconds(Long.MAX_VALUE), Duration.ofSeconds(Long.MAX_VALUE), Duration.ofSeconds(1)))
                .isNotEmpty();
    }

    private static Duration millis(long value) {
        return Duration.ofMillis(value);
    }
}
