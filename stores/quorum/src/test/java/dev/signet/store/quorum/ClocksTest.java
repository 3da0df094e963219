package dev.signet.store.quorum;

import static org.assertj.core.api.Assertions.assertThat;

import dev.signet.store.quorum.state.Reply;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Voters whose monotonic clocks are years apart, as those of hosts that were started at different times are by weeks. */
@Tag("process")
@Execution(ExecutionMode.CONCURRENT)
class ClocksTest {

    private static final Duration LEASE = Duration.ofSeconds(6);
    private static final Duration LONG = Duration.ofMinutes(10);
    private static final List<String> SECONDS_AHEAD = List.of("0", "100000000", "4000000000");

    /** For a busy machine; what is shown is that it ends at all, and not too early. */
    private static final Duration LATEST = LEASE.plusSeconds(20);

    private static List<String> clock(int voter) {
        return List.of("unshare", "--time", "--monotonic", SECONDS_AHEAD.get(voter));
    }

    /** One leads after another; each gives a lease by its own clock, and compares it with nobody's. */
    @Test
    void aLeaseLastsAsLongWhoeverLeads() {
        try (Trio trio = Trio.of(Voters.prepare(3, ClocksTest::clock))) {
            trio.open("a", LONG);
            for (int round = 0; round < 2; round++) {
                int leader = trio.leader();
                int[] others = trio.others(leader);
                assertThat(trio.ask(Direct.renew("a"))).isInstanceOf(Reply.Renewed.class);
                trio.voter(leader).kill();
                assertThat(trio.ask(Direct.renew("a"), others)).isInstanceOf(Reply.Renewed.class);
                trio.voter(leader).start();
            }

            long sent = System.nanoTime();
            trio.open("b", LEASE);
            Trio.eventually(() -> Optional.of(trio.ask(Direct.held("b"))).filter(reply -> reply instanceof Reply.Gone));

            assertThat(Duration.ofNanos(System.nanoTime() - sent)).isBetween(LEASE, LATEST);
        }
    }
}
