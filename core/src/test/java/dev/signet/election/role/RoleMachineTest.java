package dev.signet.election.role;

import static org.assertj.core.api.Assertions.assertThat;

import dev.signet.Advertised;
import dev.signet.Answer;
import dev.signet.CandidateId;
import dev.signet.FencingToken;
import dev.signet.ResourceName;
import dev.signet.Role;
import dev.signet.StoreId;
import dev.signet.TermEnd;
import dev.signet.TermEnd.Reason;
import dev.signet.TermId;
import dev.signet.election.role.RoleEffect.CallDeposed;
import dev.signet.election.role.RoleEffect.CallElected;
import dev.signet.election.role.RoleEffect.CallPrepare;
import dev.signet.election.role.RoleEffect.ConcludeTransfer;
import dev.signet.election.role.RoleEffect.EndTerm;
import dev.signet.election.role.RoleEffect.SendAcquire;
import dev.signet.election.role.RoleEffect.SendRelease;
import dev.signet.election.role.RoleEffect.SendReserve;
import dev.signet.election.role.RoleEffect.SendSeal;
import dev.signet.election.role.RoleEffect.SignalDraining;
import dev.signet.election.role.RoleEvent.Outcome;
import dev.signet.fence.Refusal;
import dev.signet.fence.SealPolicy;
import dev.signet.fence.SealRefusal;
import dev.signet.lease.LeaseTiming;
import dev.signet.store.Concluded;
import dev.signet.store.Grant;
import dev.signet.store.Holder;
import dev.signet.store.NotGranted;
import dev.signet.store.RoleView;
import dev.signet.time.Reading;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Transcripts of one role with one required resource, {@code ledger}, and one that may be away, {@code remote}. */
class RoleMachineTest {

    private static final Role ROLE = Role.of("nightly");
    private static final CandidateId ME = new CandidateId("me", "1");
    private static final CandidateId OTHER = new CandidateId("other", "1");
    private static final ResourceName LEDGER = ResourceName.of("ledger");
    private static final ResourceName REMOTE = ResourceName.of("remote");
    private static final StoreId STORE = new StoreId("store");
    private static final RolePlan PLAN = new RolePlan(
            ME,
            ROLE,
            Map.of(LEDGER, SealPolicy.REQUIRED, REMOTE, SealPolicy.ON_CONTACT),
            LeaseTiming.DEFAULT,
            Duration.ofSeconds(30),
            Duration.ofSeconds(30));

    private RoleState state = RoleMachine.initial(PLAN);
    private List<RoleEffect> effects = List.of();
    private final List<RoleEffect> story = new ArrayList<>();
    private final Map<Long, TermId> terms = new HashMap<>();
    private long termIds;

    @BeforeEach
    void campaignOnALiveSession() {
        tell(new RoleEvent.SessionLive(1));
        tell(new RoleEvent.Campaign());
        assertThat(effects).contains(new RoleEffect.Watch(), new RoleEffect.Enlist(1));
    }

    @Test
    void aTermSealsThenPreparesThenLeads() {
        tell(new RoleEvent.Observed(free(0)));
        SendAcquire asked = only(SendAcquire.class);
        assertThat(asked.expectedVersion()).isZero();

        tell(granted(1, 1));
        assertThat(effects).filteredOn(SendSeal.class::isInstance).hasSize(2);
        assertThat(phase()).isEqualTo(Phase.Kind.SEALING);

        tell(new RoleEvent.Sealed(term(1), LEDGER));
        assertThat(effects).hasAtLeastOneElementOfType(CallPrepare.class);
        assertThat(phase()).isEqualTo(Phase.Kind.PREPARING);

        tell(returned(1, Callback.PREPARE));
        assertThat(effects).contains(new CallElected(token(1)));
        assertThat(phase()).isEqualTo(Phase.Kind.LEADING);
    }

