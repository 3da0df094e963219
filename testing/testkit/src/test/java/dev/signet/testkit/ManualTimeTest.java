package dev.signet.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.signet.time.EventLoop;
import dev.signet.time.Reading;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class ManualTimeTest {

    private final ManualTime time = new ManualTime();
    private final ManualHost host = time.host();
    private final Reading start = host.read();
    private final List<String> ran = new ArrayList<>();

    @Test
    void tasksRunInTheOrderOfTheirTimeEachAtItsOwn() {
        ManualHost other = time.host();
        host.schedule(() -> note("third"), Duration.ofSeconds(2));
        other.schedule(() -> note("second"), Duration.ofSeconds(1));
        host.schedule(() -> note("fourth"), Duration.ofSeconds(2));
        host.execute(() -> note("first"));
        assertThat(ran).isEmpty();

        time.advance(Duration.ofSeconds(3));

        assertThat(ran).containsExactly("first at 0", "second at 1000", "third at 2000", "fourth at 2000");
        assertThat(elapsed()).isEqualTo(Duration.ofSeconds(3));
    }

    @Test
    void aTaskMayAskForAnother() {
        host.schedule(() -> host.schedule(() -> note("inner"), Duration.ofSeconds(1)), Duration.ofSeconds(1));

        time.advance(Duration.ofSeconds(2));

        assertThat(ran).containsExactly("inner at 2000");
    }

    @Test
    void aCancelledTaskDoesNotRun() {
        EventLoop.Scheduled task = host.schedule(() -> note("cancelled"), Duration.ofSeconds(1));
        task.cancel();
        task.cancel();

        time.advance(Duration.ofSeconds(2));

        assertThat(ran).isEmpty();
    }

    @Test
    void aClosedLoopRunsNothing() {
        host.execute(() -> note("before"));
        host.close();
        host.execute(() -> note("after"));

        time.settle();

        assertThat(ran).isEmpty();
    }

    @Test
    void aPausedHostRunsItsTasksLateAndOthersDoNot() {
        ManualHost other = time.host();
        host.schedule(() -> note("late"), Duration.ofSeconds(2));
        other.schedule(() -> note("in time"), Duration.ofSeconds(3));

        host.pauseFor(Duration.ofSeconds(20));

        assertThat(ran).containsExactly("in time at 3000", "late at 20000");
        assertThat(elapsed()).isEqualTo(Duration.ofSeconds(20));
        assertThat(host.wallMillis() - start.wallMillis()).isEqualTo(20_000);
    }

    @Test
    void whileAHostIsSuspendedOnlyItsWallClockGoesOn() {
        host.schedule(() -> note("after two awake seconds"), Duration.ofSeconds(2));
        time.advance(Duration.ofSeconds(1));

        host.suspendFor(Duration.ofSeconds(60));

        assertThat(elapsed()).isEqualTo(Duration.ofSeconds(1));
        assertThat(host.wallMillis() - start.wallMillis()).isEqualTo(61_000);
        assertThat(ran).isEmpty();
        time.advance(Duration.ofSeconds(1));
        assertThat(ran).containsExactly("after two awake seconds at 2000");
        assertThat(host.read().nanosSince(start))
                .isEqualTo(Duration.ofSeconds(62).toNanos());
    }

    @Test
    void whatIsAskedOfASuspendedHostRunsAfterItWoke() {
        host.suspend();
        host.suspend();
        time.advance(Duration.ofSeconds(5));
        host.schedule(() -> note("woken"), Duration.ofSeconds(1));
        time.advance(Duration.ofSeconds(5));
        host.wake();
        host.wake();

        time.advance(Duration.ofMillis(999));
        assertThat(ran).isEmpty();
        time.advance(Duration.ofMillis(1));
        assertThat(ran).containsExactly("woken at 1000");
    }

    @Test
    void theWallClockOfOneHostIsSetAndNothingElseMoves() {
        ManualHost other = time.host();

        host.jumpWall(Duration.ofHours(-1));

        assertThat(host.wallMillis()).isEqualTo(start.wallMillis() - 3_600_000);
        assertThat(other.wallMillis()).isEqualTo(start.wallMillis());
        assertThat(elapsed()).isZero();
    }

    @Test
    void timeIsNotAdvancedBackwardsNorFromWithin() {
        assertThatIllegalArgumentException().isThrownBy(() -> time.advance(Duration.ofSeconds(-1)));
        host.execute(() -> assertThatIllegalStateException().isThrownBy(time::settle));
        host.execute(() -> note("and goes on"));

        time.settle();

        assertThat(ran).hasSize(1);
    }

    @Test
    void aTaskThatThrowsStopsTheAdvanceAndTheNextGoesOn() {
        host.execute(() -> {
            throw new IllegalStateException("a defect");
        });
        host.execute(() -> note("next"));

        assertThatIllegalStateException().isThrownBy(time::settle).withMessage("a defect");
        time.settle();

        assertThat(ran).containsExactly("next at 0");
    }

    private void note(String what) {
        ran.add(what + " at " + elapsed().toMillis());
    }

    private Duration elapsed() {
        return Duration.ofNanos(host.monoNanos() - start.monoNanos());
    }
}
