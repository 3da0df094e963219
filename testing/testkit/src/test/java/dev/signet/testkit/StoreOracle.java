package dev.signet.testkit;

import dev.signet.Answer;
import dev.signet.CandidateId;
import dev.signet.FencingToken;
import dev.signet.Role;
import dev.signet.store.Acquire;
import dev.signet.store.Concluded;
import dev.signet.store.Grant;
import dev.signet.store.HeldDigest;
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
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * A store, and beside it the naive bookkeeping of what it was asked and said, from which follows what it may say next. It
 * throws at the first answer that breaks a promise.
 */
final class StoreOracle {

    private final StoreModel store;
    private final List<Role> roles;
    private final Map<SessionId, Session> sessions = new LinkedHashMap<>();
    private final Map<Role, Grant> standing = new HashMap<>();
    private final Map<Role, SessionId> holders = new HashMap<>();
    private final Map<Role, Reservation> reservations = new HashMap<>();
    private final Map<Role, String> shown = new HashMap<>();
    private final Set<Role> told = new HashSet<>();
    private long now;
    private int grants;

    StoreOracle(StoreModel store, List<Role> roles) {
        this.store = store;
        this.roles = roles;
        roles.forEach(role -> shown.put(role, look(role)));
    }

    int grants() {
        return grants;
    }

    void pass(long nanos) {
        now += nanos;
    }

    /** What nobody may have missed is compared after a sweep, since time alone tells nobody. */
    void sweep() {
        store.sweep(now);
        sessions.values().stream().filter(Session::isOver).forEach(session -> session.ended = true);
        told.addAll(store.takeChanged());
        for (Role role : roles) {
            String look = look(role);
            if (!look.equals(shown.put(role, look))) {
                require(told.contains(role), "watchers of %s were not told of %s", role, look);
            }
        }
        told.clear();
    }

    Answer<Opened, StoreRefusal> open(OpenSession request) {
        Answer<Opened, StoreRefusal> answer = store.open(request, now);
        boolean known = sessions.containsKey(request.session());
        Session session = sessions.computeIfAbsent(request.session(), id -> new Session(request));
        if (isDone(answer)) {
            require(!session.ended, "an ended session was opened");
            session.deadline = now + request.leaseDuration().toNanos();
        } else {
            require(known && session.isOver(), "a session that had not ended was refused");
            session.ended = true;
        }
        return answer;
    }

    Answer<Renewed, SessionGone> renew(SessionId id) {
        Answer<Renewed, SessionGone> answer = store.renew(id, now);
        Session session = told(id, isDone(answer));
        if (isDone(answer)) {
            session.deadline = now + session.opening.leaseDuration().toNanos();
            Map<Role, FencingToken> held =
                    grantsOf(id).values().stream().collect(Collectors.toMap(Grant::role, Grant::token));
            long digest = ((Answer.Done<Renewed, SessionGone>) answer)
                    .value()
                    .heldDigest()
                    .orElseThrow();
            require(digest == HeldDigest.of(held), "the digest is not that of %s", held);
        }
        return answer;
    }

    Answer<Concluded, SessionGone> close(SessionId id) {
        Answer<Concluded, SessionGone> answer = store.close(id);
        sessions.get(id).ended = true;
        return answer;
    }

    Answer<RoleView, SessionGone> enlist(SessionId id, Role role) {
        Answer<RoleView, SessionGone> answer = store.enlist(id, role, now);
        if (isDone(answer)) {
            told(id, true).enlisted.add(role);
        }
        return answer;
    }

    Answer<Concluded, SessionGone> withdraw(SessionId id, Role role) {
        sessions.get(id).enlisted.remove(role);
        return store.withdraw(id, role);
    }

    Answer<Grant, NotGranted> acquire(Acquire request) {
        RoleView before = view(request.role());
        boolean mustSucceed = mustSucceed(request, before);
        Answer<Grant, NotGranted> answer = store.acquire(request, now);
        if (answer instanceof Answer.Done<Grant, NotGranted> done) {
            granted(request, done.value(), before);
        } else {
            boolean gone =
                    ((Answer.Refused<Grant, NotGranted>) answer).why().reason() == NotGranted.Reason.SESSION_GONE;
            if (gone) {
                told(request.session(), false);
            }
            require(!mustSucceed, "refused, though nothing stood against it: %s", request);
            require(view(request.role()).version() == before.version(), "a refused acquire wrote");
        }
        sessions.get(request.session()).asked(request);
        return answer;
    }

    private void granted(Acquire request, Grant grant, RoleView before) {
        Session session = told(request.session(), true);
        require(
                grant.attempt() == request.attempt() && grant.termId().equals(request.termId()),
                "%s does not answer %s",
                grant,
                request);
        require(request.attempt() > session.releasedUpTo(request.role()), "a released attempt was granted");
        Grant former = standing.get(request.role());
        SessionId holder = holders.get(request.role());
        if (Objects.equals(holder, request.session()) && grant.equals(former)) {
            return;
        }
        boolean repeated = Objects.equals(holder, request.session()) && former.attempt() == request.attempt();
        require(!repeated, "the same attempt was granted twice");
        require(before.version() == request.expectedVersion(), "granted on a record that had moved");
        require(grant.version() == before.version() + 1, "the grant is not the next version");
        long expected = Math.max(before.lastToken(), request.floor()) + 1;
        require(grant.token().value() == expected, "token %s is not %s", grant.token(), expected);
        if (holder != null && !holder.equals(request.session())) {
            Session other = sessions.get(holder);
            require(other.isOver(), "granted while %s held it", holder.value());
            other.ended = true;
        }
        Reservation reservation = reservations.remove(request.role());
        if (reservation != null && !reservation.target.equals(session.opening.candidate())) {
            require(reservation.isOver(), "granted to another than the target of a reservation");
            if (now < reservation.until) {
                reservation.session.ended = true;
            }
        }
        grants++;
        standing.put(request.role(), grant);
        holders.put(request.role(), request.session());
    }