    @Test
    void aHeldRoleIsWaitedForAndTakenWhenItIsFree() {
        tell(new RoleEvent.Observed(heldBy(OTHER, 4, 7)));
        assertThat(phase()).isEqualTo(Phase.Kind.WAITING);

        tell(new RoleEvent.Observed(free(5)));

        assertThat(only(SendAcquire.class).expectedVersion()).isEqualTo(5);
    }

    @Test
    void anOlderViewDoesNotRewind() {
        tell(new RoleEvent.Observed(heldBy(OTHER, 4, 7)));

        tell(new RoleEvent.Observed(free(3)));

        assertThat(phase()).isEqualTo(Phase.Kind.WAITING);
        assertThat(effects).isEmpty();
    }

    @Test
    void anUnknownAcquireIsAskedAgainUnderTheSameAttemptAndTermId() {
        tell(new RoleEvent.Observed(free(0)));
        SendAcquire first = only(SendAcquire.class);

        tell(new RoleEvent.AcquireUnknown(1));
        tell(new RoleEvent.TimerFired(new Timer.Reacquire()));

        assertThat(only(SendAcquire.class)).isEqualTo(first);
    }

    @Test
    void closingWhileAcquiringReleasesAndALateGrantIsNotAnnounced() {
        tell(new RoleEvent.Observed(free(6)));

        tell(new RoleEvent.Close());
        assertThat(only(SendRelease.class)).isEqualTo(new SendRelease(1, 1, 6));
        tell(granted(1, 7));
        assertThat(effects).isEmpty();
        tell(new RoleEvent.Released(1, free(8)));

        assertThat(phase()).isEqualTo(Phase.Kind.CLOSED);
        assertThat(story).noneMatch(CallPrepare.class::isInstance);
    }

    @Test
    void aDeclinedAttemptIsFollowedAtOnceIfTheRoleWasSeenToBecomeFreeMeanwhile() {
        tell(new RoleEvent.Observed(free(3)));
        tell(new RoleEvent.Observed(
                new RoleView(ROLE, 4, 2, Optional.of(holder(OTHER, 2)), true, Optional.empty(), Optional.empty())));

        tell(new RoleEvent.Declined(1, new NotGranted(NotGranted.Reason.HELD, heldBy(OTHER, 4, 2))));

        assertThat(only(SendAcquire.class).attempt()).isEqualTo(2);
    }

    @Test
    void aLostSessionEndsTheTermAndTellsTheListenerAfterwards() {
        leads(1);

        tell(new RoleEvent.SessionLost(1, Reason.RENEW_DEADLINE));

        assertThat(effects.get(0)).isEqualTo(new EndTerm(token(1), TermEnd.because(Reason.RENEW_DEADLINE)));
        assertThat(effects).hasAtLeastOneElementOfType(CallDeposed.class);
        assertThat(phase()).isEqualTo(Phase.Kind.ENDING);
    }

    @Test
    void aRoleIsNotCampaignedForBeforeTheOldTermsListenerHasReturned() {
        leads(1);
        tell(new RoleEvent.SessionLost(1, Reason.SESSION_GONE));
        tell(new RoleEvent.SessionLive(2));
        tell(new RoleEvent.Observed(free(20)));
        assertThat(effects).noneMatch(SendAcquire.class::isInstance);

        tell(returned(1, Callback.ELECTED));
        assertThat(effects).noneMatch(SendAcquire.class::isInstance);
        tell(returned(1, Callback.DEPOSED));

        assertThat(only(SendAcquire.class))
                .extracting(SendAcquire::epoch, SendAcquire::attempt)
                .containsExactly(2L, 2L);
    }

