package dev.signet.simulation;

import static dev.signet.simulation.Network.Kind.ACQUIRE;
import static dev.signet.simulation.Network.Kind.RELEASE;
import static dev.signet.simulation.Network.Kind.RENEW;
import static dev.signet.simulation.Network.Kind.WATCH;
import static dev.signet.simulation.Network.Way.ANSWER;
import static dev.signet.simulation.Network.Way.REQUEST;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.signet.Answer;
import dev.signet.Stamp;
import dev.signet.TermEnd.Reason;
import dev.signet.election.role.Callback;
import dev.signet.election.role.Phase;
import dev.signet.election.role.RoleEffect;
import dev.signet.election.role.RoleEvent;
import dev.signet.election.session.SessionEffect;
import dev.signet.election.session.SessionEvent;
import dev.signet.observe.Event;
import dev.signet.store.Concluded;
import dev.signet.store.Release;
import dev.signet.store.RoleView;
import dev.signet.store.SessionId;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

/**
 * The interleavings that an elector has to get right, each played out on the stage. All the rules of the simulation are
 * checked on the way.
 */
@DisplayNameGeneration(DisplayNameGenerator.Simple.class)
class InterleavingsTest {

    private static final int EVER = Integer.MAX_VALUE;

    private final Stage stage = new Stage();
    private final Node one = stage.one;
    private final Node two = stage.two;

    // Renewals

    @Test
    void aRenewalThatIsAnsweredJustAfterTheDeadlineRevivesNothing() {
        stage.lead(one);
        stage.untilRenewed(one);
        stage.lose(one, RENEW, ANSWER, 3).delay(one, RENEW, ANSWER, 2_000, 1);
        stage.until(() -> !stage.effects(one, SessionEffect.NotifyLost.class).isEmpty(), 12);
        int answers = stage.heard(one, SessionEvent.Renewed.class).size();
        stage.until(() -> stage.heard(one, SessionEvent.Renewed.class).size() > answers, 1);

        assertThat(stage.end(one, 1).end().reason()).isEqualTo(Reason.RENEW_DEADLINE);
        stage.run(1);
        assertThat(stage.effects(one, SessionEffect.SendOpen.class)).hasSize(2);
        assertThat(stage.effects(one, SessionEffect.NotifyLive.class)).hasSize(2);
        assertThat(stage.seat(one).isValid()).isFalse();
    }

    @Test
    void aPauseOfTwelveSecondsIsSurvivedByARenewalThatBeganAfterIt() {
        stage.lead(one);
        stage.delay(one, RENEW, ANSWER, 300, 1);
        stage.untilRenewalIsSent(one);
        stage.nemesis.pause(one, 12 * Agenda.SECOND);
        stage.run(11);
        assertThat(stage.seat(one).isValid()).isFalse();
        stage.run(3);

        SessionEffect.NotifySuspended suspended = stage.last(one, SessionEffect.NotifySuspended.class);
        assertThat(stage.effects(one, SessionEffect.NotifyResumed.class)).hasSize(1);
        assertThat(stage.when(one, SessionEffect.NotifyResumed.class, 0))
                .isGreaterThan(stage.when(one, SessionEffect.NotifySuspended.class, 0));
        assertThat(suspended.epoch()).isEqualTo(1);
        assertThat(stage.seat(one).proceeds()).isTrue();
        assertThat(stage.token(one)).isEqualTo(1);
        assertThat(stage.effects(one, RoleEffect.EndTerm.class)).isEmpty();
    }

