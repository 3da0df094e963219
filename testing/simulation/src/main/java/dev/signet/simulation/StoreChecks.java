package dev.signet.simulation;

import dev.signet.Answer;
import dev.signet.CandidateId;
import dev.signet.Role;
import dev.signet.TermId;
import dev.signet.store.Acquire;
import dev.signet.store.Grant;
import dev.signet.store.NotGranted;
import dev.signet.store.NotReserved;
import dev.signet.store.OpenSession;
import dev.signet.store.Opened;
import dev.signet.store.Release;
import dev.signet.store.Renewed;
import dev.signet.store.Reserve;
import dev.signet.store.RoleView;
import dev.signet.store.SessionGone;
import dev.signet.store.SessionId;
import dev.signet.store.StoreRefusal;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What the store did, judged by its requests and answers alone: R1, R6, R7, C3, C5, C9, C17. */
final class StoreChecks {

    private final World world;
    private final Map<SessionId, Heartbeat> sessions = new HashMap<>();
    private final Map<Role, Ledger> ledgers = new HashMap<>();
    private final Set<TermId> granted = new HashSet<>();

    StoreChecks(World world) {
        this.world = world;
    }

    private static final class Heartbeat {
        private final CandidateId candidate;
        private final long leaseNanos;
        private long renewedAt;
        private boolean gone;
        private final Map<Role, Long> releasedUpTo = new HashMap<>();

        Heartbeat(OpenSession opening, long clock) {
            candidate = opening.candidate();
            leaseNanos = opening.leaseDuration().toNanos();
            renewedAt = clock;
        }
    }

    private static final class Ledger {
        private long lastToken;
        private @Nullable Acquire holder;
        private final Set<TermId> terms = new HashSet<>();
        private Optional<Kept> kept = Optional.empty();
    }

    private record Kept(CandidateId target, List<Heartbeat> sessions, long until) {}

    private Ledger ledger(Role role) {
        return ledgers.computeIfAbsent(role, any -> new Ledger());
    }

    void opened(OpenSession request, Answer<Opened, StoreRefusal> answer, long clock) {
        if (answer instanceof Answer.Done<?, ?>) {
            Heartbeat heartbeat = sessions.computeIfAbsent(request.session(), id -> new Heartbeat(request, clock));
            world.require(!heartbeat.gone, Rule.GONE, () -> "a session that was gone was opened again");
            heartbeat.renewedAt = clock;
        }
    }

    void renewed(SessionId session, Answer<Renewed, SessionGone> answer, long clock) {
        Heartbeat heartbeat = sessions.get(session);
        if (heartbeat == null) {
            return;
        }
        if (answer instanceof Answer.Done<?, ?>) {
            world.require(!heartbeat.gone, Rule.GONE, () -> "a renewal was answered done after the session was gone");
            heartbeat.renewedAt = clock;
        } else if (!heartbeat.gone) {
            expires(heartbeat, clock, "a session was declared gone");
        }
    }

    private void expires(Heartbeat heartbeat, long clock, String what) {
        long since = clock - heartbeat.renewedAt;
        world.require(
                since >= heartbeat.leaseNanos,
                Rule.LEASE,
                () -> what + " " + since / Agenda.MILLI + " ms after its last accepted renewal");
        heartbeat.gone = true;
        world.sometimes(Sometimes.SESSION_EXPIRED_AT_STORE);
    }

    void closed(SessionId session) {
        Heartbeat heartbeat = sessions.get(session);
        if (heartbeat != null) {
            heartbeat.gone = true;
        }
    }