    @Test
    void aListenerThatDoesNotReturnIsReportedAfterTheGraceAndKeepsTheCandidateFromCampaigning() {
        leads(1);
        tell(new RoleEvent.SessionLost(1, Reason.SESSION_GONE));
        tell(new RoleEvent.SessionLive(2));

        tell(new RoleEvent.TimerFired(new Timer.Grace()));
        assertThat(story).anyMatch(effect -> effect.toString().contains("ListenerOverran"));
        tell(new RoleEvent.Observed(free(20)));
        assertThat(phase()).isEqualTo(Phase.Kind.WAITING);
        assertThat(effects).noneMatch(SendAcquire.class::isInstance);

        tell(returned(1, Callback.ELECTED));
        assertThat(effects).noneMatch(SendAcquire.class::isInstance);
        tell(returned(1, Callback.DEPOSED));
        assertThat(only(SendAcquire.class).epoch()).isEqualTo(2);
    }

    @Test
    void aRoleWhoseListenerDoesNotReturnIsReleasedForOthersAfterTheGrace() {
        leads(1);
        tell(new RoleEvent.Resign());
        tell(new RoleEvent.Campaign());
        tell(new RoleEvent.TimerFired(new Timer.Drain()));
        assertThat(effects).noneMatch(SendRelease.class::isInstance);

        tell(new RoleEvent.TimerFired(new Timer.Grace()));
        assertThat(only(SendRelease.class).attempt()).isEqualTo(1);
        tell(new RoleEvent.Released(1, free(12)));

        assertThat(phase()).isEqualTo(Phase.Kind.WAITING);
    }

    @Test
    void resigningDrainsUnderAValidTermThenEndsThenReleases() {
        leads(1);
        tell(new RoleEvent.Resign());
        assertThat(effects).contains(new SignalDraining(token(1), Reason.RESIGNED));
        assertThat(phase()).isEqualTo(Phase.Kind.RESIGNING);
        assertThat(story).noneMatch(EndTerm.class::isInstance);

        tell(returned(1, Callback.ELECTED));
        assertThat(effects.get(0)).isEqualTo(new EndTerm(token(1), TermEnd.because(Reason.RESIGNED)));
        assertThat(effects).noneMatch(SendRelease.class::isInstance);
        tell(returned(1, Callback.DEPOSED));
        assertThat(only(SendRelease.class).attempt()).isEqualTo(1);
        tell(new RoleEvent.Released(1, free(12)));

        assertThat(phase()).isEqualTo(Phase.Kind.IDLE);
    }

    @Test
    void aCampaignDuringTheReleaseUsesAHigherAttempt() {
        leads(1);
        tell(new RoleEvent.Resign());
        tell(returned(1, Callback.ELECTED));
        tell(returned(1, Callback.DEPOSED));

        tell(new RoleEvent.Campaign());
        tell(new RoleEvent.Released(1, free(12)));

        assertThat(only(SendAcquire.class).attempt()).isEqualTo(2);
    }

    @Test
    void aReleaseThatIsNotAnsweredIsAskedForAgain() {
        leads(1);
        tell(new RoleEvent.Resign());
        tell(returned(1, Callback.ELECTED));
        tell(returned(1, Callback.DEPOSED));
        SendRelease first = only(SendRelease.class);

        tell(new RoleEvent.ReleaseUnknown(1));
        tell(new RoleEvent.TimerFired(new Timer.Rerelease()));

        assertThat(only(SendRelease.class)).isEqualTo(first);
    }

    @Test
    void workThatDoesNotDrainInTimeIsEnded() {
        leads(1);
        tell(new RoleEvent.Resign());

        tell(new RoleEvent.TimerFired(new Timer.Drain()));

        assertThat(only(EndTerm.class).end().reason()).isEqualTo(Reason.DRAIN_OVERRUN);
    }

    @Test
    void aSuspendedTermKeepsItsFactsAndGoesOnFromThem() {
        tell(new RoleEvent.Observed(free(0)));
        tell(granted(1, 1));
        tell(new RoleEvent.SessionSuspended(1));
        assertThat(phase()).isEqualTo(Phase.Kind.FROZEN);
        tell(new RoleEvent.Sealed(term(1), LEDGER));
        assertThat(effects).noneMatch(CallPrepare.class::isInstance);

        tell(new RoleEvent.SessionResumed(1));

        assertThat(effects).hasAtLeastOneElementOfType(CallPrepare.class);
    }

