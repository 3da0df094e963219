package dev.signet.store.quorum.state;

import dev.signet.CandidateId;
import dev.signet.Role;
import dev.signet.store.SessionId;
import java.util.Collection;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The sessions of a namespace: those that live, in the order in which they were opened, and the ids of those that ended. */
final class Sessions {

    private final Map<SessionId, Session> live = new LinkedHashMap<>();
    private final Map<CandidateId, Map<SessionId, Session>> ofCandidate = new LinkedHashMap<>();
    /** In the order in which they ended. */
    private final Set<SessionId> ended = new LinkedHashSet<>();

    Collection<Session> live() {
        return live.values();
    }

    Collection<SessionId> ended() {
        return ended;
    }

    boolean isEmpty() {
        return live.isEmpty() && ended.isEmpty();
    }

    @Nullable
    Session live(SessionId id) {
        return live.get(id);
    }

    boolean hasEnded(SessionId id) {
        return ended.contains(id);
    }

    void add(Session session) {
        live.put(session.id(), session);
        ofCandidate
                .computeIfAbsent(session.candidate(), unseen -> new LinkedHashMap<>())
                .put(session.id(), session);
    }

    /** The newest session of the candidate that campaigns for the role; older ones it has lost. */
    Optional<Session> campaigning(CandidateId candidate, Role role) {
        return ofCandidate.getOrDefault(candidate, Map.of()).values().stream()
                .filter(session -> session.enlisted().contains(role))
                .reduce((older, newer) -> newer);
    }

    /** Everyone of whom a session does. */
    List<CandidateId> campaigning(Role role) {
        return live.values().stream()
                .filter(session -> session.enlisted().contains(role))
                .map(Session::candidate)
                .distinct()
                .toList();
    }

    /** Ends it for ever, whether or not it was known. */
    @Nullable
    Session end(SessionId id) {
        if (ended.add(id) && ended.size() > Limits.MOST_ENDED) {
            Iterator<SessionId> oldest = ended.iterator();
            oldest.next();
            oldest.remove();
        }
        Session session = live.remove(id);
        if (session != null) {
            ofCandidate.computeIfPresent(session.candidate(), (candidate, own) -> {
                own.remove(id);
                return own.isEmpty() ? null : own;
            });
        }
        return session;
    }
}