    @Test
    void aPauseOfTwentySecondsEndsTheTermOnceAndItsZombieWriteIsRefused() {
        Seat old = stage.lead(one);
        stage.start(two);
        stage.untilRenewed(one);
        stage.lose(one, WATCH, ANSWER, EVER);
        Stamp stamp = old.term().stamp();
        new Writers(stage.world, old).decide(stamp, stage.fence("main").resource(), 21 * Agenda.SECOND);
        stage.nemesis.pause(one, 20 * Agenda.SECOND);
        stage.run(19);
        assertThat(stage.seat(two).proceeds()).isTrue();
        assertThat(stage.token(two)).isEqualTo(2);
        stage.run(3);

        assertThat(stage.end(one, 1).end().reason()).isEqualTo(Reason.SESSION_GONE);
        assertThat(stage.effects(one, RoleEffect.CallDeposed.class)).hasSize(1);
        assertThat(stage.heard(one, RoleEvent.FenceRefused.class)).hasSize(1);
        assertThat(stage.world.acknowledged()).isZero();
        assertThat(stage.seat(two).proceeds()).isTrue();
    }

    @Test
    void answersOfTwoRenewalsThatChangePlacesNeverShortenTheDeadline() {
        stage.lead(one);
        stage.delay(one, RENEW, ANSWER, 2_300, 1);
        stage.untilRenewalIsSent(one);
        stage.run(3);

        List<SessionEvent.Renewed> answers = stage.heard(one, SessionEvent.Renewed.class);
        assertThat(answers.get(answers.size() - 1).seq())
                .isLessThan(answers.get(answers.size() - 2).seq());
        List<Long> deadlines = stage.effects(one, SessionEffect.PublishDeadline.class).stream()
                .map(effect -> effect.deadline().monoNanos())
                .toList();
        assertThat(deadlines).isSorted();
        assertThat(stage.seat(one).proceeds()).isTrue();
    }

    @Test
    void anAnswerToAnEarlierSessionsRenewalIsNobodys() {
        stage.lead(one);
        stage.untilRenewed(one);
        stage.lose(one, RENEW, ANSWER, 3).delay(one, RENEW, ANSWER, 2_400, 1);
        stage.until(() -> stage.effects(one, SessionEffect.NotifyLive.class).size() == 2, 12);
        int published = stage.effects(one, SessionEffect.PublishDeadline.class).size();
        stage.until(
                () -> stage.last(one, SessionEvent.Renewed.class).epoch() == 1
                        && stage.when(one, SessionEffect.NotifyLive.class, 1) < stage.world.now() / 1e9
                        && stage.heard(one, SessionEvent.Renewed.class).stream()
                                        .filter(answer -> answer.epoch() == 1)
                                        .count()
                                >= 2,
                1);

        assertThat(stage.effects(one, SessionEffect.PublishDeadline.class)).hasSize(published);
        assertThat(stage.last(one, SessionEffect.PublishDeadline.class).epoch()).isEqualTo(2);
    }

    // Acquiring and releasing

    @Test
    void aReleaseWhoseAnswerIsLostIsAskedAgainAndNoGrantIsLeft() {
        stage.lead(one);
        stage.start(two);
        stage.run(1);
        stage.lose(one, RELEASE, ANSWER, 2);
        stage.tell(one, new RoleEvent.Resign());
        stage.run(10);

        List<RoleEffect.SendRelease> releases = stage.effects(one, RoleEffect.SendRelease.class);
        assertThat(releases).hasSize(3);
        assertThat(releases).allMatch(release -> release.attempt() == 1);
        assertThat(stage.effects(one, SessionEffect.NotifyLost.class)).isEmpty();
        assertThat(stage.phase(one)).isEqualTo(Phase.Kind.IDLE);
        assertThat(stage.seat(two).proceeds()).isTrue();
        assertThat(stage.token(two)).isEqualTo(2);
    }

