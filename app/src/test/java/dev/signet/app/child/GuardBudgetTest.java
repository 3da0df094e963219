package dev.signet.app.child;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class GuardBudgetTest {
    @ParameterizedTest
    @CsvSource({
        // lease, deadline: stop, kill, poll
        "15000, 10000, 10000, 13750, 150",
        "60000, 40000, 40000, 56500, 150",
        "3000, 2000, 2000, 2600, 100",
        "1000, 667, 667, 866, 33"
    })
    void killComesAfterTheStopAndWellBeforeTheLeaseEnds(long lease, long deadline, long stop, long kill, long poll) {
        GuardBudget budget = GuardBudget.of(Duration.ofMillis(lease), Duration.ofMillis(deadline));
        assertThat(budget.stopAfter()).isEqualTo(Duration.ofMillis(stop));
        assertThat(budget.killAfter()).isEqualTo(Duration.ofMillis(kill));
        assertThat(budget.pollInterval()).isEqualTo(Duration.ofMillis(poll));
    }

    @Test
    void everyAcceptedLeaseKeepsTheOrder() {
        int accepted = 0;
        for (long lease = 100; lease < 40_000; lease += 97) {
            for (long deadline = 10; deadline < lease; deadline += 61) {
                GuardBudget budget;
                try {
                    budget = GuardBudget.of(Duration.ofMillis(lease), Duration.ofMillis(deadline));
                } catch (IllegalArgumentException e) {
                    continue;
                }
                accepted++;
                assertThat(budget.stopAfter()).isLessThan(budget.killAfter());
                assertThat(budget.killAfter().toMillis() * 100).isLessThanOrEqualTo(lease * 95);
                assertThat(budget.killAfter().plus(budget.pollInterval()).toMillis())
                        .isLessThan(lease);
                Duration onLost = StopBudget.of(Duration.ofMillis(lease), Duration.ofMillis(deadline), Optional.empty())
                        .onLost();
                assertThat(budget.stopAfter().plus(onLost)).isLessThanOrEqualTo(budget.killAfter());
            }
        }
        assertThat(accepted).isGreaterThan(10_000);
    }

    @ParameterizedTest
    @CsvSource({
        "15000, 15000, renewDeadline < leaseDuration",
        "15000, 0, 0 < renewDeadline",
        "15000, 14000, 87.5 %",
        "400, 200, 250 ms apart"
    })
    void leaseWithoutRoomIsRefusedWithTheRule(long lease, long deadline, String rule) {
        assertThatThrownBy(() -> GuardBudget.of(Duration.ofMillis(lease), Duration.ofMillis(deadline)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(rule);
    }

    @Test
    void killAfterIsByDefaultTheSmallerOfThreeSecondsAndSixtyPercentOfTheRest() {
        assertThat(stop(15_000, 10_000, Optional.empty())).isEqualTo(budget(3000, 3000));
        assertThat(stop(3000, 2000, Optional.empty())).isEqualTo(budget(600, 600));
        assertThat(stop(60_000, 40_000, Optional.empty())).isEqualTo(budget(3000, 3000));
    }

    @Test
    void longKillAfterIsKeptForResigningAndCutForALostLease() {
        assertThat(stop(15_000, 10_000, Optional.of(Duration.ofSeconds(30)))).isEqualTo(budget(30_000, 3750));
        assertThat(stop(15_000, 10_000, Optional.of(Duration.ZERO))).isEqualTo(budget(0, 0));
        assertThatThrownBy(() -> stop(15_000, 10_000, Optional.of(Duration.ofSeconds(-1))))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("killAfter = PT-1S");
    }

    private static StopBudget stop(long lease, long deadline, Optional<Duration> killAfter) {
        return StopBudget.of(Duration.ofMillis(lease), Duration.ofMillis(deadline), killAfter);
    }

    private static StopBudget budget(long onResign, long onLost) {
        return new StopBudget(Duration.ofMillis(onResign), Duration.ofMillis(onLost));
    }
}
