package dev.signet.store.jdbc;

import dev.signet.Answer;
import dev.signet.CandidateId;
import dev.signet.FencingToken;
import dev.signet.Namespace;
import dev.signet.Role;
import dev.signet.StoreId;
import dev.signet.lease.LeaseTiming;
import dev.signet.store.Acquire;
import dev.signet.store.Concluded;
import dev.signet.store.Grant;
import dev.signet.store.HeldDigest;
import dev.signet.store.NotGranted;
import dev.signet.store.NotGranted.Reason;
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
import dev.signet.store.jdbc.SessionTable.Attempts;
import dev.signet.store.jdbc.SessionTable.Campaigner;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What each request does, inside a transaction. Between what it reads of a role's record and what it writes there nobody else
 * writes: the record is locked before it is read. A session is locked only by who ends it, and ends only as it was read; so
 * nothing below waits for a lock while it holds another, and a renewal never waits for a grant.
 *
 * <p>A session is there as long as its record is. Only another's need ends it early: who wants a role of a session whose
 * lease has passed deletes the session and takes the role in one transaction. So a renewal either comes before that, and then
 * the lease has not passed, or after it, and then there is nothing left to renew. A renewal that is late but meets nobody's
 * need succeeds: a host that slept through all its leases goes on with the same leaders.
 */
final class Transactions {

    private static final Logger LOG = LoggerFactory.getLogger(Transactions.class);

    /** Beyond it a reservation is no transfer; it ends with the session of its target anyway. */
    private static final Duration LONGEST_WINDOW = Duration.ofDays(1);

    private final SessionTable sessions;
    private final RoleTable roles;
    private final Leases leases;

    Transactions(Namespace namespace, Leases leases) {
        this.sessions = new SessionTable(namespace);
        this.roles = new RoleTable(namespace);
        this.leases = leases;
    }

    /** What the requests have to find, so that it can be locked. */
    void prepare(Link link, Collection<Role> fresh) throws SQLException {
        roles.prepare(link, fresh);
    }

    Answer<Opened, StoreRefusal> open(Link link, OpenSession request, StoreId storeId) throws SQLException {
        if (request.leaseDuration().isNegative()
                || request.leaseDuration().isZero()
                || request.leaseDuration().compareTo(LeaseTiming.LONGEST_LEASE) > 0) {
            return Answer.refused(new StoreRefusal(
                    StoreRefusal.Kind.LEASE_OUT_OF_RANGE,
                    "a lease of " + request.leaseDuration().toMillis() + " ms is outside 1 ms to "
                            + LeaseTiming.LONGEST_LEASE.toMillis() + " ms; choose one in between"));
        }
        Optional<SessionRow> session = sessions.find(link, request.session());
        if (session.isPresent() && sessions.renew(link, session.get(), leases.now(link.clock()))) {
            return Answer.done(new Opened(storeId));
        }
        if (sessions.isEnded(link, request.session())) {
            return Answer.refused(new StoreRefusal(
                    StoreRefusal.Kind.SESSION_ENDED, "this session is over; open another, with an id of its own"));
        }
        sessions.insert(link, request, leases.now(link.clock()));
        return Answer.done(new Opened(storeId));
    }

    Answer<Renewed, SessionGone> renew(Link link, SessionId id) throws SQLException {
        Optional<SessionRow> session = sessions.find(link, id);
        if (session.isEmpty() || !sessions.renew(link, session.get(), leases.now(link.clock()))) {
            return Answer.refused(SessionGone.INSTANCE);
        }
        return Answer.done(new Renewed(OptionalLong.of(sessions.held(link, session.get()))));
    }

    Answer<Concluded, SessionGone> close(Link link, SessionId id) throws SQLException, RecordBusy {
        Optional<SessionRow> session = sessions.find(link, id);
        if (session.isPresent()) {
            sessions.end(link, session.get().number());
        } else {
            sessions.neverOpen(link, id);
        }
        return Answer.done(Concluded.CONCLUDED);
    }

    /**
     * Ends those of the sessions whose leases have ended, to be asked only about such as ended long ago, and removes what the
     * ended ones have left.
     */
    Answer<Concluded, SessionGone> sweep(Link link, Collection<Long> longEnded) throws SQLException {
        Leases.Moment now = leases.now(link.clock());
        for (Map.Entry<Long, Lease> session : sessions.leases(link).entrySet()) {
            if (longEnded.contains(session.getKey()) && now.hasEnded(session.getValue())) {
                try {
                    sessions.endExpired(link, session.getKey(), session.getValue());
                } catch (RecordBusy e) {
                    LOG.debug("not swept: somebody sees to it, or it lives", e);
                }
            }
        }
        sessions.sweep(link);
        return Answer.done(Concluded.CONCLUDED);
    }

