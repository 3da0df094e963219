package dev.signet.store.quorum;

import static org.assertj.core.api.Assertions.assertThat;

import dev.signet.store.quorum.state.Reply;
import java.time.Duration;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** A leader of the quorum that is one no more, or cannot know, and is asked directly. */
@Tag("process")
@Execution(ExecutionMode.CONCURRENT)
class CutOffLeaderTest {

    private static final Duration LONG = Duration.ofMinutes(10);
    private static final Duration IDLE = Duration.ofSeconds(3);

    /** Before a signal has reached each thread of a process. */
    private static final Duration MOMENT = Duration.ofMillis(200);

    /** It believes that it leads for two seconds more, and may be asked by many until it knows. */
    private static final Duration ALONE = Duration.ofSeconds(5);

    @Test
    void anIdleLeaderWhoseFollowersAreFrozenConfirmsNothing() {
        confirmsNothingWithout(VoterProcess::freeze);
    }

    @Test
    void anIdleLeaderWhoseFollowersAreDeadConfirmsNothing() {
        confirmsNothingWithout(VoterProcess::kill);
    }

    private static void confirmsNothingWithout(Consumer<VoterProcess> goesAway) {
        try (Trio trio = Trio.start()) {
            trio.open("a", LONG);
            Trio.pass(IDLE);
            int leader = trio.leader();
            assertThat(trio.line(leader).told(Direct.renew("a"))).containsInstanceOf(Reply.Renewed.class);

            IntStream.of(trio.others(leader)).forEach(other -> goesAway.accept(trio.voter(other)));
            Trio.pass(MOMENT);

            long asked = 0;
            long until = System.nanoTime() + ALONE.toNanos();
            while (System.nanoTime() - until < 0) {
                assertThat(trio.line(leader).told(Direct.renew("a")))
                        .as("renewal")
                        .isEmpty();
                assertThat(trio.line(leader).told(Direct.read("ledger")))
                        .as("read")
                        .isEmpty();
                asked++;
            }
            assertThat(asked).as("asked").isPositive();
        }
    }
}
