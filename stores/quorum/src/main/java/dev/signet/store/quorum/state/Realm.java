package dev.signet.store.quorum.state;

import dev.signet.CandidateId;
import dev.signet.FencingToken;
import dev.signet.Role;
import dev.signet.StoreId;
import dev.signet.store.Acquire;
import dev.signet.store.Grant;
import dev.signet.store.NotGranted;
import dev.signet.store.NotGranted.Reason;
import dev.signet.store.NotReserved;
import dev.signet.store.OpenSession;
import dev.signet.store.Release;
import dev.signet.store.Reserve;
import dev.signet.store.RoleView;
import dev.signet.store.SessionId;
import dev.signet.store.StoreRefusal;
import dev.signet.store.quorum.state.RoleEntry.Holding;
import dev.signet.store.quorum.state.RoleEntry.Kept;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The rules, for one namespace: what {@link dev.signet.store.Store} promises, but for time. Here a session lives until its end is
 * recorded; whoever has a clock asks for that.
 *
 * <p>Whoever is told that a session is gone is told so for ever: a command of a session that is not known ends it.
 */
final class Realm {

    private final Sessions sessions = new Sessions();
    private final NavigableMap<Role, RoleEntry> roles = new TreeMap<>();
    private final Consumer<Role> changed;

    /** @param changed is told of each role whose view becomes another */
    Realm(Consumer<Role> changed) {
        this.changed = changed;
    }

    boolean isEmpty() {
        return sessions.isEmpty() && roles.isEmpty();
    }

    Sessions sessions() {
        return sessions;
    }

    List<CandidateId> candidates(Role role) {
        return sessions.campaigning(role);
    }

    Collection<RoleEntry> roles() {
        return roles.values();
    }

    RoleEntry role(Role role) {
        RoleEntry entry = roles.get(role);
        return entry == null ? RoleEntry.absent(role) : entry;
    }

    RoleView view(Role role) {
        return role(role).view();
    }

    // Sessions

    Reply open(OpenSession request, StoreId storeId) {
        Duration lease = request.leaseDuration();
        if (lease.compareTo(Limits.SHORTEST_LEASE) < 0 || lease.compareTo(Limits.LONGEST_LEASE) > 0) {
            return new Reply.Refused(new StoreRefusal(
                    StoreRefusal.Kind.LEASE_OUT_OF_RANGE,
                    "a lease of " + lease + " is not between " + Limits.SHORTEST_LEASE + " and "
                            + Limits.LONGEST_LEASE));
        }
        if (sessions.hasEnded(request.session())) {
            return new Reply.Refused(new StoreRefusal(
                    StoreRefusal.Kind.SESSION_ENDED, "this session is over; open another, with an id of its own"));
        }
        Session session = sessions.live(request.session());
        if (session == null) {
            sessions.add(new Session(request, 1));
        } else {
            session.openedAgain();
        }
        return new Reply.Opened(storeId);
    }

    /** A session that is closed before it was opened never opens. */
    Reply close(SessionId id) {
        end(id);
        return new Reply.Done();
    }

    Reply enlist(SessionId id, Role role) {
        Session session = living(id);
        if (session == null) {
            return new Reply.Gone();
        }
        session.enlisted().add(role);
        return new Reply.Viewed(view(role));
    }

    /** A reservation that was made before stays until its window has passed or the session has ended. */
    Reply withdraw(SessionId id, Role role) {
        Session session = sessions.live(id);
        if (session != null) {
            session.enlisted().remove(role);
        }
        return new Reply.Done();
    }

    Reply expire(SessionId id, long openings) {
        Session session = sessions.live(id);
        if (session == null || session.openings() != openings) {
            return new Reply.Ignored();
        }
        end(id);
        return new Reply.Done();
    }

    /** Records the end of a session, known or not: what it holds is free, what was kept for it is open to all. */
    private void end(SessionId id) {
        Session session = sessions.end(id);
        if (session != null) {
            session.holds().forEach(grant -> rewrite(role(grant.role()).abandoned()));
            session.keptFor().forEach(role -> rewrite(role(role).open()));
        }
    }

    private @Nullable Session living(SessionId id) {
        Session session = sessions.live(id);
        if (session == null) {
            end(id);
        }
        return session;
    }

    // Roles

    /**
     * Where several reasons to refuse are true, the first of: session gone, released, held, moved, tokens exhausted. An
     * attempt that was refused stays refused: a copy of it, or of an older one, has moved, even where the record has not,
     * since a holder's session may have ended in between.
     */
    Reply take(Acquire request, @Nullable StoreId storeId) {
        Session session = living(request.session());
        if (session == null || storeId == null) {
            return denied(Reason.SESSION_GONE, request);
        }
        if (request.attempt() <= session.attemptsAt(request.role()).released()) {
            return denied(Reason.RELEASED, request);
        }
        Grant standing = session.held(request.role());
        if (standing != null && RoleEntry.answers(standing, request)) {
            return new Reply.Granted(standing);
        }
        RoleEntry entry = role(request.role());
        Optional<Reason> refusal = refuses(request, session, entry);
        session.answered(request.role(), request.attempt());
        return refusal.isPresent()
                ? denied(refusal.get(), request)
                : new Reply.Granted(grant(request, session, entry, storeId));
    }