    Answer<RoleView, SessionGone> enlist(Link link, SessionId id, Role role) throws SQLException {
        Optional<SessionRow> session = sessions.find(link, id);
        if (session.isEmpty()) {
            return Answer.refused(SessionGone.INSTANCE);
        }
        sessions.enlist(link, session.get(), role, true);
        return Answer.done(roles.find(link, role).view(leases.now(link.clock())));
    }

    Answer<Concluded, SessionGone> withdraw(Link link, SessionId id, Role role) throws SQLException {
        Optional<SessionRow> session = sessions.find(link, id);
        if (session.isPresent()) {
            sessions.enlist(link, session.get(), role, false);
        }
        return Answer.done(Concluded.CONCLUDED);
    }

    /**
     * Where several reasons to refuse are true, the first of: session gone, released, held, moved, tokens exhausted. An
     * attempt that was refused stays refused, even where the record did not move while its holder's session ended.
     */
    Answer<Grant, NotGranted> acquire(Link link, Acquire request, StoreId storeId) throws SQLException, RecordBusy {
        RoleRow row = roles.lock(link, request.role());
        Optional<Campaigner> found = sessions.find(link, request.session(), request.role());
        if (found.isEmpty()) {
            return refusal(link, Reason.SESSION_GONE, row);
        }
        SessionRow session = found.get().session();
        Attempts attempts = found.get().attempts();
        if (row.isHeldBy(session) && isGrantOf(row, request)) {
            return Answer.done(grant(row, storeId));
        }
        if (request.attempt() <= attempts.released()) {
            return refusal(link, Reason.RELEASED, row);
        }
        Leases.Moment now = leases.now(link.clock());
        Optional<Reason> refusal = refuses(request, session, row, attempts, now);
        long held = 0;
        if (refusal.isEmpty()) {
            held = sessions.lockHeld(link, session);
            endWhoeverIsInTheWay(link, session, row, now);
        }
        sessions.markAnswered(link, session, request.role(), attempts, request.attempt());
        if (refusal.isPresent()) {
            return refusal(link, refusal.get(), row);
        }
        return Answer.done(take(link, request, session, row, held, storeId));
    }

    private static boolean isGrantOf(RoleRow row, Acquire request) {
        return row.held()
                .filter(held ->
                        held.attempt() == request.attempt() && held.termId().equals(request.termId()))
                .isPresent();
    }

    private static Optional<Reason> refuses(
            Acquire request, SessionRow session, RoleRow row, Attempts attempts, Leases.Moment now) {
        boolean keptForAnother = row.keptNow(now)
                .filter(kept -> !kept.target().equals(session.candidate()))
                .isPresent();
        if (keptForAnother || (!row.isHeldBy(session) && !row.isClaimable(now))) {
            return Optional.of(Reason.HELD);
        }
        if (row.version() != request.expectedVersion() || request.attempt() <= attempts.answered()) {
            return Optional.of(Reason.MOVED);
        }
        return highest(request, row) >= FencingToken.MAX_VALUE
                ? Optional.of(Reason.TOKENS_EXHAUSTED)
                : Optional.empty();
    }

    private static long highest(Acquire request, RoleRow row) {
        return Math.max(row.token(), request.floor());
    }

    /** What the grant relies on is written first: that the holder's session is over, or that of whom the role is kept for. */
    private void endWhoeverIsInTheWay(Link link, SessionRow session, RoleRow row, Leases.Moment now)
            throws SQLException, RecordBusy {
        Optional<RoleRow.Held> holder = row.held().filter(held -> held.number() != session.number());
        if (holder.isPresent() && holder.get().session().isPresent()) {
            sessions.endExpired(
                    link, holder.get().number(), holder.get().session().get());
        }
        Optional<RoleRow.Kept> expired = row.kept()
                .filter(kept -> !kept.target().equals(session.candidate()))
                .filter(kept -> kept.session().map(now::hasEnded).orElse(false))
                .filter(kept ->
                        holder.map(held -> held.number() != kept.number()).orElse(true));
        if (expired.isPresent()) {
            sessions.endExpired(
                    link, expired.get().number(), expired.get().session().orElseThrow());
        }
    }

