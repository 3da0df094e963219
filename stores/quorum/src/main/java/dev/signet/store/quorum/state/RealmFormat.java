package dev.signet.store.quorum.state;

import dev.signet.Advertised;
import dev.signet.CandidateId;
import dev.signet.FencingToken;
import dev.signet.Role;
import dev.signet.StoreId;
import dev.signet.store.Grant;
import dev.signet.store.OpenSession;
import dev.signet.store.SessionId;
import dev.signet.store.quorum.state.RoleEntry.Holding;
import dev.signet.store.quorum.state.RoleEntry.Kept;
import dev.signet.store.quorum.state.Session.Attempts;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** One namespace of a ledger as bytes. */
final class RealmFormat {

    /** So that it goes on rising for ever, by ones. */
    private static final long MOST_VERSIONS = 1L << 62;

    private final Optional<StoreId> storeId;
    private final Realm realm;
    /** Who held many roles is read many times, and kept once. */
    private final Map<CandidateId, CandidateId> candidates = new HashMap<>();

    private final Map<Advertised, Advertised> addresses = new HashMap<>();

    private RealmFormat(Optional<StoreId> storeId, Realm realm) {
        this.storeId = storeId;
        this.realm = realm;
    }

    static void write(Output out, Realm realm) {
        out.list(realm.sessions().live(), RealmFormat::write);
        out.list(realm.sessions().ended(), Words::write);
        out.list(realm.roles(), RealmFormat::write);
    }

    private static void write(Output out, Session session) {
        Words.write(out, session.opening());
        out.i64(session.openings());
        out.list(session.enlisted(), Words::write);
        out.list(session.attempts().entrySet(), (same, attempts) -> {
            Words.write(out, attempts.getKey());
            out.i64(attempts.getValue().answered()).i64(attempts.getValue().released());
        });
    }

    /** The token of a holding is the last token, and its store is the only one. */
    private static void write(Output out, RoleEntry entry) {
        Words.write(out, entry.role());
        out.i64(entry.version()).i64(entry.lastToken());
        out.optional(entry.holding(), (same, holding) -> {
            out.optional(holding.session(), Words::write);
            Words.write(out, holding.candidate());
            Words.write(out, holding.advertised());
            Words.write(out, holding.grant().termId());
            out.i64(holding.grant().attempt()).i64(holding.grant().version());
        });
        out.optional(entry.kept(), (same, kept) -> {
            Words.write(out, kept.target());
            Words.write(out, kept.session());
            Words.write(out, kept.window());
            out.i64(kept.number());
        });
    }

    static void read(Input in, Optional<StoreId> storeId, Realm realm) throws Unreadable {
        RealmFormat format = new RealmFormat(storeId, realm);
        in.list(format::session);
        in.list(format::ended);
        Ascending<Role> roles = new Ascending<>();
        in.list(one -> format.entry(one, roles.next(Words.role(one))));
        if (realm.isEmpty()) {
            throw new Unreadable("there is a namespace with nothing in it");
        }
    }

    private Session session(Input in) throws Unreadable {
        OpenSession opening = Words.openSession(in);
        Session session = new Session(
                new OpenSession(
                        opening.session(),
                        once(candidates, opening.candidate()),
                        once(addresses, opening.advertised()),
                        opening.leaseDuration()),
                in.i64());
        Ascending<Role> enlisted = new Ascending<>();
        session.enlisted().addAll(in.list(one -> enlisted.next(Words.role(one))));
        Ascending<Role> asked = new Ascending<>();
        in.list(one -> session.attempts().put(asked.next(Words.role(one)), new Attempts(one.i64(), one.i64())));
        realm.restoreSession(session);
        return session;
    }

    private SessionId ended(Input in) throws Unreadable {
        SessionId id = Words.session(in);
        realm.restoreEnded(id);
        return id;
    }

    private RoleEntry entry(Input in, Role role) throws Unreadable {
        long version = within(MOST_VERSIONS, in.i64());
        long lastToken = within(FencingToken.MAX_VALUE, in.i64());
        RoleEntry entry = new RoleEntry(
                role,
                version,
                lastToken,
                in.optional(held -> holding(held, role, lastToken)),
                in.optional(RealmFormat::kept));
        realm.restoreRole(entry);
        return entry;
    }

    private Holding holding(Input in, Role role, long lastToken) throws Unreadable {
        StoreId store = storeId.orElseThrow(() -> new Unreadable("role '" + role + "' was granted by no store"));
        return new Holding(
                in.optional(Words::session),
                once(candidates, Words.candidate(in)),
                once(addresses, Words.advertised(in)),
                new Grant(role, FencingToken.of(lastToken), Words.termId(in), store, in.i64(), in.i64()));
    }

    private static Kept kept(Input in) throws Unreadable {
        return new Kept(Words.candidate(in), Words.session(in), Words.duration(in), in.i64());
    }

    private static long within(long most, long value) throws Unreadable {
        if (value < 0 || value > most) {
            throw new Unreadable("a role's number is " + value + ", which is outside 0 to " + most);
        }
        return value;
    }

    private static <T> T once(Map<T, T> known, T value) {
        T former = known.putIfAbsent(value, value);
        return former == null ? value : former;
    }
}