    @Test
    void aGrantThatComesAfterClosingIsReleasedAndNobodyIsTold() {
        stage.delay(one, ACQUIRE, ANSWER, 1_000, 1);
        stage.start(one);
        stage.until(() -> stage.phase(one) == Phase.Kind.ACQUIRING, 2);
        stage.run(0.1);
        assertThat(stage.world.store().view(stage.role()).lastToken()).isEqualTo(1);
        one.process().close();
        stage.run(5);

        assertThat(one.process()).isNull();
        assertThat(stage.effects(one, RoleEffect.SendRelease.class)).isNotEmpty();
        assertThat(stage.effects(one, RoleEffect.CallPrepare.class)).isEmpty();
        assertThat(stage.effects(one, RoleEffect.CallElected.class)).isEmpty();
        assertThat(stage.world.store().view(stage.role()).claimable()).isTrue();
    }

    @Test
    void anAcquireThatItsReleaseHasOvertakenIsRefused() {
        stage.delay(one, ACQUIRE, REQUEST, 1_000, 1);
        stage.start(one);
        stage.until(() -> stage.phase(one) == Phase.Kind.ACQUIRING, 2);
        stage.tell(one, new RoleEvent.Resign());
        stage.run(5);

        assertThat(stage.phase(one)).isEqualTo(Phase.Kind.IDLE);
        assertThat(stage.heard(one, RoleEvent.Declined.class)).hasSize(1);
        RoleView record = stage.world.store().view(stage.role());
        assertThat(record.lastToken()).isZero();
        assertThat(record.claimable()).isTrue();
    }

    @Test
    void anAcquireWhoseAnswerIsLostIsAskedAgainAsTheSameAttemptForTheSameToken() {
        stage.lose(one, ACQUIRE, ANSWER, 1);
        stage.lead(one);

        List<RoleEffect.SendAcquire> asked = stage.effects(one, RoleEffect.SendAcquire.class);
        assertThat(asked).hasSize(2);
        assertThat(asked.get(1)).isEqualTo(asked.get(0));
        assertThat(stage.token(one)).isEqualTo(1);
        assertThat(stage.world.store().view(stage.role()).lastToken()).isEqualTo(1);
    }

    @Test
    void aGrantOfTheLostSessionIsWaitedOutAndNotTakenForOnesOwn() {
        stage.lose(one, ACQUIRE, ANSWER, EVER);
        stage.lose(one, RENEW, REQUEST, EVER);
        stage.start(one);
        stage.until(() -> stage.effects(one, SessionEffect.NotifyLive.class).size() == 2, 20);
        stage.deliverAllFromNowOn();
        stage.until(stage.seat(one)::proceeds, 30);

        assertThat(stage.token(one)).isEqualTo(2);
        assertThat(stage.effects(one, RoleEffect.CallPrepare.class)).hasSize(1);
        assertThat(stage.when(one, RoleEvent.Granted.class, 0)).isGreaterThan(15);
    }

    @Test
    void aReleaseThatLosesTheRaceAgainstExpiryDoesNotTouchTheNextGrant() {
        stage.lead(one);
        stage.start(two);
        stage.run(1);
        stage.delay(one, RELEASE, REQUEST, 25_000, 1);
        stage.tell(one, new RoleEvent.Resign());
        stage.until(() -> stage.phase(one) == Phase.Kind.RELEASING, 2);
        one.process().crash();
        stage.until(stage.seat(two)::proceeds, 20);
        RoleView granted = stage.world.store().view(stage.role());
        stage.run(15);

        assertThat(stage.world.store().view(stage.role()).version()).isEqualTo(granted.version());
        assertThat(stage.world.store().view(stage.role()).holder()).isEqualTo(granted.holder());
        assertThat(stage.seat(two).proceeds()).isTrue();
        assertThat(stage.token(two)).isEqualTo(2);
    }

