package dev.signet.store.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.signet.Advertised;
import dev.signet.Answer;
import dev.signet.CandidateId;
import dev.signet.Namespace;
import dev.signet.Role;
import dev.signet.StoreId;
import dev.signet.TermId;
import dev.signet.store.Acquire;
import dev.signet.store.Grant;
import dev.signet.store.Holder;
import dev.signet.store.NotGranted;
import dev.signet.store.OpenSession;
import dev.signet.store.Release;
import dev.signet.store.Reserve;
import dev.signet.store.RoleView;
import dev.signet.store.SessionId;
import dev.signet.store.StoreRefusal;
import dev.signet.testkit.StoreModel;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Function;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Random requests, late and repeated ones among them, put to this store and to the reference, which is one map and no
 * database: they must answer alike, but for the numbers of versions.
 */
class TwinTest {

    private static final Duration LEASE = Duration.ofMillis(15_500);
    private static final int STEPS = 300;
    private static final List<Role> ROLES = List.of(Role.of("a"), Role.of("b"), Role.of("c"));

    private final ManualClock clock = new ManualClock("here");
    private final StoreModel model = new StoreModel(StoreId.random());

    @TempDir
    Path folder;

    private LocalStore store;
    private Random random;

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void answersAreThoseOfTheReference(long seed) {
        random = new Random(seed);
        Path file = folder.resolve("signet.db");
        LocalStore.init(file);
        List<String> transcript = new ArrayList<>();
        LocalStoreOptions options = LocalStoreOptions.defaults().withClock(clock);
        try (LocalStore opened = LocalStore.open(file, Namespace.DEFAULT, options)) {
            store = opened;
            List<Actor> actors = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                actors.add(new Actor(i));
            }
            int granted = 0;
            for (int step = 0; step < STEPS; step++) {
                Actor actor = actors.get(random.nextInt(actors.size()));
                Pair pair = actor.step(actors);
                transcript.add(actor.id.name() + " " + pair);
                assertThat(pair.ours())
                        .as("seed %d, step %d, after%n%s", seed, step, String.join("\n", tail(transcript)))
                        .isEqualTo(pair.reference());
                granted += pair.ours().startsWith("done granted") ? 1 : 0;
            }
            assertThat(granted).as("grants: without them, this says nothing").isGreaterThan(15);
        }
    }

    private static List<String> tail(List<String> lines) {
        return lines.subList(Math.max(0, lines.size() - 25), lines.size());
    }

    private record Pair(String what, String ours, String reference) {}

    private static <D, R> String shown(Answer<D, R> answer, Function<D, String> shown) {
        return answer.fold(done -> "done " + shown.apply(done), why -> "refused " + refusal(why), Object::toString);
    }

    private static String refusal(Object why) {
        if (why instanceof NotGranted refusal) {
            return refusal.reason() + " " + shown(refusal.view());
        }
        return why instanceof StoreRefusal refusal ? refusal.kind().toString() : why.toString();
    }

    private static String shown(RoleView view) {
        return view.role() + " token " + view.lastToken() + " of "
                + view.holder().map(Holder::candidate) + view.holder().map(Holder::termDigest)
                + (view.claimable() ? " claimable" : "") + " kept for "
                + view.reservation().map(RoleView.Reservation::target);
    }

    private static String shown(Grant grant) {
        return "granted " + grant.role() + " " + grant.token() + " " + grant.termId() + " " + grant.attempt();
    }

    private static String shown(List<Grant> held) {
        return held.stream()
                .sorted(Comparator.comparing(Grant::role))
                .map(TwinTest::shown)
                .toList()
                .toString();
    }

    /** A candidate in both worlds. */
    private final class Actor {

        private final CandidateId id;
        private final Map<Role, Long> seenOurs = new HashMap<>();
        private final Map<Role, Long> seenReference = new HashMap<>();
        private final List<Runner> sent = new ArrayList<>();
        private SessionId session = SessionId.random();
        private long attempts;
        private long renewedNanos;
        private long standing;

        Actor(int number) {
            id = new CandidateId("actor" + number, "1");
            open();
        }

        private Pair open() {
            OpenSession request = new OpenSession(session, id, Advertised.NOTHING, LEASE);
            renewedNanos = clock.nanos();
            return new Pair(
                    "open",
                    shown(Ask.now(store.open(request, Ask.TIMEOUT)), opened -> ""),
                    shown(model.open(request, clock.nanos()), opened -> ""));
        }

        Pair step(List<Actor> actors) {
            if (random.nextInt(4) == 0) {
                clock.pass(Duration.ofSeconds(random.nextInt(4) == 0 ? 9 : 1));
            }
            Role role = ROLES.get(random.nextInt(ROLES.size()));
            // from a session whose lease is over only a renewal says anything: the others may or may not record its end
            if (clock.nanos() - renewedNanos > LEASE.toNanos()) {
                return random.nextInt(3) == 0 ? another() : renew();
            }
            return switch (random.nextInt(13)) {
                case 0, 1 -> renew();
                case 2 -> random.nextInt(6) == 0 ? close() : renew();
                case 3, 4, 5 -> acquire(role);
                case 6 ->
                    sent.isEmpty()
                            ? renew()
                            : sent.get(random.nextInt(sent.size())).run();
                case 7 -> release(role, attempts);
                case 8 -> release(role, Math.max(0, attempts - 1));
                case 9 -> enlist(role);
                case 10 -> reserve(role, actors.get(random.nextInt(actors.size())));
                case 11 -> held();
                default -> read(role);
            };
        }

        private Pair another() {
            session = SessionId.random();
            sent.clear();
            return open();
        }

        private Pair renew() {
            String ours = shown(
                    Ask.now(store.renew(session, Ask.TIMEOUT)),
                    renewed -> renewed.heldDigest().toString());
            String reference = shown(
                    model.renew(session, clock.nanos()),
                    renewed -> renewed.heldDigest().toString());
            if (ours.startsWith("done")) {
                renewedNanos = clock.nanos();
                return new Pair("renew", ours, reference);
            }
            Pair opened = another();
            return new Pair("renew, open", ours + opened.ours(), reference + opened.reference());
        }

        private Pair close() {
            Pair closed = new Pair(
                    "close",
                    shown(Ask.now(store.close(session, Ask.TIMEOUT)), Object::toString),
                    shown(model.close(session), Object::toString));
            Pair opened = another();
            return new Pair("close, open", closed.ours() + opened.ours(), closed.reference() + opened.reference());
        }

        private Pair acquire(Role role) {
            read(role);
            TermId term = TermId.random();
            long attempt = ++attempts;
            long floor = random.nextInt(10) == 0 ? random.nextInt(50) : 0;
            Acquire ours = new Acquire(session, role, attempt, term, floor, seenOurs.get(role));
            Acquire reference = new Acquire(session, role, attempt, term, floor, seenReference.get(role));
            Runner runner = () -> new Pair(
                    "acquire " + attempt + " " + role,
                    shown(Ask.now(store.acquire(ours, Ask.TIMEOUT)), TwinTest::shown),
                    shown(model.acquire(reference, clock.nanos()), TwinTest::shown));
            sent.add(runner);
            standing = attempt;
            // given up at once, to arrive late or never
            return random.nextInt(5) == 0 ? renew() : runner.run();
        }

        private Pair release(Role role, long attempt) {
            Release ours = new Release(session, role, attempt, seenOurs.getOrDefault(role, 0L));
            Release reference = new Release(session, role, attempt, seenReference.getOrDefault(role, 0L));
            return new Pair(
                    "release " + attempt + " " + role,
                    shown(Ask.now(store.release(ours, Ask.TIMEOUT)), TwinTest::shown),
                    shown(model.release(reference, clock.nanos()), TwinTest::shown));
        }

        private Pair enlist(Role role) {
            return new Pair(
                    "enlist " + role,
                    shown(Ask.now(store.enlist(session, role, Ask.TIMEOUT)), TwinTest::shown),
                    shown(model.enlist(session, role, clock.nanos()), TwinTest::shown));
        }

        private Pair reserve(Role role, Actor target) {
            long attempt = Ask.done(store.held(session, Ask.TIMEOUT)).stream()
                    .filter(grant -> grant.role().equals(role))
                    .map(Grant::attempt)
                    .findAny()
                    .orElse(standing);
            Reserve request = new Reserve(session, role, attempt, target.id, Duration.ofMillis(5_500));
            return new Pair(
                    "reserve " + attempt + " " + role + " for " + target.id,
                    shown(Ask.now(store.reserve(request, Ask.TIMEOUT)), TwinTest::shown),
                    shown(model.reserve(request, clock.nanos()), TwinTest::shown));
        }

        private Pair held() {
            return new Pair(
                    "held",
                    shown(Ask.now(store.held(session, Ask.TIMEOUT)), TwinTest::shown),
                    shown(model.held(session, clock.nanos()), TwinTest::shown));
        }

        private Pair read(Role role) {
            RoleView ours = Ask.done(store.read(role, Ask.TIMEOUT));
            RoleView reference = ((Answer.Done<RoleView, ?>) model.read(role, clock.nanos())).value();
            seenOurs.put(role, ours.version());
            seenReference.put(role, reference.version());
            return new Pair("read " + role, shown(ours), shown(reference));
        }
    }

    private interface Runner {
        Pair run();
    }
}
