package dev.signet.election.session;

import static org.assertj.core.api.Assertions.assertThat;

import dev.signet.TermEnd.Reason;
import dev.signet.election.session.SessionEffect.NotifyLive;
import dev.signet.election.session.SessionEffect.NotifyLost;
import dev.signet.election.session.SessionEffect.NotifyResumed;
import dev.signet.election.session.SessionEffect.NotifySuspended;
import dev.signet.election.session.SessionEffect.PublishDeadline;
import dev.signet.election.session.SessionEffect.Reconcile;
import dev.signet.election.session.SessionEffect.SendClose;
import dev.signet.election.session.SessionEffect.SendOpen;
import dev.signet.election.session.SessionEffect.SendRenew;
import dev.signet.election.session.SessionEffect.WithdrawDeadline;
import dev.signet.election.session.SessionEvent.HeldMatch;
import dev.signet.lease.LeaseTiming;
import dev.signet.store.StoreRefusal;
import dev.signet.time.Reading;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Transcripts of one session at 15 s, 10 s, 2 s. Times are in milliseconds since the first request. */
class SessionMachineTest {

    private final SessionMachine machine = new SessionMachine(LeaseTiming.DEFAULT);
    private SessionState state = SessionMachine.initial();
    private List<SessionEffect> effects = List.of();
    private long monoMillis;
    private long wallMillis;

    @Test
    void aSessionThatOpensIsValidFromWhenItWasAskedFor() {
        tell(new SessionEvent.Open());
        assertThat(effects).contains(new SendOpen(1));

        at(40).tell(new SessionEvent.Opened(1, reading(0)));

        assertThat(effects).contains(new PublishDeadline(1, reading(10_000)), new NotifyLive(1));
    }

    @Test
    void aRenewalCountsFromWhenItWasSent() {
        live();
        at(2_000).tick();
        assertThat(effects).contains(new SendRenew(1, 1));

        at(3_500).renewed(1, 2_000);

        assertThat(effects).contains(new PublishDeadline(1, reading(12_000)));
    }

    @Test
    void answersThatOvertakeEachOtherNeverShortenTheLease() {
        live();
        at(2_000).tick();
        at(4_000).tick();
        at(4_100).renewed(2, 4_000);

        at(4_200).renewed(1, 2_000);

        assertThat(effects).noneMatch(PublishDeadline.class::isInstance);
    }

    @Test
    void theDeadlineLosesTheSessionAndALateAnswerDoesNotRaiseIt() {
        live();
        List.of(2_000, 4_000, 6_000, 8_000).forEach(millis -> at(millis).tick());
        at(10_000).tick();
        assertThat(effects).contains(new WithdrawDeadline(1), new NotifyLost(1, Reason.RENEW_DEADLINE));

        at(10_001).renewed(4, 8_000);

        assertThat(effects).isEmpty();
        at(10_002).tick();
        assertThat(effects).contains(new SendOpen(2));
    }

    @Test
    void aLostSessionIsNotClosedAtTheStoreBeforeItsLeaseEnds() {
        theDeadlineLosesTheSessionAndALateAnswerDoesNotRaiseIt();

        assertThat(effects).noneMatch(SendClose.class::isInstance);
    }

    @Test
    void anAnswerPastTheDeadlineIsIgnoredAlsoBeforeTheTickThatDecides() {
        live();
        List.of(2_000, 4_000, 6_000, 8_000).forEach(millis -> at(millis).tick());

        at(10_001).renewed(4, 8_000);
        assertThat(effects).isEmpty();

        at(10_002).tick();
        assertThat(effects).contains(new NotifyLost(1, Reason.RENEW_DEADLINE));
    }

    @Test
    void aPausePastTheDeadlineSuspendsAndOneRenewalBegunAfterWakingResumes() {
        live();
        at(2_000).tick();
        at(14_000).tick();
        assertThat(effects).contains(new WithdrawDeadline(1), new NotifySuspended(1), new SendRenew(1, 2));

        at(14_001).renewed(1, 2_000);
        assertThat(effects).isEmpty();

        at(14_050).renewed(2, 14_000);
        assertThat(effects).contains(new PublishDeadline(1, reading(24_000)), new NotifyResumed(1), new Reconcile(1));
    }

    @Test
    void aPauseThatEndsShortOfTheDeadlineStillLeavesARenewalItsFullTime() {
        live();
        at(9_900).tick();
        assertThat(effects).contains(new SendRenew(1, 1)).noneMatch(NotifySuspended.class::isInstance);
        at(10_000).tick();
        assertThat(effects).contains(new WithdrawDeadline(1), new NotifySuspended(1), new SendRenew(1, 2));

        at(10_100).renewed(2, 10_000);

        assertThat(effects).contains(new PublishDeadline(1, reading(20_000)), new NotifyResumed(1));
    }

    @Test
    void aPauseThatLeavesARenewalItsTimeIsForgottenWhenTheDeadlineComes() {
        live();
        at(7_000).tick();
        at(9_000).tick();

        at(10_000).tick();

        assertThat(effects).contains(new NotifyLost(1, Reason.RENEW_DEADLINE));
    }

    @Test
    void aSuspendedSessionThatIsGoneIsLost() {
        live();
        at(20_000).tick();

        at(20_050).tell(new SessionEvent.RenewGone(1, 1));

        assertThat(effects).contains(new NotifyLost(1, Reason.SESSION_GONE));
    }