    @Test
    void aGrantThatArrivesWhileSuspendedIsNotActedOnBeforeTheSessionResumes() {
        tell(new RoleEvent.Observed(free(0)));
        tell(new RoleEvent.SessionSuspended(1));
        tell(granted(1, 1));
        tell(new RoleEvent.Sealed(term(1), LEDGER));
        assertThat(phase()).isEqualTo(Phase.Kind.FROZEN);

        tell(new RoleEvent.SessionLost(1, Reason.SESSION_GONE));

        assertThat(story).noneMatch(CallPrepare.class::isInstance);
        assertThat(only(EndTerm.class).token()).isEqualTo(token(1));
    }

    @Test
    void resigningWhileSuspendedDrainsWhenItIsResumed() {
        leads(1);
        tell(new RoleEvent.SessionSuspended(1));
        tell(new RoleEvent.Resign());
        assertThat(effects).contains(new SignalDraining(token(1), Reason.RESIGNED));
        tell(returned(1, Callback.ELECTED));
        assertThat(phase()).isEqualTo(Phase.Kind.FROZEN);

        tell(new RoleEvent.SessionResumed(1));

        assertThat(only(EndTerm.class).end().reason()).isEqualTo(Reason.RESIGNED);
    }

    @Test
    void aWriteRefusedAsStaleEndsTheTermThoughTheSessionLives() {
        leads(1);

        tell(new RoleEvent.FenceRefused(term(1), LEDGER, Refusal.STALE));

        assertThat(only(EndTerm.class).end().reason()).isEqualTo(Reason.SUPERSEDED);
    }

    @Test
    void aRefusalOfAnEarlierTermSaysNothingOfThisOne() {
        leads(3);

        tell(new RoleEvent.FenceRefused(term(2), LEDGER, Refusal.STALE));

        assertThat(phase()).isEqualTo(Phase.Kind.LEADING);
    }

    @Test
    void anUnsealedResourceEndsNothing() {
        leads(1);

        tell(new RoleEvent.FenceRefused(term(1), REMOTE, Refusal.UNSEALED));

        assertThat(phase()).isEqualTo(Phase.Kind.LEADING);
    }

    @Test
    void aResourceThatHasForgottenItsSealIsSealedAgain() {
        leads(1);

        tell(new RoleEvent.FenceRefused(term(1), LEDGER, Refusal.UNSEALED));

        assertThat(only(SendSeal.class).resource()).isEqualTo(LEDGER);
        assertThat(state.tenure().orElseThrow().sealed()).doesNotContain(LEDGER);
        assertThat(phase()).isEqualTo(Phase.Kind.LEADING);
    }

    @Test
    void aGrantThatANewerRecordContradictsIsGivenBackAndNobodyIsTold() {
        tell(new RoleEvent.Observed(free(0)));
        tell(new RoleEvent.Observed(heldBy(OTHER, 4, 2)));

        tell(granted(1, 1, 1));

        assertThat(only(SendRelease.class).attempt()).isEqualTo(1);
        assertThat(story).noneMatch(SendSeal.class::isInstance).noneMatch(EndTerm.class::isInstance);
    }

    @Test
    void aRecordThatNamesThisCandidateWhileItHoldsNothingIsReleasedWithoutTouchingAnythingElse() {
        tell(new RoleEvent.Observed(heldBy(ME, 5, 4)));

        assertThat(only(SendRelease.class)).isEqualTo(new SendRelease(1, 0, 0));
        assertThat(phase()).isEqualTo(Phase.Kind.RELEASING);

        tell(new RoleEvent.Released(0, heldBy(ME, 5, 4)));
        assertThat(effects).noneMatch(SendRelease.class::isInstance);
        assertThat(phase()).isEqualTo(Phase.Kind.WAITING);
    }