    private Reply denied(Reason reason, Acquire request) {
        return new Reply.Denied(new NotGranted(reason, view(request.role())));
    }

    private static Optional<Reason> refuses(Acquire request, Session session, RoleEntry entry) {
        boolean mine = session.held(request.role()) != null;
        if ((!mine && !entry.isClaimable()) || entry.isKeptFrom(session.candidate())) {
            return Optional.of(Reason.HELD);
        }
        if (entry.version() != request.expectedVersion()
                || request.attempt() <= session.attemptsAt(request.role()).answered()) {
            return Optional.of(Reason.MOVED);
        }
        return Math.max(entry.lastToken(), request.floor()) >= FencingToken.MAX_VALUE
                ? Optional.of(Reason.TOKENS_EXHAUSTED)
                : Optional.empty();
    }

    private Grant grant(Acquire request, Session session, RoleEntry entry, StoreId storeId) {
        FencingToken token = FencingToken.of(Math.max(entry.lastToken(), request.floor()) + 1);
        Grant grant = new Grant(entry.role(), token, request.termId(), storeId, request.attempt(), entry.version() + 1);
        forgetTarget(entry);
        session.gain(grant);
        rewrite(entry.granted(new Holding(
                Optional.of(session.id()),
                session.candidate(),
                session.opening().advertised(),
                grant)));
        return grant;
    }

    Reply free(Release request) {
        Session session = living(request.session());
        RoleEntry entry = role(request.role());
        Grant standing = session == null ? null : session.held(request.role());
        if (session != null) {
            session.released(request.role(), request.attempt());
        }
        if (session != null && standing != null && standing.attempt() <= request.attempt()) {
            session.lose(request.role());
            rewrite(entry.freed());
        } else if (entry.version() == request.expectedVersion()) {
            rewrite(entry.touched());
        }
        return new Reply.Viewed(view(request.role()));
    }

    /** Asked again, it is made anew, with a number of its own. A window of nothing takes back what was reserved. */
    Reply keep(Reserve request) {
        Session session = living(request.session());
        Grant standing = session == null ? null : session.held(request.role());
        if (standing == null || standing.attempt() != request.attempt()) {
            return new Reply.Unreserved(NotReserved.NOT_HOLDER);
        }
        Optional<Session> target = sessions.campaigning(request.target(), request.role());
        if (target.isEmpty()) {
            return new Reply.Unreserved(NotReserved.TARGET_NOT_CAMPAIGNING);
        }
        RoleEntry entry = role(request.role());
        forgetTarget(entry);
        if (request.window().compareTo(Duration.ZERO) <= 0) {
            rewrite(entry.touched().open());
        } else {
            Duration window =
                    request.window().compareTo(Limits.LONGEST_WINDOW) < 0 ? request.window() : Limits.LONGEST_WINDOW;
            rewrite(entry.keptFor(new Kept(request.target(), target.get().id(), window, entry.version() + 1)));
            target.get().keptFor().add(request.role());
        }
        return new Reply.Viewed(view(request.role()));
    }

    Reply lapse(Role role, long reservation) {
        RoleEntry entry = role(role);
        if (entry.kept().filter(kept -> kept.number() == reservation).isEmpty()) {
            return new Reply.Ignored();
        }
        forgetTarget(entry);
        rewrite(entry.open());
        return new Reply.Done();
    }

    private void forgetTarget(RoleEntry entry) {
        entry.kept()
                .map(Kept::session)
                .map(sessions::live)
                .ifPresent(target -> target.keptFor().remove(entry.role()));
    }

    private void rewrite(RoleEntry entry) {
        roles.put(entry.role(), entry);
        changed.accept(entry.role());
    }

    // From a snapshot: first the sessions in their order, then those that ended, then the roles

    /** @throws IllegalArgumentException if there is one of this id */
    void restoreSession(Session session) {
        if (sessions.live(session.id()) != null) {
            throw new IllegalArgumentException("a session is there twice");
        }
        sessions.add(session);
    }

    /** @throws IllegalArgumentException if it is there already, or lives */
    void restoreEnded(SessionId id) {
        if (sessions.live(id) != null || sessions.hasEnded(id)) {
            throw new IllegalArgumentException("a session that ended is there twice");
        }
        sessions.end(id);
    }

    /** @throws IllegalArgumentException if the entry names a session that does not live */
    void restoreRole(RoleEntry entry) {
        entry.holding()
                .ifPresent(holding ->
                        holding.session().ifPresent(id -> restored(id, entry).gain(holding.grant())));
        entry.kept().ifPresent(kept -> restored(kept.session(), entry).keptFor().add(entry.role()));
        roles.put(entry.role(), entry);
    }

    private Session restored(SessionId id, RoleEntry entry) {
        Session session = sessions.live(id);
        if (session == null) {
            throw new IllegalArgumentException("role '" + entry.role() + "' names a session that does not live");
        }
        return session;
    }
}
