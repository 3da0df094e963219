package dev.signet.store.quorum;

import static org.assertj.core.api.Assertions.assertThat;

import dev.signet.store.quorum.state.Reply;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** How long nobody can write when the leader of the quorum dies: prints it. */
@Tag("process")
class ElectionTimeTest {

    private static final int DEATHS = 10;

    /** With time-outs of half a second to one; wide, for a machine that has other things to do. */
    private static final Duration BOUND = Duration.ofSeconds(10);

    @Test
    void anotherLeaderWritesSoonAfterOneDies() {
        List<Long> millis = new ArrayList<>();
        try (Trio trio = Trio.start()) {
            for (int death = 0; death < DEATHS; death++) {
                int leader = trio.leader();
                trio.open("before-" + death, Duration.ofHours(1));
                long killed = System.nanoTime();
                trio.voter(leader).kill();
                Reply written = trio.tell(Direct.open("after-" + death, Duration.ofHours(1)), trio.others(leader));
                millis.add(Duration.ofNanos(System.nanoTime() - killed).toMillis());
                assertThat(written).isInstanceOf(Reply.Opened.class);
                trio.voter(leader).start();
                int back = leader;
                Trio.eventually(() -> trio.caughtUp(back));
            }
        }
        List<Long> sorted = millis.stream().sorted().toList();
        System.out.println("without a leader after a kill -9, ms: " + sorted);
        assertThat(Duration.ofMillis(sorted.get(DEATHS - 1))).isLessThan(BOUND);
    }
}