    @Test
    void aSuspendedSessionThatIsNotConfirmedWithinOneAttemptIsLost() {
        live();
        at(12_000).tick();

        at(14_500).tick();

        assertThat(effects).contains(new NotifyLost(1, Reason.UNCONFIRMED_AFTER_PAUSE));
    }

    @Test
    void anotherPauseBeforeTheConfirmationAsksAgain() {
        live();
        at(12_000).tick();

        at(30_000).tick();

        assertThat(effects).contains(new SendRenew(1, 2)).noneMatch(NotifyLost.class::isInstance);
    }

    @Test
    void aWallClockThatLeapsAheadSuspendsForOneRoundTrip() {
        live();
        wallMillis += 3_600_000;
        at(2_000).tick();
        assertThat(effects).contains(new NotifySuspended(1), new SendRenew(1, 1));

        at(2_040).tell(new SessionEvent.Renewed(1, 1, now(), HeldMatch.NOT_CARRIED));

        assertThat(effects).contains(new NotifyResumed(1));
    }

    @Test
    void aWallClockThatGoesBackChangesNothing() {
        live();
        wallMillis -= 3_600_000;

        at(2_000).tick();

        assertThat(effects)
                .contains(new SendRenew(1, 1))
                .noneMatch(effect -> effect instanceof NotifySuspended || effect instanceof NotifyLost);
    }

    @Test
    void aSuspensionAfterTheWallClockWentBackIsStillSeen() {
        live();
        wallMillis -= 3_600_000;
        at(2_000).tick();
        wallMillis += 60_000;

        at(4_000).tick();

        assertThat(effects).contains(new NotifySuspended(1));
    }

    @Test
    void anAnswerOfAnEarlierSessionIsIgnored() {
        live();
        at(2_000).tell(new SessionEvent.RenewGone(1, 1));
        at(2_001).tick();
        at(2_050).tell(new SessionEvent.Opened(2, reading(2_001)));

        at(2_100).tell(new SessionEvent.RenewGone(1, 1));
        at(2_101).renewed(9, 2_100);

        assertThat(effects).isEmpty();
    }

    @Test
    void rolesAreComparedAfterAnUnknownAnswerAndWhenTheDigestDiffers() {
        live();
        at(2_000).tick();
        at(4_000).tell(new SessionEvent.RenewUnknown(1, 1));
        assertThat(effects).isEmpty();
        at(4_001).tick();
        at(4_050).renewed(2, 4_001);
        assertThat(effects).contains(new Reconcile(1));

        at(6_000).tick();
        at(6_050).tell(new SessionEvent.Renewed(1, 3, reading(6_000), HeldMatch.SAME));
        assertThat(effects).noneMatch(Reconcile.class::isInstance);

        at(8_000).tick();
        at(8_050).tell(new SessionEvent.Renewed(1, 4, reading(8_000), HeldMatch.DIFFERENT));
        assertThat(effects).contains(new Reconcile(1));
    }

    @Test
    void anOpeningThatIsNotAnsweredIsClosedAndTriedAgainLater() {
        tell(new SessionEvent.Open());
        at(2_500).tell(new SessionEvent.OpenUnknown(1, "time-out"));
        assertThat(effects).contains(new SendClose(1));

        at(2_600).tell(new SessionEvent.Opened(1, reading(0)));
        assertThat(effects).isEmpty();

        at(4_500).tick();
        assertThat(effects).contains(new SendOpen(2));
    }

    @Test
    void aRefusedOpeningIsReportedAndTriedAgainLessAndLessOften() {
        tell(new SessionEvent.Open());
        StoreRefusal refusal = new StoreRefusal(StoreRefusal.Kind.NOT_INITIALISED, "run signet init");
        long[] delays = new long[6];
        for (int i = 0; i < delays.length; i++) {
            tell(new SessionEvent.OpenRefused(i + 1, refusal));
            delays[i] = tickDelay().toMillis();
            monoMillis += delays[i];
            wallMillis += delays[i];
            tick();
        }
        assertThat(delays).containsExactly(2_000, 4_000, 8_000, 15_000, 15_000, 15_000);
    }

    @Test
    void closingWaitsForOneAttempt() {
        live();
        at(1_000).tell(new SessionEvent.Close());
        assertThat(effects).contains(new WithdrawDeadline(1), new SendClose(1));

        at(1_100).tell(new SessionEvent.CloseAnswered(1));

        assertThat(effects).contains(new SessionEffect.Finished());
    }

    private void live() {
        tell(new SessionEvent.Open());
        tell(new SessionEvent.Opened(1, reading(0)));
    }

    private SessionMachineTest at(long millis) {
        wallMillis += millis - monoMillis;
        monoMillis = millis;
        return this;
    }

    private void tick() {
        tell(new SessionEvent.Tick());
    }

    private void renewed(long seq, long sentAtMillis) {
        tell(new SessionEvent.Renewed(1, seq, reading(sentAtMillis), HeldMatch.NOT_CARRIED));
    }

    private void tell(SessionEvent event) {
        SessionMachine.Step step = machine.step(state, event, now());
        state = step.state();
        effects = step.effects();
    }

    private Duration tickDelay() {
        return effects.stream()
                .filter(SessionEffect.ScheduleTick.class::isInstance)
                .map(effect -> ((SessionEffect.ScheduleTick) effect).delay())
                .findFirst()
                .orElseThrow();
    }

    private Reading now() {
        return new Reading(monoMillis * 1_000_000, wallMillis);
    }

    private static Reading reading(long millis) {
        return new Reading(millis * 1_000_000, millis);
    }
}