    void acquired(Acquire request, Answer<Grant, NotGranted> answer, RoleView before, long clock) {
        Ledger ledger = ledger(request.role());
        if (answer instanceof Answer.Refused<Grant, NotGranted> refused
                && refused.why().reason() == NotGranted.Reason.RELEASED) {
            world.require(
                    hasReleased(request.session(), request.role(), request.attempt()),
                    Rule.ONE_GRANT,
                    () -> "attempt " + request.attempt() + " was refused as released, which it was not");
        }
        if (!(answer instanceof Answer.Done<Grant, NotGranted> done)) {
            return;
        }
        Grant grant = done.value();
        granted.add(grant.termId());
        if (isAgain(request, ledger.holder)) {
            world.require(
                    grant.token().value() == ledger.lastToken,
                    Rule.ONE_GRANT,
                    () -> "attempt " + request.attempt() + " was granted " + grant.token() + " after "
                            + ledger.lastToken);
            world.sometimes(Sometimes.ACQUIRE_REPEATED_SAME_GRANT);
            return;
        }
        Heartbeat heartbeat = sessions.get(request.session());
        if (heartbeat == null) {
            // of before the store was restored
            world.require(world.hasForgotten(), Rule.GONE, () -> "a role was granted to a session that never was");
            ledger.kept = Optional.empty();
            ledger.lastToken = grant.token().value();
            ledger.holder = request;
            return;
        }
        world.require(!heartbeat.gone, Rule.GONE, () -> "a role was granted to a session that is gone");
        world.require(
                request.attempt() > heartbeat.releasedUpTo.getOrDefault(request.role(), 0L),
                Rule.ONE_GRANT,
                () -> "attempt " + request.attempt() + " was granted after its release");
        world.require(
                request.expectedVersion() == before.version(),
                Rule.ONE_GRANT,
                () -> "granted on version " + before.version() + " though decided on " + request.expectedVersion());
        long expected = Math.max(ledger.lastToken, request.floor()) + 1;
        world.require(
                grant.token().value() == expected,
                Rule.TOKEN_PLUS_ONE,
                () -> "granted token " + grant.token() + " instead of " + expected);
        world.require(ledger.terms.add(grant.termId()), Rule.TOKEN_PLUS_ONE, () -> "a term id was granted twice");
        takesOver(ledger, request, clock);
        ledger.kept.ifPresent(kept -> isForTarget(kept, heartbeat, clock));
        ledger.kept = Optional.empty();
        ledger.lastToken = grant.token().value();
        ledger.holder = request;
    }

    private static boolean isAgain(Acquire request, @Nullable Acquire holder) {
        return holder != null
                && holder.session().equals(request.session())
                && holder.attempt() == request.attempt()
                && holder.termId().equals(request.termId());
    }

    private void takesOver(Ledger ledger, Acquire request, long clock) {
        Acquire holder = ledger.holder;
        if (holder == null || holder.session().equals(request.session())) {
            return;
        }
        Heartbeat other = sessions.get(holder.session());
        if (other != null && !other.gone) {
            expires(other, clock, "a role was granted to another");
            world.sometimes(Sometimes.TAKEOVER_AFTER_EXPIRY);
        }
    }

    private void isForTarget(Kept kept, Heartbeat taker, long clock) {
        // which of its sessions was meant, only the store knows
        boolean stands = clock < kept.until()
                && kept.sessions().stream()
                        .allMatch(session -> !session.gone && clock - session.renewedAt < session.leaseNanos);
        world.require(
                !stands || taker.candidate.equals(kept.target()),
                Rule.RESERVED,
                () -> "reserved for " + kept.target() + ", granted to " + taker.candidate);
    }

    void released(Release request, RoleView before, RoleView after, long clock) {
        Heartbeat heartbeat = sessions.get(request.session());
        if (heartbeat != null) {
            heartbeat.releasedUpTo.merge(request.role(), request.attempt(), Math::max);
        }
        Ledger ledger = ledger(request.role());
        Acquire holder = ledger.holder;
        if (holder == null) {
            return;
        }
        boolean own = holder.session().equals(request.session());
        if (own && holder.attempt() <= request.attempt()) {
            ledger.holder = null;
            return;
        }
        Heartbeat other = sessions.get(holder.session());
        if (other != null && !other.gone && clock - other.renewedAt < other.leaseNanos) {
            world.require(
                    after.holder().equals(before.holder()),
                    Rule.OWN_ONLY,
                    () -> "a release of attempt " + request.attempt() + " ended "
                            + (own ? "its candidate's own newer grant" : "another's grant"));
        }
    }

    void reserved(Reserve request, Answer<RoleView, NotReserved> answer, long clock) {
        Ledger ledger = ledger(request.role());
        if (answer instanceof Answer.Done<?, ?>) {
            List<Heartbeat> open = sessions.values().stream()
                    .filter(session -> session.candidate.equals(request.target()) && !session.gone)
                    .toList();
            ledger.kept = Optional.of(
                    new Kept(request.target(), open, clock + request.window().toNanos()));
        }
    }

    /** The store has forgotten; what it says now is where the rules begin anew. */
    void restored(StoreHost store) {
        sessions.clear();
        ledgers.clear();
        for (Role role : world.roles()) {
            ledger(role).lastToken = store.view(role).lastToken();
        }
    }

    /** Whether the store has ever granted this term. */
    boolean hasGranted(TermId term) {
        return granted.contains(term);
    }

    /** Whether attempts of the session up to this one were released; true also where this cannot be told. */
    boolean hasReleased(SessionId session, Role role, long attempt) {
        Heartbeat heartbeat = sessions.get(session);
        return heartbeat == null || heartbeat.gone || heartbeat.releasedUpTo.getOrDefault(role, 0L) >= attempt;
    }
}