    @Test
    void whatIsSaidOfAnEarlierTermWithTheSameTokenSaysNothingOfThisOne() {
        leads(1);
        RoleEvent late = new RoleEvent.Sealed(term(1), LEDGER);
        tell(new RoleEvent.SessionLost(1, Reason.SESSION_GONE));
        tell(returned(1, Callback.ELECTED));
        tell(returned(1, Callback.DEPOSED));
        tell(new RoleEvent.SessionLive(2));
        tell(new RoleEvent.Observed(free(0)));
        tell(granted(2, 1, 1));

        tell(late);

        assertThat(phase()).isEqualTo(Phase.Kind.SEALING);
    }

    @Test
    void aNewerRecordThatNamesAnotherEndsTheTermAtOnce() {
        leads(8);

        tell(new RoleEvent.Observed(heldBy(OTHER, 30, 9)));

        assertThat(only(EndTerm.class).end().reason()).isEqualTo(Reason.LOST_AT_STORE);
    }

    @Test
    void aRecordOlderThanTheGrantIsIgnored() {
        tell(new RoleEvent.Observed(free(0)));
        tell(granted(1, 5, 42));

        tell(new RoleEvent.Observed(free(41)));

        assertThat(phase()).isEqualTo(Phase.Kind.SEALING);
    }

    @Test
    void whatTheStoreDoesNotHoldIsOver() {
        leads(1);
        tell(new RoleEvent.Reconciled(1, 0, Optional.empty()));
        assertThat(phase()).isEqualTo(Phase.Kind.LEADING);

        tell(new RoleEvent.Reconciled(1, 1, Optional.empty()));

        assertThat(only(EndTerm.class).end().reason()).isEqualTo(Reason.LOST_AT_STORE);
    }

    @Test
    void aGrantNobodyKnowsOfIsReleased() {
        tell(new RoleEvent.Observed(heldBy(OTHER, 4, 7)));
        Grant orphan = new Grant(ROLE, token(8), new TermId(9, 9), STORE, 3, 5);

        tell(new RoleEvent.Reconciled(1, 0, Optional.of(orphan)));

        assertThat(only(SendRelease.class).attempt()).isEqualTo(3);
    }

    @Test
    void aFenceThatHasSeenMoreIsHealedOnceAboveIt() {
        tell(new RoleEvent.Observed(free(0)));
        tell(granted(1, 2));

        tell(sealRefused(2, Refusal.STALE, 40));
        assertThat(only(EndTerm.class).end().reason()).isEqualTo(Reason.HEALED);
        assertThat(only(SendAcquire.class))
                .extracting(SendAcquire::attempt, SendAcquire::floor)
                .containsExactly(2L, 40L);
        tell(granted(2, 41));
        assertThat(story).anyMatch(effect -> effect.toString().contains("TokensSkipped"));

        tell(sealRefused(41, Refusal.STALE, 90));
        assertThat(only(EndTerm.class).end().reason()).isEqualTo(Reason.SEAL_REFUSED);
        assertThat(effects).anyMatch(effect -> effect.toString().contains("Alarm"));
    }

    @Test
    void aRoleIsHealedThreeTimesAnHourAndNoMore() {
        long attempt = 0;
        for (int i = 0; i < 4; i++) {
            tell(new RoleEvent.Observed(free(100 + i)));
            tell(granted(++attempt, 10 * i + 1, 100 + i));
            tell(sealRefused(10 * i + 1, Refusal.STALE, 10 * i + 5));
            if (i < 3) {
                attempt = only(SendAcquire.class).attempt();
                tell(granted(attempt, 10 * i + 6, 100 + i));
                tell(new RoleEvent.SessionLost(1, Reason.SESSION_GONE));
                tell(new RoleEvent.SessionLive(1));
            }
        }

        assertThat(effects).noneMatch(SendAcquire.class::isInstance);
        assertThat(only(EndTerm.class).end().reason()).isEqualTo(Reason.SEAL_REFUSED);
    }

