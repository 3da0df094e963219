package dev.signet.store.quorum.voter;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class TermRoundsTest {

    private static final long TERM = 7;

    /** Of three voters, this one included. */
    private int others = 2;

    private long own = TERM;
    private boolean unable;
    private int comingMeanwhile;
    private final List<List<CompletableFuture<Long>>> asked = new ArrayList<>();
    private final TermRounds rounds = new TermRounds(new Electorate(), () -> own, Runnable::run);

    private final class Electorate implements TermRounds.Voters {
        @Override
        public int majority() {
            return (1 + others) / 2 + 1;
        }

        @Override
        public List<CompletableFuture<Long>> peek() {
            if (unable) {
                throw new IllegalStateException("no channel");
            }
            if (comingMeanwhile > 0) {
                comingMeanwhile--;
                var unused = rounds.confirm(TERM);
            }
            List<CompletableFuture<Long>> round = IntStream.range(0, others)
                    .mapToObj(i -> new CompletableFuture<Long>())
                    .toList();
            asked.add(round);
            return round;
        }
    }

    private void say(int round, int voter, long term) {
        asked.get(round).get(voter).complete(term);
    }

    private void fail(int round, int voter) {
        asked.get(round).get(voter).completeExceptionally(new IOException("nobody there"));
    }

    private static void assertYes(CompletableFuture<Boolean> confirmed) {
        assertThat(confirmed).isCompletedWithValue(true);
    }

    private static void assertNo(CompletableFuture<Boolean> confirmed) {
        assertThat(confirmed).isCompletedWithValue(false);
    }

    @Test
    void onesOwnWordIsNoMajority() {
        assertThat(rounds.confirm(TERM)).isNotDone();
    }

    @Test
    void oneOtherInTheSameTermIsAMajorityOfThree() {
        CompletableFuture<Boolean> confirmed = rounds.confirm(TERM);

        say(0, 1, TERM);

        assertYes(confirmed);
    }

    @Test
    void twoOthersAreNeededOfFive() {
        others = 4;
        CompletableFuture<Boolean> confirmed = rounds.confirm(TERM);

        say(0, 3, TERM);
        assertThat(confirmed).isNotDone();
        say(0, 0, TERM);

        assertYes(confirmed);
    }

    @Test
    void alone() {
        others = 0;

        assertYes(rounds.confirm(TERM));
    }

    @Test
    void nobodyThereIsNo() {
        CompletableFuture<Boolean> confirmed = rounds.confirm(TERM);

        fail(0, 0);
        assertThat(confirmed).isNotDone();
        fail(0, 1);

        assertNo(confirmed);
    }

    @Test
    void aVoterInALaterTermDoesNotCount() {
        CompletableFuture<Boolean> confirmed = rounds.confirm(TERM);

        say(0, 0, TERM + 1);
        assertThat(confirmed).isNotDone();
        say(0, 1, TERM + 1);

        assertNo(confirmed);
    }

    /** A majority in a later term says of this one that it is over. */
    @Test
    void aMajorityInAnotherTermConfirmsNone() {
        others = 4;
        CompletableFuture<Boolean> confirmed = rounds.confirm(TERM);

        say(0, 0, TERM + 1);
        say(0, 1, TERM + 1);
        say(0, 2, TERM + 1);

        assertNo(confirmed);
    }

    @Test
    void answersOfSeveralTermsAreNotAddedUp() {
        others = 4;
        CompletableFuture<Boolean> confirmed = rounds.confirm(TERM);

        say(0, 0, TERM - 1);
        say(0, 1, TERM + 1);
        say(0, 2, TERM);
        assertThat(confirmed).isNotDone();
        say(0, 3, TERM + 2);

        assertNo(confirmed);
    }

    @Test
    void voicesWithoutATermAreNoMajority() {
        own = -1;
        CompletableFuture<Boolean> confirmed = rounds.confirm(-1);

        say(0, 0, -1);
        say(0, 1, -1);

        assertNo(confirmed);
    }

    /** This voter itself may have left the term. */
    @Test
    void onesOwnTermCountsAsItIsNow() {
        own = TERM + 1;
        CompletableFuture<Boolean> confirmed = rounds.confirm(TERM);

        say(0, 0, TERM);
        say(0, 1, TERM + 1);

        assertNo(confirmed);
    }

    /** Its answers may be older than the question. */
    @Test
    void aRoundThatBeganBeforeTheQuestionProvesNothing() {
        CompletableFuture<Boolean> first = rounds.confirm(TERM);
        CompletableFuture<Boolean> second = rounds.confirm(TERM);
        CompletableFuture<Boolean> third = rounds.confirm(TERM);

        say(0, 0, TERM);

        assertYes(first);
        assertThat(second).isNotDone();
        assertThat(asked).hasSize(2);
        say(1, 0, TERM + 1);
        say(1, 1, TERM + 1);
        assertNo(second);
        assertNo(third);
    }

    @Test
    void whatIsSaidAfterTheEndOfARoundIsNotTakenForTheNext() {
        rounds.confirm(TERM);
        CompletableFuture<Boolean> second = rounds.confirm(TERM);
        say(0, 0, TERM);

        say(0, 1, TERM);

        assertThat(second).isNotDone();
        fail(1, 0);
        fail(1, 1);
        assertNo(second);
    }

    @Test
    void questionsOfTwoTermsInOneRoundAreAnsweredEachByItsOwn() {
        rounds.confirm(TERM);
        CompletableFuture<Boolean> older = rounds.confirm(TERM - 1);
        CompletableFuture<Boolean> newer = rounds.confirm(TERM);
        say(0, 0, TERM);

        say(1, 0, TERM);

        assertNo(older);
        assertYes(newer);
    }

    @Test
    void roundsDoNotMultiplyWithQuestions() {
        List<CompletableFuture<Boolean>> all =
                IntStream.range(0, 1_000).mapToObj(i -> rounds.confirm(TERM)).toList();

        say(0, 0, TERM);
        say(1, 0, TERM);

        assertThat(asked).hasSize(2);
        all.forEach(TermRoundsTest::assertYes);
    }

    @Test
    void afterARoundThatCouldNotBeginTheNextOneDoes() {
        unable = true;
        assertNo(rounds.confirm(TERM));

        unable = false;
        CompletableFuture<Boolean> confirmed = rounds.confirm(TERM);
        say(0, 0, TERM);

        assertYes(confirmed);
    }

    /** As under load, where somebody comes while each round is under way. */
    @Test
    void anyNumberOfRoundsFollowOneAnother() {
        others = 0;
        comingMeanwhile = 100_000;

        assertYes(rounds.confirm(TERM));

        assertThat(asked).hasSize(100_001);
        assertYes(rounds.confirm(TERM));
    }

    @Test
    void theNextRoundBeginsAfterAPauseAndTheFirstAtOnce() {
        List<Runnable> paused = new ArrayList<>();
        TermRounds pausing = new TermRounds(new Electorate(), () -> own, paused::add);
        CompletableFuture<Boolean> first = pausing.confirm(TERM);
        CompletableFuture<Boolean> second = pausing.confirm(TERM);
        say(0, 1, TERM);
        CompletableFuture<Boolean> third = pausing.confirm(TERM);
        assertYes(first);
        assertThat(asked).hasSize(1);

        paused.remove(0).run();

        assertThat(asked).hasSize(2);
        assertThat(second).isNotDone();
        say(1, 0, TERM);
        assertYes(second);
        assertYes(third);
        assertThat(paused).isEmpty();
    }
}
