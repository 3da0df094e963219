package dev.signet.store.quorum;

import static org.assertj.core.api.Assertions.assertThat;

import dev.signet.store.quorum.state.Reply;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** A voter whose process was stopped, as on a machine that was asleep. */
@Tag("process")
@Execution(ExecutionMode.CONCURRENT)
class PauseTest {

    private static final Duration LONG = Duration.ofHours(1);

    /** Longer than Ratis would bear if it were asked. */
    private static final Duration MORE_THAN_A_MINUTE = Duration.ofSeconds(65);

    private static void stop(VoterProcess voter, Duration time) {
        voter.freeze();
        Trio.pass(time);
        voter.thaw();
    }

    /** None is left that is up and takes no part. */
    @Test
    void aVoterThatRaftClosesSaysSoAndItsProcessEnds() {
        try (Trio trio = Trio.start("--longest-pause=2000")) {
            int stopped = trio.others(trio.leader())[0];

            stop(trio.voter(stopped), Duration.ofSeconds(5));

            assertThat(trio.voter(stopped).child().expect("ended: ")).isEqualTo("Raft closed this voter");
            assertThat(trio.voter(stopped).child().exitCode()).isEqualTo(3);
            trio.open("a", LONG, trio.others(stopped));
            trio.voter(stopped).start();
            Trio.eventually(
                    () -> Optional.of(trio.line(stopped).told(Direct.held("a")).isPresent()
                                    || trio.line(stopped).peek().running())
                            .filter(yes -> yes));
        }
    }

    /** All of a quorum of one: nobody else took over, and whoever renews in time after it is still there. */
    @Test
    void aVoterThatWasStoppedForLongerThanALeaseEndsNobodyWhoRenews() {
        try (Voters voters = Voters.start(1);
                Direct line = new Direct(voters.get(0).address())) {
            Trio.eventually(() ->
                    line.told(Direct.open("a", Duration.ofSeconds(3))).filter(reply -> reply instanceof Reply.Opened));

            stop(voters.get(0), Duration.ofSeconds(8));

            Reply first = Trio.eventually(() -> line.told(Direct.renew("a")));
            assertThat(first).isInstanceOf(Reply.Renewed.class);
        }
    }

    @Test
    @Tag("slow")
    void aVoterThatWasStoppedForMoreThanAMinuteWorksOn() {
        try (Trio trio = Trio.start()) {
            int stopped = trio.leader();

            stop(trio.voter(stopped), MORE_THAN_A_MINUTE);

            int other = trio.others(stopped)[0];
            trio.open("a", LONG);
            trio.voter(other).kill();
            int third = trio.others(stopped)[1];
            trio.open("b", LONG, stopped, third);
            assertThat(trio.ask(Direct.held("a"), stopped, third)).isInstanceOf(Reply.Holds.class);
        }
    }
}
