package dev.signet.store.etcd;

import com.google.protobuf.ByteString;
import dev.signet.Role;
import dev.signet.store.RoleView;
import dev.signet.store.SessionId;
import io.etcd.jetcd.api.KeyValue;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** The records of a namespace, and which sessions live, as of one revision. Not thread-safe. */
final class Census {

    private final Map<Role, RoleEntry> roles = new TreeMap<>();
    private final Map<Role, KeptEntry> kept = new HashMap<>();
    private final Map<SessionId, Long> leases = new HashMap<>();
    private long revision;

    void at(long read) {
        revision = read;
    }

    long revision() {
        return revision;
    }

    private static char kind(ByteString key) {
        String text = key.toStringUtf8();
        return text.charAt(text.lastIndexOf('/') - 1);
    }

    /** @return whom the view may have changed of */
    Changed put(KeyValue entry) {
        String name = Keys.name(entry.getKey());
        switch (kind(entry.getKey())) {
            case 'r' -> {
                roles.put(Role.of(name), RoleEntry.parse(entry.getValue()));
                return Changed.of(Role.of(name));
            }
            case 'v' -> {
                kept.put(Role.of(name), KeptEntry.of(entry));
                return Changed.of(Role.of(name));
            }
            case 's' -> {
                leases.put(new SessionId(name), entry.getLease());
                return Changed.of(new SessionId(name));
            }
            default -> {
                return Changed.NOTHING;
            }
        }
    }

    Changed remove(ByteString key) {
        String name = Keys.name(key);
        switch (kind(key)) {
            case 'r' -> {
                roles.remove(Role.of(name));
                return Changed.of(Role.of(name));
            }
            case 'v' -> {
                kept.remove(Role.of(name));
                return Changed.of(Role.of(name));
            }
            case 's' -> {
                leases.remove(new SessionId(name));
                return Changed.of(new SessionId(name));
            }
            default -> {
                return Changed.NOTHING;
            }
        }
    }

    Map<Role, RoleEntry> roles() {
        return roles;
    }

    boolean concerns(Role role, SessionId session) {
        return entry(role).heldBy(session).isPresent()
                || Optional.ofNullable(kept.get(role))
                        .filter(found -> found.session().equals(session))
                        .isPresent();
    }

    private RoleEntry entry(Role role) {
        RoleEntry found = roles.get(role);
        return found == null ? RoleEntry.ABSENT : found;
    }

    RoleView view(Role role) {
        return timed(role).view();
    }

    private Remaining.Timed timed(Role role) {
        RoleEntry entry = entry(role);
        Optional<Long> holder = entry.holding().map(held -> leases.get(held.session()));
        Optional<KeptEntry> keptNow =
                Optional.ofNullable(kept.get(role)).filter(found -> leases.containsKey(found.session()));
        return new Remaining.Timed(
                Reading.Views.of(role, entry, holder.isEmpty(), keptNow), holder, keptNow.map(KeptEntry::lease));
    }

    /** Of all roles. */
    List<Remaining.Timed> timed() {
        return roles.keySet().stream().map(this::timed).toList();
    }

    List<RoleView> views() {
        return roles.keySet().stream().map(this::view).toList();
    }

    /** A change of a role's record, or of a session that several may name. */
    record Changed(Optional<Role> role, Optional<SessionId> session) {

        static final Changed NOTHING = new Changed(Optional.empty(), Optional.empty());

        static Changed of(Role role) {
            return new Changed(Optional.of(role), Optional.empty());
        }

        static Changed of(SessionId session) {
            return new Changed(Optional.empty(), Optional.of(session));
        }
    }
}
