package dev.signet.store.jdbc;

import dev.signet.Advertised;
import dev.signet.Answer;
import dev.signet.CandidateId;
import dev.signet.Role;
import dev.signet.TermId;
import dev.signet.store.Acquire;
import dev.signet.store.Grant;
import dev.signet.store.OpenSession;
import dev.signet.store.Release;
import dev.signet.store.RoleView;
import dev.signet.store.SessionId;
import dev.signet.store.Store;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/** One candidate that asks and waits for each answer. */
final class Ask {

    static final Duration TIMEOUT = Duration.ofSeconds(30);

    final Store store;
    final SessionId session = SessionId.random();
    final CandidateId id = CandidateId.incarnationOf("tester");
    private long attempts;

    Ask(Store store) {
        this.store = store;
    }

    static <D, R> Answer<D, R> now(CompletionStage<Answer<D, R>> stage) {
        try {
            return stage.toCompletableFuture().get(60, TimeUnit.SECONDS);
        } catch (Exception e) {
            throw new AssertionError("no answer", e);
        }
    }

    static <D, R> D done(CompletionStage<Answer<D, R>> stage) {
        Answer<D, R> answer = now(stage);
        if (answer instanceof Answer.Done<D, R> done) {
            return done.value();
        }
        throw new AssertionError("unexpected answer: " + answer);
    }

    /** Asks the same again while the answer is unknown, as a candidate does: on a busy host a request may time out. */
    static <D, R> Answer<D, R> untilKnown(Supplier<CompletionStage<Answer<D, R>>> request) {
        Answer<D, R> answer = now(request.get());
        while (isUnknown(answer)) {
            answer = now(request.get());
        }
        return answer;
    }

    static boolean isUnknown(Answer<?, ?> answer) {
        return answer instanceof Answer.Unknown;
    }

    Ask open(Duration lease) {
        done(store.open(new OpenSession(session, id, Advertised.NOTHING, lease), TIMEOUT));
        return this;
    }

    boolean renew() {
        return now(store.renew(session, TIMEOUT)).<Boolean>fold(done -> true, gone -> false, unknown -> {
            throw new AssertionError("unexpected answer: " + unknown);
        });
    }

    RoleView read(Role role) {
        return done(store.read(role, TIMEOUT));
    }

    Acquire request(RoleView seen) {
        return new Acquire(session, seen.role(), ++attempts, TermId.random(), 0, seen.version());
    }

    Optional<Grant> tryAcquire(Role role) {
        return now(store.acquire(request(read(role)), TIMEOUT))
                .<Optional<Grant>>fold(Optional::of, why -> Optional.empty(), unknown -> {
                    throw new AssertionError("unexpected answer: " + unknown);
                });
    }

    Grant acquire(Role role) {
        return tryAcquire(role).orElseThrow(() -> new AssertionError("refused"));
    }

    void release(Grant grant) {
        Release request = new Release(session, grant.role(), grant.attempt(), grant.version());
        Answer<RoleView, ?> unused = untilKnown(() -> store.release(request, TIMEOUT));
    }
}
