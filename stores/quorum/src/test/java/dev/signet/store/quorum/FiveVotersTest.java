package dev.signet.store.quorum;

import static org.assertj.core.api.Assertions.assertThat;

import dev.signet.store.quorum.state.Command;
import dev.signet.store.quorum.state.Reply;
import dev.signet.store.quorum.wire.Question;
import dev.signet.store.quorum.wire.VoterStatus;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("process")
@Tag("slow")
class FiveVotersTest {

    private static final int FIVE = 5;
    private static final Duration LONG = Duration.ofHours(1);
    private static final Duration WITHOUT_A_QUORUM = Duration.ofSeconds(10);

    private final Trio voters = Trio.of(Voters.prepare(FIVE));

    @AfterEach
    void close() {
        voters.close();
    }

    private int[] without(int... away) {
        return IntStream.range(0, FIVE)
                .filter(voter -> Arrays.stream(away).noneMatch(one -> one == voter))
                .toArray();
    }

    private void take(String candidate, long token, int... among) {
        Reply.Viewed seen = (Reply.Viewed) voters.ask(Direct.read("ledger"), among);
        Reply granted = voters.tell(Direct.take(candidate, "ledger", seen.view().version()), among);
        assertThat(granted)
                .isInstanceOfSatisfying(
                        Reply.Granted.class,
                        one -> assertThat(one.grant().token().value()).isEqualTo(token));
    }

    @Test
    void theyStandTheLossOfTwoAndGuessNothingWithoutThree() {
        voters.open("a", LONG);
        take("a", 1);
        int first = voters.leader();
        voters.voter(first).kill();
        int second = voters.leader(without(first));
        voters.voter(second).kill();
        int[] three = without(first, second);
        assertThat(voters.ask(Direct.renew("a"), three)).isInstanceOf(Reply.Renewed.class);
        assertThat(voters.tell(new Command.Close(Direct.HERE, Direct.session("a")), three))
                .isInstanceOf(Reply.Done.class);
        voters.open("b", LONG, three);
        take("b", 2, three);

        voters.voter(three[0]).kill();
        int[] two = without(first, second, three[0]);
        long until = System.nanoTime() + WITHOUT_A_QUORUM.toNanos();
        int asked = 0;
        while (System.nanoTime() - until < 0) {
            for (int voter : two) {
                for (Question question : List.of(
                        Direct.renew("b"),
                        Direct.held("b"),
                        Direct.read("ledger"),
                        new Question.Roles(Direct.HERE),
                        new Question.Change(Direct.take("b", "nightly", 0)))) {
                    assertThat(voters.line(voter).told(question))
                            .as("%s", question)
                            .isEmpty();
                    asked++;
                }
            }
        }
        assertThat(asked).isGreaterThan(two.length);
        assertThat(IntStream.of(two).mapToObj(voter -> voters.line(voter).status()))
                .noneMatch(VoterStatus::leads);

        voters.voter(first).start();
        int[] again = without(second, three[0]);
        assertThat(voters.ask(Direct.held("b"), again))
                .isInstanceOfSatisfying(
                        Reply.Holds.class,
                        holds -> assertThat(holds.grants())
                                .anyMatch(grant -> grant.token().value() == 2));
        assertThat(voters.ask(Direct.held("a"), again)).isInstanceOf(Reply.Gone.class);
    }

    /** Each leads at some time, or is killed while another does; what was granted before is known to all who come after. */
    @Test
    void tokensGoOnFromLeaderToLeader() {
        long raftTerm = 0;
        for (int round = 1; round <= 2 * FIVE; round++) {
            int leader = voters.leader();
            String candidate = "candidate-" + round;
            voters.open(candidate, LONG);
            take(candidate, round);
            long now = voters.line(leader).peek().raftTerm();
            assertThat(now).isGreaterThanOrEqualTo(raftTerm);
            raftTerm = now;
            voters.voter(leader).kill();
            int[] others = voters.others(leader);
            assertThat(voters.ask(Direct.renew(candidate), others)).isInstanceOf(Reply.Renewed.class);
            assertThat(voters.tell(new Command.Close(Direct.HERE, Direct.session(candidate)), others))
                    .isInstanceOf(Reply.Done.class);
            voters.voter(leader).start();
            Trio.eventually(() -> voters.caughtUp(leader));
        }
        assertThat(raftTerm).as("elections").isGreaterThanOrEqualTo(FIVE);
        Trio.eventually(() -> Optional.of(voters.ask(Direct.read("ledger")))
                .filter(Reply.Viewed.class::isInstance)
                .filter(reply -> ((Reply.Viewed) reply).view().lastToken() == 2L * FIVE));
    }
}