    @Test
    void aForeignStoresFenceIsNeverHealed() {
        tell(new RoleEvent.Observed(free(0)));
        tell(granted(1, 2));

        tell(sealRefused(2, Refusal.FOREIGN_STORE, 40));

        assertThat(effects).noneMatch(SendAcquire.class::isInstance);
        assertThat(only(EndTerm.class).end().reason()).isEqualTo(Reason.SEAL_REFUSED);
    }

    @Test
    void aListenerThatThrowsResignsAndOthersGetTheRoleForAWhile() {
        tell(new RoleEvent.Observed(free(0)));
        tell(granted(1, 1));
        tell(new RoleEvent.Sealed(term(1), LEDGER));
        tell(returned(1, Callback.PREPARE));

        tell(new RoleEvent.CallbackReturned(term(1), Callback.ELECTED, new Outcome.Threw("boom")));
        assertThat(only(EndTerm.class).end().reason()).isEqualTo(Reason.LISTENER_FAILED);
        tell(returned(1, Callback.DEPOSED));
        tell(new RoleEvent.Released(1, free(9)));
        assertThat(phase()).isEqualTo(Phase.Kind.WAITING);

        tell(new RoleEvent.TimerFired(new Timer.BackOff()));
        assertThat(only(SendAcquire.class).attempt()).isEqualTo(2);
    }

    @Test
    void anExecutorThatTakesNoWorkResigns() {
        tell(new RoleEvent.Observed(free(0)));
        tell(granted(1, 1));
        tell(new RoleEvent.Sealed(term(1), LEDGER));

        tell(new RoleEvent.CallbackReturned(term(1), Callback.PREPARE, new Outcome.Rejected()));

        assertThat(effects).hasAtLeastOneElementOfType(EndTerm.class).hasAtLeastOneElementOfType(SendRelease.class);
    }

    @Test
    void aTransferReservesThenDrainsThenReleasesThenSaysSo() {
        leads(1);
        tell(new RoleEvent.Transfer(OTHER, Duration.ofSeconds(20)));
        assertThat(only(SendReserve.class).to()).isEqualTo(OTHER);
        assertThat(phase()).isEqualTo(Phase.Kind.LEADING);

        tell(new RoleEvent.Reserved(1));
        assertThat(phase()).isEqualTo(Phase.Kind.RESIGNING);
        tell(returned(1, Callback.ELECTED));
        tell(returned(1, Callback.DEPOSED));
        tell(new RoleEvent.Released(
                1,
                new RoleView(
                        ROLE,
                        12,
                        1,
                        Optional.empty(),
                        true,
                        Optional.empty(),
                        Optional.of(new RoleView.Reservation(OTHER, Duration.ofSeconds(9))))));

        assertThat(effects).contains(new ConcludeTransfer(OTHER, Answer.done(Concluded.CONCLUDED)));
        assertThat(phase()).isEqualTo(Phase.Kind.WAITING);
    }

    @Test
    void aRefusedTransferChangesNothing() {
        leads(1);
        tell(new RoleEvent.Transfer(OTHER, Duration.ofSeconds(20)));

        tell(new RoleEvent.ReserveRefused(1, dev.signet.store.NotReserved.TARGET_NOT_CAMPAIGNING));

        assertThat(only(ConcludeTransfer.class).outcome()).isInstanceOf(Answer.Refused.class);
        assertThat(phase()).isEqualTo(Phase.Kind.LEADING);
    }

    @Test
    void aReservationThatTheStoreDidNotAnswerIsUnknown() {
        leads(1);
        tell(new RoleEvent.Transfer(OTHER, Duration.ofSeconds(20)));

        tell(new RoleEvent.ReserveUnknown(1));

        assertThat(only(ConcludeTransfer.class).outcome()).isInstanceOf(Answer.Unknown.class);
        assertThat(phase()).isEqualTo(Phase.Kind.LEADING);
    }

