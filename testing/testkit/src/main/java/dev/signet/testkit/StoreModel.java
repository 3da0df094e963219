package dev.signet.testkit;

import dev.signet.Answer;
import dev.signet.CandidateId;
import dev.signet.FencingToken;
import dev.signet.Role;
import dev.signet.StoreId;
import dev.signet.lease.LeaseTiming;
import dev.signet.store.Acquire;
import dev.signet.store.Concluded;
import dev.signet.store.Grant;
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
import dev.signet.testkit.RoleRecord.Holding;
import dev.signet.testkit.RoleRecord.Kept;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The reference store: what {@link dev.signet.store.Store} promises, and nothing around it. Each request is taken at a
 * time of the store's own clock, in nanoseconds from any origin, and answered at once; there is no thread, clock, chance
 * or unstable order in it. {@link MemoryStore} makes a store of it, the simulation a world around it.
 *
 * <p><b>When a session ends.</b> A lease that has run out does not end a session; it allows anybody to record the end:
 * the {@linkplain #sweep sweep}, or an acquire that finds the lease of the holder over. Until then a renewal still saves
 * it; from then on nothing does, and a copy of its opening that arrives late does not bring it back. Whoever was once told
 * that a session is gone is told so for ever. A store that sweeps late therefore delays takeovers that nobody asks for,
 * and nothing else.
 *
 * <p><b>How records refer to each other.</b> A role's record names the session that was granted it, and the end of that
 * session frees the role without a write to its record: the version stays, only what {@link RoleView} says of it changes.
 * A reservation likewise names one session of its target, and ends with it. Since sessions never come back, neither does
 * what has ended with them.
 *
 * <p>The methods that are neither public nor private are the rules, one each, for this package's tests to break. Not
 * thread-safe.
 */
public class StoreModel {

    private StoreRecords records;

    public StoreModel(StoreId storeId) {
        records = new StoreRecords(storeId);
    }

    public StoreId storeId() {
        return records.storeId();
    }

    // Sessions

    /** Opened anew or asked again, an open session lasts a full lease from now. */
    public Answer<Opened, StoreRefusal> open(OpenSession request, long nowNanos) {
        Duration lease = request.leaseDuration();
        if (lease.isNegative() || lease.isZero() || lease.compareTo(LeaseTiming.LONGEST_LEASE) > 0) {
            return Answer.refused(new StoreRefusal(
                    StoreRefusal.Kind.LEASE_OUT_OF_RANGE,
                    "a lease of " + lease + " is not above zero and at most " + LeaseTiming.LONGEST_LEASE));
        }
        if (isEnded(request.session())) {
            return Answer.refused(new StoreRefusal(
                    StoreRefusal.Kind.SESSION_ENDED, "this session is over; open another, with an id of its own"));
        }
        SessionRecord session = records.session(request.session());
        if (session == null) {
            records.add(new SessionRecord(request, nowNanos));
        } else {
            session.renew(nowNanos);
        }
        return Answer.done(new Opened(storeId()));
    }

    public Answer<Renewed, SessionGone> renew(SessionId id, long nowNanos) {
        SessionRecord session = renewable(id, nowNanos);
        if (session == null) {
            return Answer.refused(SessionGone.INSTANCE);
        }
        session.renew(nowNanos);
        return Answer.done(new Renewed(OptionalLong.of(session.digest())));
    }

    /** A session that is closed before it was opened never opens. */
    public Answer<Concluded, SessionGone> close(SessionId id) {
        end(id);
        return Answer.done(Concluded.CONCLUDED);
    }

    public Answer<RoleView, SessionGone> enlist(SessionId id, Role role, long nowNanos) {
        SessionRecord session = living(id, nowNanos);
        if (session == null) {
            return Answer.refused(SessionGone.INSTANCE);
        }
        session.enlisted().add(role);
        return Answer.done(view(role, nowNanos));
    }

    /** A reservation that was made before stays until its window has passed or the session has ended. */
    public Answer<Concluded, SessionGone> withdraw(SessionId id, Role role) {
        SessionRecord session = records.session(id);
        if (session != null) {
            session.enlisted().remove(role);
        }
        return Answer.done(Concluded.CONCLUDED);
    }

    public Answer<List<Grant>, SessionGone> held(SessionId id, long nowNanos) {
        SessionRecord session = living(id, nowNanos);
        return session == null
                ? Answer.refused(SessionGone.INSTANCE)
                : Answer.done(List.copyOf(session.holds().values()));
    }

    // Roles

    /**
     * Where several reasons to refuse are true, the first of: session gone, released, held, moved, tokens exhausted. An
     * attempt that was refused stays refused: a copy of it, or of an older one, has moved, even where the record has not,
     * since a holder's session may have ended in between.
     */
    public Answer<Grant, NotGranted> acquire(Acquire request, long nowNanos) {
        SessionRecord session = living(request.session(), nowNanos);
        if (session == null) {
            return notGranted(Reason.SESSION_GONE, request, nowNanos);
        }
        if (isReleased(request, session.releasedUpTo(request.role()))) {
            return notGranted(Reason.RELEASED, request, nowNanos);
        }
        Grant standing = session.holds().get(request.role());
        if (standing != null && isAnswerTo(standing, request)) {
            return Answer.done(standing);
        }
        RoleRecord record = records.role(request.role());
        Optional<Reason> refusal = refuses(request, session, record, nowNanos);
        session.answer(request.role(), request.attempt());
        return refusal.isPresent()
                ? notGranted(refusal.get(), request, nowNanos)
                : Answer.done(grant(request, session, record, nowNanos));
    }

    private Optional<Reason> refuses(Acquire request, SessionRecord session, RoleRecord record, long nowNanos) {
        boolean mine = session.holds().containsKey(request.role());
        if ((!mine && !isClaimable(record, nowNanos))
                || isKeptFromOthers(record, session.opening().candidate(), nowNanos)) {
            return Optional.of(Reason.HELD);
        }
        if (hasMoved(record, request) || isAnswered(request, session.answeredUpTo(request.role()))) {
            return Optional.of(Reason.MOVED);
        }
        return Math.max(record.lastToken(), request.floor()) >= FencingToken.MAX_VALUE
                ? Optional.of(Reason.TOKENS_EXHAUSTED)
                : Optional.empty();
    }

    private Grant grant(Acquire request, SessionRecord session, RoleRecord record, long nowNanos) {
        record.holding()
                .filter(other -> !other.session().equals(request.session()))
                .ifPresent(other -> end(other.session()));
        records.reservation(record.role())
                .filter(kept -> !kept.target().equals(session.opening().candidate()))
                .ifPresent(kept -> living(kept.session(), nowNanos));
        records.dropReservation(record.role());
        FencingToken token = FencingToken.of(tokenAfter(record.lastToken(), request.floor()));
        Grant grant =
                new Grant(record.role(), token, request.termId(), storeId(), request.attempt(), record.version() + 1);
        session.holds().put(record.role(), grant);
        records.write(record.granted(new Holding(
                request.session(),
                session.opening().candidate(),
                session.opening().advertised(),
                grant)));
        return grant;
    }

    public Answer<RoleView, SessionGone> release(Release request, long nowNanos) {
        SessionRecord session = living(request.session(), nowNanos);
        RoleRecord record = records.role(request.role());
        Grant standing = session == null ? null : session.holds().get(request.role());
        if (session != null) {
            session.release(request.role(), request.attempt());
        }
        if (session != null && standing != null && isOf(standing, request)) {
            session.holds().remove(request.role());
            records.write(record.freed());
        } else if (record.version() == request.expectedVersion()) {
            outdate(record);
        }
        return Answer.done(view(request.role(), nowNanos));
    }

    /** Asked again, it is made anew, with a window from now. */
    public Answer<RoleView, NotReserved> reserve(Reserve request, long nowNanos) {
        SessionRecord session = living(request.session(), nowNanos);
        Grant standing = session == null ? null : session.holds().get(request.role());
        if (standing == null || standing.attempt() != request.attempt()) {
            return Answer.refused(NotReserved.NOT_HOLDER);
        }
        Optional<SessionRecord> target = campaigning(request.target(), request.role(), nowNanos);
        if (target.isEmpty()) {
            return Answer.refused(NotReserved.TARGET_NOT_CAMPAIGNING);
        }
        long until = nowNanos + request.window().toNanos();
        records.keep(
                request.role(),
                new Kept(request.target(), target.get().opening().session(), until));
        records.write(records.role(request.role()).touched());
        return Answer.done(view(request.role(), nowNanos));
    }

    public Answer<RoleView, StoreRefusal> read(Role role, long nowNanos) {
        return Answer.done(view(role, nowNanos));
    }

    public Answer<List<RoleView>, StoreRefusal> roles(long nowNanos) {
        return Answer.done(
                records.roles().stream().map(role -> view(role, nowNanos)).toList());
    }

    public Answer<List<CandidateId>, StoreRefusal> candidates(Role role, long nowNanos) {
        return Answer.done(records.sessions().stream()
                .map(session -> session.opening().candidate())
                .distinct()
                .filter(candidate -> campaigning(candidate, role, nowNanos).isPresent())
                .toList());
    }

    // Time, and what watchers are told

    /**
     * Records the end of every session whose lease is over, and drops the reservations whose window has passed. Ask for
     * {@link #takeChanged} afterwards.
     */
    public void sweep(long nowNanos) {
        List.copyOf(records.sessions())
                .forEach(session -> living(session.opening().session(), nowNanos));
        records.dropReservations(kept -> kept.untilNanos() - nowNanos <= 0);
    }

    /** When the next sweep has something to do; empty if time changes nothing. */
    public OptionalLong nextDueNanos() {
        return records.nextDueNanos();
    }

    /**
     * The roles of which a watcher has something new to hear since this was last called, in the order of their names:
     * those written to, those freed by the end of a session, those whose reservation ended.
     */
    public Set<Role> takeChanged() {
        return records.takeChanged();
    }

    // What may befall a store

    /** A backup of all that the store knows now. */
    public Snapshot snapshot() {
        return new Snapshot(records.copy());
    }

    /** The store is again what it was then: it forgot what was granted since, and sessions that ended since live. */
    public void restore(Snapshot backup) {
        records = backup.records.copy().insteadOf(records);
    }

    /** Everything is lost, and the store is another. */
    public void wipe(StoreId next) {
        records = new StoreRecords(next).insteadOf(records);
    }

    /** Somebody deleted the record of a role by hand, with its token. */
    public void forget(Role role) {
        records.forget(role);
    }

    /** Another process of the store has taken over, which knows no deadlines: each session lasts a full lease from now. */
    public void leaseAnew(long nowNanos) {
        records.sessions().forEach(session -> session.renew(nowNanos));
    }

    /** All that a store knew, at one moment. Opaque; immutable. */
    public static final class Snapshot {

        private final StoreRecords records;

        private Snapshot(StoreRecords records) {
            this.records = records;
        }
    }

    // Rules

    /** From this moment on the end of the session may be recorded. */
    boolean isOver(long deadlineNanos, long nowNanos) {
        return deadlineNanos - nowNanos <= 0;
    }

    boolean isEnded(SessionId id) {
        return records.isEnded(id);
    }

    /** The session to renew: one whose end was not recorded, whatever its lease. */
    @Nullable
    SessionRecord renewable(SessionId id, long nowNanos) {
        SessionRecord session = records.session(id);
        return session == null ? living(id, nowNanos) : session;
    }

    boolean isReleased(Acquire request, long releasedUpTo) {
        return request.attempt() <= releasedUpTo;
    }

    /** Answered before, this attempt or a newer one of its session. */
    boolean isAnswered(Acquire request, long answeredUpTo) {
        return request.attempt() <= answeredUpTo;
    }

    boolean isAnswerTo(Grant standing, Acquire request) {
        return standing.attempt() == request.attempt() && standing.termId().equals(request.termId());
    }

    boolean hasMoved(RoleRecord record, Acquire request) {
        return record.version() != request.expectedVersion();
    }

    /** One above all that was granted, and above the floor. */
    long tokenAfter(long lastToken, long floor) {
        return Math.max(lastToken, floor) + 1;
    }

    /** Whether what the session holds is what it releases. */
    boolean isOf(Grant standing, Release release) {
        return standing.attempt() <= release.attempt();
    }

    /** Lets an acquire that was decided on this record fail when it arrives. */
    void outdate(RoleRecord record) {
        records.write(record.touched());
    }

    boolean isKept(Kept kept, long nowNanos) {
        SessionRecord session = records.session(kept.session());
        return kept.untilNanos() - nowNanos > 0 && session != null && !isOver(session.deadlineNanos(), nowNanos);
    }

    /** The newest living session of the candidate that campaigns for the role; older ones it has lost. */
    Optional<SessionRecord> campaigning(CandidateId candidate, Role role, long nowNanos) {
        return records.sessions().stream()
                .filter(session -> session.opening().candidate().equals(candidate))
                .filter(session -> session.enlisted().contains(role))
                .filter(session -> !isOver(session.deadlineNanos(), nowNanos))
                .reduce((older, newer) -> newer);
    }

    boolean endsWith(Kept kept, SessionId session) {
        return kept.session().equals(session);
    }

    /** Records the end of a session, known or not: what it holds is free, what was kept for it is open to all. */
    void end(SessionId id) {
        records.end(id);
        records.dropReservations(kept -> endsWith(kept, id));
    }

    // What is so at a time

    /** A session that has not ended; the end is recorded first if its lease is over. */
    private @Nullable SessionRecord living(SessionId id, long nowNanos) {
        SessionRecord session = records.session(id);
        if (session != null && !isOver(session.deadlineNanos(), nowNanos)) {
            return session;
        }
        end(id);
        return null;
    }

    private boolean isClaimable(RoleRecord record, long nowNanos) {
        return deadlineOfHolder(record).stream().allMatch(deadline -> isOver(deadline, nowNanos));
    }

    private OptionalLong deadlineOfHolder(RoleRecord record) {
        SessionRecord session =
                record.holding().map(Holding::session).map(records::session).orElse(null);
        return session == null ? OptionalLong.empty() : OptionalLong.of(session.deadlineNanos());
    }

    private boolean isKeptFromOthers(RoleRecord record, CandidateId candidate, long nowNanos) {
        return records.reservation(record.role())
                .filter(kept -> isKept(kept, nowNanos))
                .filter(kept -> !kept.target().equals(candidate))
                .isPresent();
    }

    private Answer<Grant, NotGranted> notGranted(Reason reason, Acquire request, long nowNanos) {
        return Answer.refused(new NotGranted(reason, view(request.role(), nowNanos)));
    }

    private RoleView view(Role role, long nowNanos) {
        RoleRecord record = records.role(role);
        boolean claimable = isClaimable(record, nowNanos);
        Optional<Duration> claimableIn = claimable
                ? Optional.empty()
                : Optional.of(Duration.ofNanos(deadlineOfHolder(record).orElse(nowNanos) - nowNanos));
        Optional<RoleView.Reservation> reservation = records.reservation(role)
                .filter(kept -> isKept(kept, nowNanos))
                .map(kept -> new RoleView.Reservation(kept.target(), Duration.ofNanos(kept.untilNanos() - nowNanos)));
        return new RoleView(
                role,
                record.version(),
                record.lastToken(),
                record.holding().map(Holding::holder),
                claimable,
                claimableIn,
                reservation);
    }
}
