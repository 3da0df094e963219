package dev.signet.runtime;

import dev.signet.FencingToken;
import dev.signet.Role;
import dev.signet.TermEnd;
import dev.signet.election.role.Phase;
import dev.signet.election.role.Pulse;
import dev.signet.election.role.RoleEvent;
import dev.signet.election.role.Tenure;
import dev.signet.observe.Event;
import dev.signet.store.Grant;
import dev.signet.store.Release;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** The roles of a candidate. Elections may be added by any thread; the rest is used on the event loop only. */
final class Roles implements SessionRoles {

    private static final Set<Phase.Kind> UNDER_WAY =
            Set.of(Phase.Kind.ACQUIRING, Phase.Kind.RELEASING, Phase.Kind.ENDING);

    private final CandidateContext context;
    private final Map<Role, ElectionHandle> elections = new ConcurrentHashMap<>();
    private final Map<Role, RoleRunner> runners = new LinkedHashMap<>();
    private @Nullable Holdings holdings;
    private Pulse pulse = new Pulse(0, Pulse.Beat.GONE);

    Roles(CandidateContext context) {
        this.context = context;
    }

    /** @throws IllegalStateException if there is an election for the role that has not been closed */
    void add(ElectionHandle election) {
        elections.merge(election.role(), election, (present, added) -> {
            if (!present.runner().finished().isDone()) {
                throw new IllegalStateException("this candidate campaigns for role '" + added.role() + "' already");
            }
            return added;
        });
    }

    Collection<ElectionHandle> elections() {
        return elections.values();
    }

    /** Tells a new role how the session is. */
    void introduce(RoleRunner runner) {
        runners.put(runner.role(), runner);
        changed();
        switch (pulse.beat()) {
            case LIVE -> runner.tell(new RoleEvent.SessionLive(pulse.epoch()));
            case SUSPENDED -> runner.tell(new RoleEvent.SessionSuspended(pulse.epoch()));
            case GONE -> {}
        }
    }

    @Override
    public void live(long epoch) {
        beat(epoch, Pulse.Beat.LIVE, new RoleEvent.SessionLive(epoch));
    }

    @Override
    public void suspended(long epoch) {
        beat(epoch, Pulse.Beat.SUSPENDED, new RoleEvent.SessionSuspended(epoch));
    }

    @Override
    public void resumed(long epoch) {
        beat(epoch, Pulse.Beat.LIVE, new RoleEvent.SessionResumed(epoch));
    }

    @Override
    public void lost(long epoch, TermEnd.Reason reason) {
        beat(epoch, Pulse.Beat.GONE, new RoleEvent.SessionLost(epoch, reason));
    }

    private void beat(long epoch, Pulse.Beat beat, RoleEvent event) {
        pulse = new Pulse(epoch, beat);
        running().forEach(runner -> runner.tell(event));
    }

    /** Counted anew only after a role has changed: a heartbeat of ten thousand costs no more than that of one. */
    @Override
    public Holdings holdings() {
        Holdings known = holdings;
        if (known == null) {
            known = countHoldings();
            holdings = known;
        }
        return known;
    }

    private Holdings countHoldings() {
        Map<Role, FencingToken> tokens = new HashMap<>();
        boolean settled = true;
        for (RoleRunner runner : runners.values()) {
            runner.state().tenure().map(Tenure::grant).ifPresent(grant -> tokens.put(grant.role(), grant.token()));
            settled &= !UNDER_WAY.contains(runner.state().phase().kind());
        }
        return new Holdings(tokens, settled);
    }

    /** A role is in another state now. */
    void changed() {
        holdings = null;
    }

    @Override
    public Map<Role, Long> grantedAttempts() {
        Map<Role, Long> attempts = new HashMap<>();
        runners.forEach((role, runner) -> attempts.put(role, runner.state().grantedAttempt()));
        return attempts;
    }

    @Override
    public void reconcile(long epoch, Map<Role, Long> grantedAttempts, Map<Role, Grant> held) {
        grantedAttempts.forEach((role, attempt) -> {
            RoleRunner runner = runners.get(role);
            if (runner != null) {
                runner.tell(new RoleEvent.Reconciled(epoch, attempt, Optional.ofNullable(held.get(role))));
            }
        });
        held.values().stream()
                .filter(grant -> !runners.containsKey(grant.role()))
                .forEach(grant -> releaseUnknown(epoch, grant));
    }

    /** A grant of a role for which nobody here campaigns. */
    private void releaseUnknown(long epoch, Grant grant) {
        context.events().emit(new Event.OrphanFound(grant.role(), grant.token()));
        askToRelease(epoch, grant);
    }

    /** Until it is answered, or the session is gone and the grant with it. */
    private void askToRelease(long epoch, Grant grant) {
        context.requests()
                .ask(
                        epoch,
                        session -> context.store()
                                .release(
                                        new Release(session, grant.role(), grant.attempt(), grant.version()),
                                        context.requests().timeout()),
                        answer -> answer.handle(
                                view -> {},
                                gone -> {},
                                unknown -> context.loop()
                                        .schedule(
                                                () -> askToRelease(epoch, grant),
                                                context.requests().timeout())));
    }

    private List<RoleRunner> running() {
        runners.values().removeIf(runner -> runner.finished().isDone());
        return new ArrayList<>(runners.values());
    }
}