    @Test
    void aLateReleaseDoesNotEndTheNextTermOfTheSameCandidate() {
        stage.fence("main").stop();
        stage.start(one);
        stage.until(() -> stage.phase(one) == Phase.Kind.SEALING, 5);
        stage.delay(one, RELEASE, REQUEST, 6_000, 1);
        stage.tell(one, new RoleEvent.Resign());
        assertThat(stage.phase(one)).isEqualTo(Phase.Kind.RELEASING);
        stage.tell(one, new RoleEvent.Campaign());
        stage.fence("main").start();
        stage.until(stage.seat(one)::proceeds, 5);
        stage.run(10);

        List<RoleEffect.SendAcquire> asked = stage.effects(one, RoleEffect.SendAcquire.class);
        assertThat(asked.get(asked.size() - 1).attempt()).isEqualTo(2);
        assertThat(stage.seat(one).proceeds()).isTrue();
        assertThat(stage.token(one)).isEqualTo(2);
    }

    // Watching

    @Test
    void aViewFromBeforeTheGrantIsIgnored() {
        stage.lead(two);
        RoleView before = stage.world.store().view(stage.role());
        stage.start(one);
        stage.run(1);
        stage.tell(two, new RoleEvent.Close());
        stage.until(stage.seat(one)::proceeds, 5);
        RoleView free = new RoleView(
                stage.role(), before.version() + 1, 1, Optional.empty(), true, Optional.empty(), Optional.empty());
        stage.tell(one, new RoleEvent.Observed(before));
        stage.tell(one, new RoleEvent.Observed(free));

        assertThat(stage.seat(one).proceeds()).isTrue();
        assertThat(stage.effects(one, RoleEffect.EndTerm.class)).isEmpty();
    }

    @Test
    void aRecordThatNamesAnotherEndsTheTermAtOnceThoughRenewalsSucceed() {
        Seat old = stage.lead(one);
        stage.start(two);
        stage.run(1);
        SessionId session = old.process().session(1).orElseThrow();
        stage.world
                .store()
                .release(new Release(
                        session,
                        stage.role(),
                        1,
                        stage.world.store().view(stage.role()).version()));
        stage.run(1);

        assertThat(stage.end(one, 1).end().reason()).isEqualTo(Reason.LOST_AT_STORE);
        assertThat(stage.effects(one, SessionEffect.NotifyLost.class)).isEmpty();
        assertThat(stage.token(two)).isEqualTo(2);
    }

    @Test
    void aRoleThatWasFreedWhileTheWatchWasBrokenIsSeenWhenItIsWatchedAgain() {
        stage.lead(one);
        stage.start(two);
        stage.run(1);
        stage.lose(two, WATCH, ANSWER, 1).lose(two, WATCH, REQUEST, EVER);
        stage.tell(one, new RoleEvent.Resign());
        stage.run(60);
        assertThat(stage.phase(two)).isEqualTo(Phase.Kind.WAITING);
        assertThat(stage.world.store().view(stage.role()).claimable()).isTrue();
        RoleView old = stage.last(two, RoleEvent.Observed.class).view();
        stage.deliverAllFromNowOn();
        stage.until(stage.seat(two)::proceeds, 10);

        stage.tell(two, new RoleEvent.Observed(old));
        assertThat(stage.seat(two).proceeds()).isTrue();
        assertThat(stage.token(two)).isEqualTo(2);
    }

    // Sealing

    @Test
    void aTermWhoseSealHangsEndsWithoutEverHavingBeenAnnounced() {
        stage.fence("second").stop();
        stage.start(one);
        stage.until(() -> stage.phase(one) == Phase.Kind.SEALING, 5);
        stage.run(1);
        stage.nemesis.cutFromStore(one, 40 * Agenda.SECOND);
        stage.start(two);
        stage.run(20);
        assertThat(stage.end(one, 1).end().reason()).isEqualTo(Reason.RENEW_DEADLINE);
        stage.fence("second").start();
        stage.until(stage.seat(two)::proceeds, 20);

        assertThat(stage.effects(one, RoleEffect.CallPrepare.class)).isEmpty();
        assertThat(stage.effects(one, RoleEffect.CallDeposed.class)).isEmpty();
        assertThat(stage.token(two)).isEqualTo(2);
        assertThat(stage.fence("main").highest()).isEqualTo(2);
    }

