package dev.signet.store.quorum.voter;

import static org.assertj.core.api.Assertions.assertThat;

import dev.signet.store.quorum.voter.Deadlines.Renewal;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class DeadlinesTest {

    private static final Duration LEASE = Duration.ofSeconds(15);

    private final Deadlines<String> deadlines = new Deadlines<>();

    private static long at(double seconds) {
        return Long.MAX_VALUE - 1_000 + (long) (seconds * 1e9);
    }

    @Test
    void nothingIsDueBeforeItsWholeTimeHasPassedAndOnceItHasItIsDueOnce() {
        deadlines.begin("a", LEASE, at(0));

        assertThat(deadlines.takeDue(at(15) - 1)).isEmpty();
        assertThat(deadlines.takeDue(at(15))).containsExactly("a");
        assertThat(deadlines.takeDue(at(16))).isEmpty();
    }

    @Test
    void aRenewalGivesTheWholeTimeFromItself() {
        deadlines.begin("a", LEASE, at(0));

        assertThat(deadlines.renew("a", at(14))).isEqualTo(Renewal.RENEWED);

        assertThat(deadlines.takeDue(at(29) - 1)).isEmpty();
        assertThat(deadlines.takeDue(at(29))).containsExactly("a");
    }

    @Test
    void aRenewalAfterTheDecisionToEndIsNeverARenewal() {
        deadlines.begin("a", LEASE, at(0));
        deadlines.takeDue(at(15));

        assertThat(deadlines.renew("a", at(15))).isEqualTo(Renewal.ENDING);
        assertThat(deadlines.renew("a", at(40))).isEqualTo(Renewal.ENDING);
    }

    @Test
    void anEndOfWhichNothingIsHeardIsToBeAskedForAgain() {
        deadlines.begin("a", LEASE, at(0));
        deadlines.takeDue(at(15));

        assertThat(deadlines.takeDue(at(20) - 1)).isEmpty();
        assertThat(deadlines.takeDue(at(20))).containsExactly("a");
        assertThat(deadlines.takeDue(at(21))).isEmpty();
        assertThat(deadlines.takeDue(at(25))).containsExactly("a");
    }

    @Test
    void aRenewalPastTheDeadlineButBeforeTheDecisionCounts() {
        deadlines.begin("a", LEASE, at(0));

        assertThat(deadlines.renew("a", at(16))).isEqualTo(Renewal.RENEWED);

        assertThat(deadlines.takeDue(at(30))).isEmpty();
    }

    @Test
    void whatNobodyKnowsIsNotRenewedIntoBeing() {
        assertThat(deadlines.renew("a", at(0))).isEqualTo(Renewal.UNKNOWN);
        assertThat(deadlines.size()).isZero();
    }

    @Test
    void whatEndedIsNotKnown() {
        deadlines.begin("a", LEASE, at(0));
        deadlines.end("a");

        assertThat(deadlines.renew("a", at(1))).isEqualTo(Renewal.UNKNOWN);
        assertThat(deadlines.takeDue(at(100))).isEmpty();
    }

    @Test
    void aBeginningUndoesTheDecisionToEnd() {
        deadlines.begin("a", LEASE, at(0));
        deadlines.takeDue(at(15));

        deadlines.begin("a", LEASE, at(15));

        assertThat(deadlines.renew("a", at(20))).isEqualTo(Renewal.RENEWED);
    }

    @Test
    void anEndThatWasNotDecidedMayBeAskedForAgain() {
        deadlines.begin("a", LEASE, at(0));
        deadlines.takeDue(at(15));

        deadlines.askAgain("a");

        assertThat(deadlines.takeDue(at(15))).containsExactly("a");
    }

    @Test
    void askingAgainForWhatEndedMeanwhileChangesNothing() {
        deadlines.begin("a", LEASE, at(0));
        deadlines.takeDue(at(15));
        deadlines.end("a");

        deadlines.askAgain("a");

        assertThat(deadlines.size()).isZero();
    }

    @Test
    void whatIsPostponedIsDueLaterByAsMuch() {
        deadlines.begin("a", LEASE, at(0));
        deadlines.begin("b", LEASE.multipliedBy(2), at(0));

        deadlines.postpone(Duration.ofSeconds(5).toNanos());

        assertThat(deadlines.takeDue(at(20) - 1)).isEmpty();
        assertThat(deadlines.takeDue(at(20))).containsExactly("a");
        deadlines.end("a");
        assertThat(deadlines.takeDue(at(35))).containsExactly("b");
    }

    @Test
    void whatRemainsIsNeverNegative() {
        deadlines.begin("a", LEASE, at(0));

        assertThat(deadlines.remaining("a", at(5))).contains(Duration.ofSeconds(10));
        assertThat(deadlines.remaining("a", at(20))).contains(Duration.ZERO);
        assertThat(deadlines.remaining("b", at(0))).isEmpty();
    }
}