    Answer<RoleView, SessionGone> release(Release request) {
        RoleView before = view(request.role());
        boolean live = !sessions.get(request.session()).isOver();
        Optional<Grant> mine =
                live ? Optional.ofNullable(grantsOf(request.session()).get(request.role())) : Optional.empty();
        Answer<RoleView, SessionGone> answer = store.release(request, now);
        require(isDone(answer), "a release was refused");
        RoleView after = view(request.role());
        sessions.get(request.session()).released(request);
        if (mine.filter(grant -> grant.attempt() <= request.attempt()).isPresent()) {
            require(after.claimable() && after.holder().isEmpty(), "a released role is not free");
            require(after.version() == before.version() + 1, "a release wrote no version");
            standing.remove(request.role());
            holders.remove(request.role());
        } else {
            long expected = before.version() + (before.version() == request.expectedVersion() ? 1 : 0);
            require(after.version() == expected, "version %s is not %s", after.version(), expected);
            require(after.holder().equals(before.holder()), "a release touched another's grant");
        }
        return answer;
    }

    Answer<RoleView, NotReserved> reserve(Reserve request) {
        Answer<RoleView, NotReserved> answer = store.reserve(request, now);
        if (isDone(answer)) {
            told(request.session(), true);
            Grant grant = grantsOf(request.session()).get(request.role());
            require(grant != null && grant.attempt() == request.attempt(), "reserved by another than the holder");
            Session target = sessions.values().stream()
                    .filter(session -> session.opening.candidate().equals(request.target()))
                    .filter(session -> !session.isOver() && session.enlisted.contains(request.role()))
                    .reduce((older, newer) -> newer)
                    .orElseThrow(() -> new AssertionError("reserved for who does not campaign"));
            reservations.put(
                    request.role(),
                    new Reservation(
                            request.target(), target, now + request.window().toNanos()));
        }
        return answer;
    }

    /** What the store thinks that a session holds; nothing once it may have ended. */
    Map<Role, Grant> heldByLiving(SessionId id) {
        if (sessions.get(id).isOver()) {
            return Map.of();
        }
        Answer<List<Grant>, SessionGone> answer = store.held(id, now);
        require(isDone(answer), "a living session is gone");
        return ((Answer.Done<List<Grant>, SessionGone>) answer)
                .value().stream().collect(Collectors.toMap(Grant::role, grant -> grant));
    }

    boolean isLiving(SessionId id) {
        return !sessions.get(id).isOver();
    }

    RoleView view(Role role) {
        return ((Answer.Done<RoleView, StoreRefusal>) store.read(role, now)).value();
    }

    private boolean mustSucceed(Acquire request, RoleView before) {
        Session session = sessions.get(request.session());
        SessionId holder = holders.get(request.role());
        boolean free = holder == null
                || holder.equals(request.session())
                || sessions.get(holder).isOver();
        Reservation reservation = reservations.get(request.role());
        return !session.isOver()
                && request.attempt() > session.highest(request.role())
                && before.version() == request.expectedVersion()
                && free
                && (reservation == null || reservation.isOver());
    }

    private Map<Role, Grant> grantsOf(SessionId id) {
        Map<Role, Grant> held = new HashMap<>();
        holders.forEach((role, holder) -> {
            if (holder.equals(id)) {
                held.put(role, standing.get(role));
            }
        });
        return held;
    }

    /** Takes note that the store said that a session lives, or that it does not. */
    private Session told(SessionId id, boolean lives) {
        Session session = sessions.get(id);
        if (lives) {
            require(!session.ended, "session %s was over and is not", id.value());
        } else {
            require(session.isOver(), "session %s is gone before its lease is over", id.value());
            session.ended = true;
        }
        return session;
    }

    private String look(Role role) {
        RoleView view = view(role);
        return view.version()
                + (view.claimable() ? " free" : " held")
                + view.reservation().map(kept -> " for " + kept.target()).orElse("");
    }

    static boolean isDone(Answer<?, ?> answer) {
        return answer instanceof Answer.Done<?, ?>;
    }

    static void require(boolean promise, String otherwise, Object... facts) {
        if (!promise) {
            throw new AssertionError(String.format(otherwise, facts));
        }
    }

    private final class Session {

        private final OpenSession opening;
        private final Set<Role> enlisted = new HashSet<>();
        private final Map<Role, Long> released = new HashMap<>();
        private final Map<Role, Long> highest = new HashMap<>();
        private long deadline;
        private boolean ended;

        Session(OpenSession opening) {
            this.opening = opening;
        }

        boolean isOver() {
            return ended || deadline <= now;
        }

        void asked(Acquire request) {
            highest.merge(request.role(), request.attempt(), Math::max);
        }

        void released(Release request) {
            released.merge(request.role(), request.attempt(), Math::max);
            highest.merge(request.role(), request.attempt(), Math::max);
        }

        long releasedUpTo(Role role) {
            return released.getOrDefault(role, 0L);
        }

        long highest(Role role) {
            return highest.getOrDefault(role, 0L);
        }
    }

    private final class Reservation {

        private final CandidateId target;
        private final Session session;
        private final long until;

        Reservation(CandidateId target, Session session, long until) {
            this.target = target;
            this.session = session;
            this.until = until;
        }

        boolean isOver() {
            return until <= now || session.isOver();
        }
    }
}
