package dev.signet.testkit;

import dev.signet.Advertised;
import dev.signet.Answer;
import dev.signet.CandidateId;
import dev.signet.Role;
import dev.signet.TermId;
import dev.signet.store.Acquire;
import dev.signet.store.Grant;
import dev.signet.store.OpenSession;
import dev.signet.store.Release;
import dev.signet.store.Reserve;
import dev.signet.store.SessionId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;

/**
 * A random history from a seed: three candidates that ask as candidates do, over a network that loses requests and
 * answers, and delivers copies whenever it likes. After each delivery every candidate that waits for no answer must know
 * of all that its session holds (C16).
 */
final class StoreHistory {

    private static final List<Role> ROLES = List.of(Role.of("ledger"), Role.of("nightly"));
    private static final long SECOND = 1_000_000_000;

    private final Random random;
    private final StoreOracle store;
    private final List<Candidate> candidates = new ArrayList<>();
    private final List<Request<? extends Answer<?, ?>>> onTheWay = new ArrayList<>();
    private long terms;

    private StoreHistory(StoreModel model, long seed) {
        random = new Random(seed);
        store = new StoreOracle(model, ROLES);
        for (String name : List.of("ada", "bob", "eve")) {
            candidates.add(new Candidate(name));
        }
    }

    /** @return how many grants there were */
    static int run(StoreModel model, long seed, int steps) {
        StoreHistory history = new StoreHistory(model, seed);
        try {
            for (int step = 0; step < steps; step++) {
                history.step();
            }
        } catch (AssertionError violation) {
            throw new AssertionError("seed " + seed + ": " + violation.getMessage(), violation);
        }
        return history.store.grants();
    }

    private void step() {
        switch (random.nextInt(8)) {
            case 0 -> store.pass(random.nextLong(6 * SECOND));
            case 1 -> store.sweep();
            case 2 -> arriveLate();
            default -> candidates.get(random.nextInt(candidates.size())).act();
        }
        candidates.forEach(Candidate::checkKnowledge);
    }

    private void arriveLate() {
        if (!onTheWay.isEmpty()) {
            int which = random.nextInt(onTheWay.size());
            onTheWay.get(which).arrive();
            if (random.nextInt(3) > 0) {
                onTheWay.remove(which);
            }
        }
    }

    /** Empty if the candidate gives up before it hears. */
    private <D, R> Optional<Answer<D, R>> send(Request<Answer<D, R>> request) {
        return switch (random.nextInt(8)) {
            case 0 -> Optional.empty();
            case 1 -> {
                request.arrive();
                yield Optional.empty();
            }
            case 2 -> {
                onTheWay.add(request);
                yield Optional.empty();
            }
            case 3 -> {
                onTheWay.add(request);
                yield Optional.of(request.arrive());
            }
            default -> Optional.of(request.arrive());
        };
    }

    private interface Request<A> {
        A arrive();
    }

    private final class Candidate {

        private final CandidateId id;
        private final Map<Role, Long> attempts = new HashMap<>();
        private final Map<Role, Grant> known = new HashMap<>();
        private final Map<Role, Acquire> pending = new HashMap<>();
        private final Map<Role, Release> releasing = new HashMap<>();
        private int sessions;
        private SessionId session = new SessionId("none");
        private boolean opened;

        Candidate(String name) {
            id = new CandidateId(name, "1");
        }

        void act() {
            Role role = ROLES.get(random.nextInt(ROLES.size()));
            if (!opened) {
                open();
            } else if (releasing.containsKey(role)) {
                release(role);
            } else if (pending.containsKey(role)) {
                askAgainOrGiveUp(role);
            } else {
                actOn(role);
            }
        }

        private void actOn(Role role) {
            switch (random.nextInt(12)) {
                case 0, 1, 2, 3 -> renew();
                case 4, 5 -> acquire(role);
                case 6 -> giveBack(role);
                case 7, 9 -> reserve(role);
                case 8 -> enlist(role);
                case 10 -> askForWhatWasReleased(role);
                default -> leave(role);
            }
        }