    @Test
    void aStoreThatHasForgottenHealsOncePerTermAndASecondRefusalIsAnAlarm() {
        stage.fence("main").sealedElsewhere(3);
        stage.fence("second").sealedElsewhere(10);
        stage.delay(one, Network.Kind.SEAL, REQUEST, 1, 1).delay(one, Network.Kind.SEAL, REQUEST, 500, 1);
        stage.start(one);
        stage.until(() -> !stage.effects(one, Event.Alarm.class).isEmpty(), 5);

        assertThat(stage.effects(one, Event.TokensSkipped.class)).hasSize(1);
        assertThat(stage.end(one, 1).end().reason()).isEqualTo(Reason.HEALED);
        assertThat(stage.end(one, 4).end().reason()).isEqualTo(Reason.SEAL_REFUSED);
        assertThat(stage.effects(one, RoleEffect.CallPrepare.class)).isEmpty();
        stage.until(stage.seat(one)::proceeds, 10);
        assertThat(stage.token(one)).isEqualTo(11);
    }

    @Test
    void aWriteRefusedForAHigherSealEndsTheTermAtOnceWithoutHealing() {
        Seat seat = stage.lead(one);
        stage.run(1);
        stage.fence("main").sealedElsewhere(1);
        new Writers(stage.world, seat)
                .decide(seat.term().stamp(), stage.fence("main").resource(), Agenda.MILLI);
        stage.until(() -> !stage.effects(one, RoleEffect.EndTerm.class).isEmpty(), 1);

        assertThat(stage.end(one, 1).end().reason()).isEqualTo(Reason.SUPERSEDED);
        assertThat(stage.effects(one, RoleEffect.SendAcquire.class)).hasSize(1);
        assertThat(stage.effects(one, SessionEffect.NotifyLost.class)).isEmpty();
        assertThat(stage.world.acknowledged()).isZero();
    }

    // The listener

    @Test
    void aListenerThatThrowsGivesTheRoleBackAndIsElectedLessAndLessOften() {
        stage.world.listeners((seat, callback, token) -> Optional.of(
                callback == Callback.ELECTED ? Listener.Manner.throwsAfter(Agenda.MILLI) : Listener.Manner.QUICK));
        stage.start(one);
        stage.run(20);

        int elections = stage.effects(one, RoleEffect.CallElected.class).size();
        assertThat(elections).isBetween(3, 4);
        double first =
                stage.when(one, RoleEffect.CallElected.class, 1) - stage.when(one, RoleEffect.CallElected.class, 0);
        double second =
                stage.when(one, RoleEffect.CallElected.class, 2) - stage.when(one, RoleEffect.CallElected.class, 1);
        assertThat(first).isCloseTo(2, within(0.5));
        assertThat(second).isCloseTo(4, within(0.5));
        assertThat(stage.effects(one, Event.ListenerFailed.class)).hasSize(elections);
        assertThat(stage.last(one, Event.BackedOff.class).failures()).isEqualTo(elections);
    }

    @Test
    void aListenerThatDoesNotReturnIsSignalledReportedAndKeepsItsCandidateFromCampaigning() {
        stage.world.listeners((seat, callback, token) -> Optional.of(
                callback == Callback.ELECTED && token.value() == 1
                        ? Listener.Manner.stubborn(60 * Agenda.SECOND)
                        : Listener.Manner.QUICK));
        stage.lead(one);
        double elected = stage.when(one, RoleEffect.CallElected.class, 0);
        stage.nemesis.cutFromStore(one, 16 * Agenda.SECOND);
        stage.until(() -> !stage.effects(one, SessionEffect.NotifyLost.class).isEmpty(), 14);
        assertThat(stage.effects(one, RoleEffect.EndTerm.class)).hasSize(1);
        stage.until(() -> stage.effects(one, RoleEffect.SendAcquire.class).size() == 2, 80);

        assertThat(stage.effects(one, Event.ListenerOverran.class)).hasSize(1);
        assertThat(stage.when(one, RoleEffect.SendAcquire.class, 1)).isGreaterThanOrEqualTo(elected + 60);
    }