    private Grant take(Link link, Acquire request, SessionRow session, RoleRow row, long held, StoreId storeId)
            throws SQLException {
        long token = highest(request, row) + 1;
        long digest = held + digest(request.role(), token);
        if (row.isHeldBy(session)) {
            digest -= digest(request.role(), row.token());
        }
        long version = roles.grant(link, request, session, row, token);
        sessions.noteHeld(link, session, digest);
        return new Grant(request.role(), FencingToken.of(token), request.termId(), storeId, request.attempt(), version);
    }

    private Answer<Grant, NotGranted> refusal(Link link, Reason reason, RoleRow row) throws SQLException {
        return Answer.refused(new NotGranted(reason, row.view(leases.now(link.clock()))));
    }

    private static Grant grant(RoleRow row, StoreId storeId) {
        RoleRow.Held held = row.held().orElseThrow();
        return new Grant(
                row.role(), FencingToken.of(row.token()), held.termId(), storeId, held.attempt(), row.version());
    }

    Answer<RoleView, SessionGone> release(Link link, Release request) throws SQLException, RecordBusy {
        RoleRow row = roles.lock(link, request.role());
        Optional<Campaigner> found = sessions.find(link, request.session(), request.role());
        Optional<SessionRow> session = found.map(Campaigner::session);
        boolean mine = session.map(row::isHeldBy).orElse(false)
                && row.held().orElseThrow().attempt() <= request.attempt();
        if (mine) {
            long held = sessions.lockHeld(link, session.get());
            roles.free(link, row);
            sessions.noteHeld(link, session.get(), held - digest(request.role(), row.token()));
        } else if (row.version() == request.expectedVersion()) {
            roles.touch(link, row);
        }
        if (found.isPresent()) {
            sessions.markReleased(
                    link, found.get().session(), request.role(), found.get().attempts(), request.attempt());
        }
        return Answer.done(roles.find(link, request.role()).view(leases.now(link.clock())));
    }

    /** Asked again, it is made anew, with a window from now. */
    Answer<RoleView, NotReserved> reserve(Link link, Reserve request) throws SQLException, RecordBusy {
        RoleRow row = roles.lock(link, request.role());
        Optional<SessionRow> session = sessions.find(link, request.session());
        boolean mine = session.map(row::isHeldBy).orElse(false)
                && row.held().orElseThrow().attempt() == request.attempt();
        if (!mine) {
            return Answer.refused(NotReserved.NOT_HOLDER);
        }
        Leases.Moment now = leases.now(link.clock());
        Optional<SessionRow> target = sessions.campaigning(link, request.target(), request.role(), now);
        if (target.isEmpty()) {
            return Answer.refused(NotReserved.TARGET_NOT_CAMPAIGNING);
        }
        roles.keep(link, row, target.get(), now.begin(nanos(request.window())));
        return Answer.done(roles.find(link, request.role()).view(now));
    }

    Answer<List<Grant>, SessionGone> held(Link link, SessionId id, StoreId storeId) throws SQLException {
        Optional<SessionRow> session = sessions.find(link, id);
        if (session.isEmpty()) {
            return Answer.refused(SessionGone.INSTANCE);
        }
        List<Grant> grants = new ArrayList<>();
        for (RoleRow row : roles.heldBy(link, session.get())) {
            grants.add(grant(row, storeId));
        }
        return Answer.done(grants);
    }

    Answer<RoleView, StoreRefusal> read(Link link, Role role) throws SQLException {
        return Answer.done(roles.find(link, role).view(leases.now(link.clock())));
    }

    Answer<List<RoleView>, StoreRefusal> roles(Link link) throws SQLException {
        Leases.Moment now = leases.now(link.clock());
        List<RoleView> views = new ArrayList<>();
        for (RoleRow row : roles.all(link)) {
            views.add(row.view(now));
        }
        views.sort(Comparator.comparing(RoleView::role));
        return Answer.done(views);
    }

    Answer<List<CandidateId>, StoreRefusal> candidates(Link link, Role role) throws SQLException {
        return Answer.done(List.copyOf(sessions.campaigning(link, role, leases.now(link.clock()))));
    }

    private static long nanos(Duration window) {
        return window.compareTo(LONGEST_WINDOW) > 0 ? LONGEST_WINDOW.toNanos() : Math.max(0, window.toNanos());
    }

    private static long digest(Role role, long token) {
        return HeldDigest.of(Map.of(role, FencingToken.of(token)));
    }
}
