package dev.signet.testkit;

import static dev.signet.testkit.Answers.await;
import static dev.signet.testkit.Answers.untilKnown;

import dev.signet.Advertised;
import dev.signet.Answer;
import dev.signet.CandidateId;
import dev.signet.FencingToken;
import dev.signet.Role;
import dev.signet.TermId;
import dev.signet.store.Acquire;
import dev.signet.store.Grant;
import dev.signet.store.HeldDigest;
import dev.signet.store.NotGranted;
import dev.signet.store.NotReserved;
import dev.signet.store.OpenSession;
import dev.signet.store.Release;
import dev.signet.store.Renewed;
import dev.signet.store.Reserve;
import dev.signet.store.RoleView;
import dev.signet.store.SessionGone;
import dev.signet.store.SessionId;
import dev.signet.store.Store;
import dev.signet.testkit.StoreEvent.Kind;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Random;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * One that wants roles and gives them up again, at random from a seed, over a way that loses, delays and repeats requests.
 * Each time it opens a session it is another candidate. It writes down what it does, and what it sees broken. One thread.
 */
final class Contender {

    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final int MOST_LATE = 20;

    private final LateStore store;
    private final Contest contest;
    private final Random random;
    private final List<LateStore.Delivery> onTheWay = new ArrayList<>();
    private final Map<Role, Grant> known = new HashMap<>();
    private SessionId session = SessionId.random();
    private CandidateId id;
    private long attempts;
    private long renewedNanos;

    Contender(Store store, String name, Contest contest, long seed) {
        this.store = new LateStore(store);
        this.contest = contest;
        this.random = new Random(seed);
        this.id = CandidateId.incarnationOf(name);
        open();
    }

    void step() {
        if (contest.nanos() - renewedNanos > contest.lease().toNanos() / 4) {
            renew();
        }
        Role role = contest.roles().get(random.nextInt(contest.roles().size()));
        switch (random.nextInt(14)) {
            case 0, 1 -> renew();
            case 2, 3, 4, 5, 6 -> acquire(role);
            case 7, 8, 9 -> giveBack(role);
            case 10 -> transfer(role);
            case 11, 12 -> arriveLate();
            default -> leaveOrNap();
        }
        compareWhatIsHeld();
    }

    private void open() {
        session = SessionId.random();
        id = CandidateId.incarnationOf(id.name());
        known.clear();
        OpenSession request = new OpenSession(session, id, Advertised.NOTHING, contest.lease());
        LateStore.Delivery copy = store.copyNext(Call.OPEN);
        long sent = contest.nanos();
        untilKnown(() -> store.open(request, contest.timeout()), PATIENCE);
        renewedNanos = sent;
        onTheWay.add(copy);
        tell(Kind.RENEWED, sent, StoreEvent.NONE, 0, "-", contest.lease().toNanos(), 0);
        for (Role role : contest.roles()) {
            await(store.enlist(session, role, contest.timeout()));
        }
        contest.join(id);
    }

    private void renew() {
        disturb(Call.RENEW);
        long sent = contest.nanos();
        Answer<Renewed, SessionGone> answer = await(store.renew(session, contest.timeout()));
        answer.handle(
                renewed -> {
                    renewedNanos = sent;
                    tell(
                            Kind.RENEWED,
                            sent,
                            StoreEvent.NONE,
                            0,
                            "-",
                            contest.lease().toNanos(),
                            0);
                    compareDigest(renewed.heldDigest());
                },
                gone -> gone(sent),
                unknown -> {});
    }

    private void gone(long sent) {
        tell(Kind.GONE, sent, StoreEvent.NONE, 0, "-", 0, 0);
        open();
    }

    private void acquire(Role role) {
        RoleView seen = known(() -> store.read(role, contest.timeout()));
        boolean inVain = random.nextInt(8) == 0;
        if (!seen.isOpenTo(id) && !known.containsKey(role) && !inVain) {
            return;
        }
        Acquire request = new Acquire(session, role, ++attempts, TermId.random(), 0, seen.version());
        disturb(Call.ACQUIRE);
        long sent = contest.nanos();
        tell(Kind.ASKING, sent, role, request.attempt(), request.termId().digest(), 0, seen.version());
        Answer<Grant, NotGranted> answer = await(store.acquire(request, contest.timeout()));
        if (answer instanceof Answer.Refused<Grant, NotGranted> refused) {
            tell(Kind.REFUSED, sent, role, request.attempt(), "-", 0, 0);
            settle(refused, sent);
        } else if (answer instanceof Answer.Done<Grant, NotGranted> || random.nextBoolean()) {
            Answer<Grant, NotGranted> again = untilKnown(() -> store.acquire(request, contest.timeout()), PATIENCE);
            if (answer instanceof Answer.Done<Grant, NotGranted> first
                    && !(again instanceof Answer.Done<Grant, NotGranted> second
                            && isSame(first.value(), second.value()))) {
                violation("asked again: " + again + " after " + first);
            }
            settle(again, sent);
        } else {
            release(role, new Release(session, role, request.attempt(), request.expectedVersion()));
        }
    }

