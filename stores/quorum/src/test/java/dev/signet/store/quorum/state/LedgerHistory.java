package dev.signet.store.quorum.state;

import dev.signet.Advertised;
import dev.signet.CandidateId;
import dev.signet.FencingToken;
import dev.signet.Namespace;
import dev.signet.Role;
import dev.signet.StoreId;
import dev.signet.TermId;
import dev.signet.store.Acquire;
import dev.signet.store.Grant;
import dev.signet.store.OpenSession;
import dev.signet.store.Release;
import dev.signet.store.Reserve;
import dev.signet.store.SessionId;
import dev.signet.store.StoreRefusal;
import java.net.URI;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.stream.Stream;

/**
 * A random history from a seed: whatever may be asked, sensible or not, of so few sessions, roles and attempts that they meet.
 */
final class LedgerHistory {

    private static final List<Namespace> NAMESPACES = List.of(Namespace.DEFAULT, new Namespace("other"));
    private static final List<Role> ROLES =
            Stream.of("ledger", "Ledger", "nightly").map(Role::of).toList();
    private static final List<String> CANDIDATES = List.of("ada", "bob", "eve");

    private final Random random;
    private final Twins twins;
    private final Map<String, Integer> generations = new HashMap<>();
    private long attempts;
    private Namespace in = Namespace.DEFAULT;

    private LedgerHistory(long seed, Tally tally) throws Unreadable {
        random = new Random(seed);
        twins = new Twins(new StoreId("history"), NAMESPACES, ROLES, tally);
    }

    static void run(long seed, int steps, Tally tally) {
        try {
            LedgerHistory history = new LedgerHistory(seed, tally);
            for (int step = 0; step < steps; step++) {
                history.step();
            }
            history.twins.compareSnapshots();
        } catch (AssertionError | RuntimeException | Unreadable violation) {
            throw new AssertionError("seed " + seed + ": " + violation, violation);
        }
    }

    private void step() throws Unreadable {
        in = NAMESPACES.get(random.nextInt(4) / 3);
        switch (random.nextInt(24)) {
            case 0, 1 -> twins.pass(Duration.ofMillis(500L * random.nextInt(8)));
            case 2 -> rarely();
            case 3 -> twins.expireWrongly(in, session());
            case 4 -> twins.lapseWrongly(in, role(), random.nextInt(20));
            case 5, 6 -> open();
            case 7, 8, 9 -> twins.renew(in, session());
            case 10, 11, 12 -> twins.enlist(in, session(), role());
            case 13 -> twins.withdraw(in, session(), role());
            case 14, 15, 16, 17, 18 -> twins.take(in, acquire(role()));
            case 19, 20 -> twins.free(in, release(role()));
            default -> twins.keep(in, reserve(role()));
        }
        twins.compare();
    }

    private void rarely() throws Unreadable {
        switch (random.nextInt(4)) {
            case 0 -> twins.changeLeader();
            case 1 -> twins.close(in, session());
            default -> twins.restoreReplica();
        }
    }

    private void open() throws Unreadable {
        String candidate = oneOf(CANDIDATES);
        if (random.nextInt(4) == 0) {
            next(candidate);
        }
        SessionId session = session(candidate);
        Duration lease = random.nextInt(16) == 0 ? Duration.ZERO : Duration.ofSeconds(random.nextBoolean() ? 10 : 5);
        Advertised advertised =
                random.nextBoolean() ? Advertised.NOTHING : Advertised.at(URI.create("http://" + candidate + ":1"));
        Reply reply = twins.open(in, new OpenSession(session, id(candidate), advertised, lease));
        if (reply instanceof Reply.Refused refused && refused.why().kind() == StoreRefusal.Kind.SESSION_ENDED) {
            next(candidate);
        }
    }

    private void next(String candidate) {
        generations.merge(in + candidate, 1, Integer::sum);
    }

    private Acquire acquire(Role role) {
        long attempt = random.nextInt(3) > 0 ? ++attempts : Math.max(0, attempts - random.nextInt(4));
        TermId termId = new TermId(attempt, random.nextInt(8) / 7);
        return new Acquire(someoneAt(role, 4), role, attempt, termId, floor(), version(role));
    }

    private long floor() {
        int chance = random.nextInt(400);
        if (chance < 2) {
            return chance == 0 ? FencingToken.MAX_VALUE - 1 : Long.MAX_VALUE;
        }
        return chance < 60 ? random.nextInt(40) - 5 : 0;
    }

    private long version(Role role) {
        return random.nextInt(4) > 0 ? twins.ledger().view(in, role).version() : random.nextInt(12);
    }

    private Release release(Role role) {
        SessionId session = someoneAt(role, 2);
        long attempt = Math.max(0, standing(session, role) - 1 + random.nextInt(3));
        return new Release(session, role, attempt, version(role));
    }

    private Reserve reserve(Role role) {
        SessionId session = someoneAt(role, 2);
        long attempt = standing(session, role) + random.nextInt(8) / 7;
        Duration window = Duration.ofSeconds(random.nextInt(14) - 1);
        return new Reserve(session, role, attempt, id(oneOf(CANDIDATES)), window);
    }

    private long standing(SessionId session, Role role) {
        return twins.ledger().held(in, session) instanceof Reply.Holds holds
                ? holds.grants().stream()
                        .filter(grant -> grant.role().equals(role))
                        .map(Grant::attempt)
                        .findFirst()
                        .orElse(attempts)
                : attempts;
    }

    /** One in {@code odds} times anyone, else who holds the role, if anybody does. */
    private SessionId someoneAt(Role role, int odds) {
        Optional<SessionId> holder = twins.ledger().holder(in, role).filter(held -> random.nextInt(odds) == 0);
        return holder.orElseGet(this::session);
    }

    /** Mostly one that lives. */
    private SessionId session() {
        List<LiveSession> live = twins.ledger().sessions().stream()
                .filter(session -> session.namespace().equals(in))
                .toList();
        return live.isEmpty() || random.nextInt(12) == 0
                ? session(oneOf(CANDIDATES))
                : oneOf(live).session();
    }

    /** Mostly the newest; now and then one before it, or one that nobody has opened yet. */
    private SessionId session(String candidate) {
        int generation = generations.getOrDefault(in + candidate, 0);
        int chance = random.nextInt(8);
        return new SessionId(
                candidate + "-" + (chance == 0 ? generation - 1 : chance == 1 ? generation + 1 : generation));
    }

    private static CandidateId id(String candidate) {
        return new CandidateId(candidate, "1");
    }

    private Role role() {
        return oneOf(ROLES);
    }

    private <T> T oneOf(List<T> some) {
        return some.get(random.nextInt(some.size()));
    }
}