    @Test
    void aListenerWhoseExecutorRejectsEndsTheTermAllTheSame() {
        stage.world.listeners((seat, callback, token) -> Optional.of(
                seat.process().node() == one && callback != Callback.PREPARE
                        ? Listener.Manner.rejected()
                        : Listener.Manner.QUICK));
        stage.start(one);
        stage.until(() -> !stage.effects(one, RoleEffect.EndTerm.class).isEmpty(), 5);
        stage.start(two);
        stage.run(1.5);

        assertThat(stage.end(one, 1).end().reason()).isEqualTo(Reason.LISTENER_FAILED);
        assertThat(stage.seat(two).proceeds()).isTrue();
        assertThat(stage.token(two)).isEqualTo(2);
    }

    // Transfers

    @Test
    void aTransferToACandidateWhoseSessionEndsAtOnceLeavesTheRoleOpenToAll() {
        stage.lead(one);
        Seat target = stage.start(two);
        stage.run(1);
        stage.lose(two, ACQUIRE, REQUEST, EVER);
        stage.tell(one, new RoleEvent.Transfer(target.candidate(), Duration.ofSeconds(60)));
        stage.until(() -> !stage.effects(one, RoleEffect.ConcludeTransfer.class).isEmpty(), 5);
        assertThat(stage.last(one, RoleEffect.ConcludeTransfer.class).outcome())
                .isEqualTo(Answer.done(Concluded.CONCLUDED));
        SessionId session = target.process().session(1).orElseThrow();
        target.process().crash();
        stage.run(2);
        assertThat(stage.phase(one)).isEqualTo(Phase.Kind.WAITING);
        stage.world.store().close(session);
        stage.until(stage.seat(one)::proceeds, 5);

        assertThat(stage.token(one)).isEqualTo(2);
    }

    // Clocks and pauses

    @Test
    void aWallClockThatLeapsAnHourSuspendsForOneRoundTripAndOneThatFallsBackDoesNothing() {
        stage.lead(one);
        stage.untilRenewed(one);
        one.clocks().setWall(3_600_000, stage.world.now());
        stage.run(3);
        assertThat(stage.effects(one, SessionEffect.NotifySuspended.class)).hasSize(1);
        assertThat(stage.effects(one, SessionEffect.NotifyResumed.class)).hasSize(1);
        assertThat(stage.when(one, SessionEffect.NotifyResumed.class, 0)
                        - stage.when(one, SessionEffect.NotifySuspended.class, 0))
                .isLessThan(0.1);

        one.clocks().setWall(-3_600_000, stage.world.now());
        stage.run(30);
        assertThat(stage.effects(one, SessionEffect.NotifySuspended.class)).hasSize(1);
        assertThat(stage.effects(one, RoleEffect.EndTerm.class)).isEmpty();
        assertThat(stage.seat(one).proceeds()).isTrue();
        assertThat(stage.token(one)).isEqualTo(1);
    }

    @Test
    void anEventLoopThatStarvesForSixSecondsLosesNothingAndItsTickDecides() {
        stage.lead(one);
        stage.delay(one, RENEW, ANSWER, 400, 1);
        stage.untilRenewalIsSent(one);
        stage.nemesis.starve(one, 6_300 * Agenda.MILLI);
        stage.run(5);
        assertThat(stage.seat(one).isValid()).isTrue();
        stage.run(5);

        assertThat(stage.effects(one, Event.Paused.class)).hasSize(1);
        assertThat(stage.effects(one, SessionEffect.NotifySuspended.class)).isEmpty();
        assertThat(stage.seat(one).proceeds()).isTrue();
        assertThat(stage.token(one)).isEqualTo(1);
    }
}