    private void settle(Answer<Grant, NotGranted> answer, long sent) {
        answer.handle(
                grant -> {
                    known.put(grant.role(), grant);
                    String term = grant.termId().digest();
                    tell(
                            Kind.GRANTED,
                            sent,
                            grant.role(),
                            grant.attempt(),
                            term,
                            grant.token().value(),
                            grant.version());
                },
                refusal -> {
                    if (refusal.reason() == NotGranted.Reason.SESSION_GONE) {
                        gone(sent);
                    }
                },
                unknown -> {});
    }

    private void giveBack(Role role) {
        Grant grant = known.get(role);
        if (grant != null) {
            release(role, new Release(session, role, grant.attempt(), grant.version()));
        }
    }

    private void release(Role role, Release request) {
        disturb(Call.RELEASE);
        tell(Kind.RELEASING, contest.nanos(), role, request.attempt(), "-", 0, 0);
        untilKnown(() -> store.release(request, contest.timeout()), PATIENCE);
        known.remove(role);
    }

    private void transfer(Role role) {
        Grant grant = known.get(role);
        CandidateId target = contest.anybody(random);
        if (grant != null && !target.equals(id)) {
            Duration window = contest.lease().dividedBy(4);
            long sent = contest.nanos();
            Answer<RoleView, NotReserved> answer = await(
                    store.reserve(new Reserve(session, role, grant.attempt(), target, window), contest.timeout()));
            if (answer instanceof Answer.Done<RoleView, NotReserved> done) {
                long version = done.value().version();
                tell(Kind.RESERVED, sent, role, grant.attempt(), target.toString(), window.toNanos(), version);
                giveBack(role);
            }
        }
    }

    private void leaveOrNap() {
        if (random.nextInt(3) == 0) {
            disturb(Call.CLOSE);
            tell(Kind.CLOSING, contest.nanos(), StoreEvent.NONE, 0, "-", 0, 0);
            untilKnown(() -> store.close(session, contest.timeout()), PATIENCE);
            open();
        } else if (random.nextInt(4) == 0) {
            contest.nap();
        }
    }

    /** One in four of these is kept for later, mute, or copied. */
    private void disturb(Call call) {
        switch (random.nextInt(12)) {
            case 0 -> onTheWay.add(store.keepNext(call));
            case 1 -> onTheWay.add(store.muteNext(call));
            case 2 -> onTheWay.add(store.copyNext(call));
            default -> {}
        }
    }

    private void arriveLate() {
        if (!onTheWay.isEmpty()) {
            await(onTheWay.get(random.nextInt(onTheWay.size())).arrive());
        }
        while (onTheWay.size() > MOST_LATE) {
            onTheWay.remove(0);
        }
    }

    /** Whatever arrived late: it waits for no answer now, so that it knows of all that its session holds (C16). */
    private void compareWhatIsHeld() {
        long sent = contest.nanos();
        untilKnown(() -> store.held(session, contest.timeout()), PATIENCE)
                .handle(
                        held -> {
                            boolean all = held.size() == known.size()
                                    && held.stream().allMatch(grant -> isSame(grant, known.get(grant.role())));
                            if (!all) {
                                violation("holds " + held + " and knows of " + known.values());
                            }
                        },
                        gone -> gone(sent),
                        unknown -> {});
    }

    /** But for the version, which may have moved on since. */
    private static boolean isSame(Grant left, @Nullable Grant right) {
        return right != null && left.stamp().equals(right.stamp()) && left.attempt() == right.attempt();
    }

    private void compareDigest(OptionalLong digest) {
        Map<Role, FencingToken> tokens = known.values().stream().collect(Collectors.toMap(Grant::role, Grant::token));
        if (digest.isPresent() && digest.getAsLong() != HeldDigest.of(tokens)) {
            violation("the digest of a renewal is not that of " + tokens);
        }
    }

    private void violation(String what) {
        tell(Kind.VIOLATION, contest.nanos(), StoreEvent.NONE, 0, what, 0, 0);
    }

    private void tell(Kind kind, long sent, Role role, long attempt, String term, long number, long version) {
        contest.tell(new StoreEvent(kind, sent, contest.nanos(), id.toString(), role, attempt, term, number, version));
    }

    private static <D, R> D known(Supplier<CompletionStage<Answer<D, R>>> ask) {
        if (untilKnown(ask, PATIENCE) instanceof Answer.Done<D, R> done) {
            return done.value();
        }
        throw new AssertionError("refused, though it never is");
    }
}
