package dev.signet.store.quorum;

import static org.assertj.core.api.Assertions.assertThat;

import dev.signet.store.quorum.state.Reply;
import dev.signet.store.quorum.wire.Peek;
import dev.signet.store.quorum.wire.Question;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Voters whose folders are empty, and one of which they are empty again. */
@Tag("process")
class FirstStartTest {

    private static final Duration A_WHILE = Duration.ofSeconds(3);

    @Test
    void twoWaitForTheThirdHoweverLateItComes() {
        try (Voters voters = Voters.prepare(3)) {
            voters.get(0).begin().expect("listens");
            voters.get(1).begin().expect("listens");
            try (Direct line = new Direct(voters.get(0).address())) {
                Trio.pass(A_WHILE);
                assertThat(line.peek()).satisfies(FirstStartTest::hasNoPart);
                assertThat(line.told(new Question.Roles(Direct.HERE))).isEmpty();

                voters.get(2).begin();

                voters.all().forEach(voter -> voter.child().expect("started"));
                assertThat(leaderOf(voters)).isInstanceOf(Reply.Roles.class);
            }
        }
    }

    /** Killed one by one while they wait, and one more while they begin: what was met is on the disks. */
    @Test
    void whoeverIsKilledMeanwhileTheyBeginInTheEnd() {
        try (Voters voters = Voters.prepare(3)) {
            voters.get(0).begin().expect("listens");
            voters.get(1).begin().expect("listens");
            Trio.pass(Duration.ofMillis(500));
            voters.get(0).kill();
            voters.get(2).begin().expect("listens");
            Trio.pass(Duration.ofMillis(500));
            voters.get(1).kill();
            voters.get(0).begin().expect("listens");
            Trio.pass(Duration.ofMillis(500));
            voters.get(2).kill();
            voters.get(1).begin();
            voters.get(2).begin();

            voters.all().forEach(voter -> voter.child().expect("started"));
            assertThat(leaderOf(voters)).isInstanceOf(Reply.Roles.class);
        }
    }

    /** It would vote though it has forgotten for whom it did: nothing tells it so until it reaches one of the others. */
    @Test
    void whoLostItsDiskHasNoPartThoughItReachesNobodyAndIsRefusedOnceItDoes() {
        try (Voters voters = Voters.start(3)) {
            assertThat(leaderOf(voters)).isInstanceOf(Reply.Roles.class);
            voters.all().forEach(VoterProcess::kill);
            VoterProcess wiped = voters.get(2);
            Voters.delete(wiped.data());

            wiped.begin().expect("listens");
            try (Direct line = new Direct(wiped.address());
                    Direct first = new Direct(voters.get(0).address())) {
                Trio.pass(A_WHILE);
                assertThat(line.peek()).satisfies(FirstStartTest::hasNoPart);

                voters.get(0).begin().expect("started");

                assertThat(wiped.child().expect("refused: ")).contains("quorum replace");
                Trio.pass(A_WHILE);
                assertThat(first.told(new Question.Roles(Direct.HERE)))
                        .as("one of three is no majority")
                        .isEmpty();
            }
            voters.get(1).begin().expect("started");
            assertThat(leaderOf(voters)).isInstanceOf(Reply.Roles.class);
        }
    }

    private static void hasNoPart(Peek peek) {
        assertThat(peek.running()).isFalse();
        assertThat(peek.raftTerm()).isEqualTo(-1);
        assertThat(peek.voters()).isEmpty();
    }

    private static Reply leaderOf(Voters voters) {
        return Trio.eventually(() -> voters.all().stream()
                .map(voter -> {
                    try (Direct line = new Direct(voter.address())) {
                        return line.told(new Question.Roles(Direct.HERE));
                    }
                })
                .flatMap(Optional::stream)
                .findFirst());
    }
}