    @Test
    void aTransferWhoseTermEndsMeanwhileIsUnknown() {
        leads(1);
        tell(new RoleEvent.Transfer(OTHER, Duration.ofSeconds(20)));

        tell(new RoleEvent.Resign());
        tell(returned(1, Callback.ELECTED));

        assertThat(only(ConcludeTransfer.class).outcome()).isInstanceOf(Answer.Unknown.class);
    }

    @Test
    void aTransferToOneselfChangesNothing() {
        leads(1);

        tell(new RoleEvent.Transfer(ME, Duration.ofSeconds(20)));

        assertThat(only(ConcludeTransfer.class).outcome()).isInstanceOf(Answer.Refused.class);
        assertThat(phase()).isEqualTo(Phase.Kind.LEADING);
    }

    @Test
    void afterClosingNothingIsAskedFor() {
        tell(new RoleEvent.Close());
        assertThat(effects).contains(new RoleEffect.Finished());

        tell(new RoleEvent.SessionLive(2));
        tell(new RoleEvent.Observed(free(50)));
        tell(new RoleEvent.WatchBroken());
        tell(new RoleEvent.Campaign());

        assertThat(effects).isEmpty();
        assertThat(phase()).isEqualTo(Phase.Kind.CLOSED);
    }

    private void leads(long token) {
        tell(new RoleEvent.Observed(free(0)));
        tell(granted(1, token));
        tell(new RoleEvent.Sealed(term(token), LEDGER));
        tell(returned(token, Callback.PREPARE));
        assertThat(phase()).isEqualTo(Phase.Kind.LEADING);
    }

    private void tell(RoleEvent event) {
        RoleMachine.Step step = RoleMachine.step(state, event, new Reading(1, 1), new TermId(0, ++termIds));
        state = step.state();
        effects = step.effects();
        story.addAll(effects);
    }

    private <E extends RoleEffect> E only(Class<E> kind) {
        List<E> found =
                effects.stream().filter(kind::isInstance).map(kind::cast).toList();
        assertThat(found).as("%s in %s", kind.getSimpleName(), effects).hasSize(1);
        return found.get(0);
    }

    private Phase.Kind phase() {
        return state.phase().kind();
    }

    /** The grant that answers the last acquire. */
    private RoleEvent granted(long attempt, long token) {
        return granted(attempt, token, 10);
    }

    private RoleEvent granted(long attempt, long token, long version) {
        TermId termId = story.stream()
                .filter(SendAcquire.class::isInstance)
                .map(SendAcquire.class::cast)
                .filter(asked -> asked.attempt() == attempt)
                .reduce((first, second) -> second)
                .orElseThrow()
                .termId();
        terms.put(token, termId);
        return new RoleEvent.Granted(new Grant(ROLE, token(token), termId, STORE, attempt, version));
    }

    private RoleEvent returned(long token, Callback callback) {
        return new RoleEvent.CallbackReturned(term(token), callback, new Outcome.Returned());
    }

    private RoleEvent sealRefused(long token, Refusal refusal, long highest) {
        return new RoleEvent.SealRefused(term(token), LEDGER, new SealRefusal(refusal, highest, "refused"));
    }

    private static RoleView free(long version) {
        return new RoleView(ROLE, version, 0, Optional.empty(), true, Optional.empty(), Optional.empty());
    }

    private static RoleView heldBy(CandidateId candidate, long version, long token) {
        return new RoleView(
                ROLE, version, token, Optional.of(holder(candidate, token)), false, Optional.empty(), Optional.empty());
    }

    private static Holder holder(CandidateId candidate, long token) {
        return new Holder(candidate, Advertised.NOTHING, token(token), "otherdigest0");
    }

    /** The id of the term that was granted this token last. */
    private TermId term(long token) {
        return terms.getOrDefault(token, new TermId(1, token));
    }

    private static FencingToken token(long value) {
        return FencingToken.of(value);
    }
}