        private void enlist(Role role) {
            SessionId current = session;
            send(() -> store.enlist(current, role));
        }

        private void leave(Role role) {
            if (random.nextInt(4) == 0) {
                SessionId ending = session;
                send(() -> store.close(ending));
                forgetSession();
            } else {
                SessionId current = session;
                send(() -> store.withdraw(current, role));
            }
        }

        private void open() {
            session = new SessionId(id.name() + "-" + ++sessions);
            OpenSession request = new OpenSession(session, id, Advertised.NOTHING, Duration.ofSeconds(10));
            opened = send(() -> store.open(request)).filter(StoreOracle::isDone).isPresent();
            if (opened) {
                ROLES.forEach(this::enlist);
            }
        }

        private void renew() {
            SessionId current = session;
            send(() -> store.renew(current))
                    .filter(answer -> !StoreOracle.isDone(answer))
                    .ifPresent(gone -> forgetSession());
        }

        private void forgetSession() {
            opened = false;
            known.clear();
            pending.clear();
            releasing.clear();
        }

        private void acquire(Role role) {
            long attempt = attempts.merge(role, 1L, Long::sum);
            long version = store.view(role).version();
            long expected = random.nextInt(6) == 0 ? Math.max(0, version - 1) : version;
            long floor = random.nextInt(6) == 0 ? random.nextInt(40) : 0;
            pending.put(role, new Acquire(session, role, attempt, new TermId(++terms, 0), floor, expected));
            ask(role);
        }

        private void askAgainOrGiveUp(Role role) {
            if (random.nextBoolean()) {
                ask(role);
            } else {
                Acquire unanswered = pending.remove(role);
                releasing.put(role, new Release(session, role, unanswered.attempt(), unanswered.expectedVersion()));
                release(role);
            }
        }

        private void ask(Role role) {
            Acquire request = pending.get(role);
            send(() -> store.acquire(request)).ifPresent(answer -> {
                pending.remove(role);
                if (answer instanceof Answer.Done<Grant, ?> done) {
                    known.put(role, done.value());
                }
            });
        }

        private void giveBack(Role role) {
            Grant grant = known.get(role);
            if (grant != null) {
                long version = random.nextBoolean()
                        ? grant.version()
                        : store.view(role).version();
                releasing.put(role, new Release(session, role, grant.attempt(), version));
                release(role);
            }
        }

        private void release(Role role) {
            Release request = releasing.get(role);
            known.remove(role);
            send(() -> store.release(request)).ifPresent(answer -> releasing.remove(role));
        }

        private void reserve(Role role) {
            Grant grant = known.get(role);
            if (grant != null) {
                CandidateId target = candidates.get(random.nextInt(candidates.size())).id;
                Reserve request =
                        new Reserve(session, role, grant.attempt(), target, Duration.ofSeconds(random.nextInt(12)));
                send(() -> store.reserve(request)).filter(StoreOracle::isDone).ifPresent(done -> giveBack(role));
            }
        }

        /** No candidate does; but whoever released an attempt may rely on it whatever comes. */
        private void askForWhatWasReleased(Role role) {
            if (!known.containsKey(role)) {
                long attempt = attempts.getOrDefault(role, 0L);
                long version = store.view(role).version();
                store.release(new Release(session, role, attempt, 0));
                store.acquire(new Acquire(session, role, attempt, new TermId(++terms, 0), 0, version));
            }
        }

        void checkKnowledge() {
            if (opened && store.isLiving(session)) {
                Map<Role, Grant> held = store.heldByLiving(session);
                for (Role role : ROLES) {
                    if (!pending.containsKey(role) && !releasing.containsKey(role)) {
                        StoreOracle.require(
                                Objects.equals(held.get(role), known.get(role)),
                                "%s holds %s and knows of %s",
                                id,
                                held.get(role),
                                known.get(role));
                    }
                }
            }
        }
    }
}
