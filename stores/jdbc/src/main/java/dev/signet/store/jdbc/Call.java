package dev.signet.store.jdbc;

import dev.signet.Answer;
import dev.signet.Role;
import dev.signet.StoreId;
import dev.signet.store.StoreRefusal;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** One request on its way through a {@link Lane}. Its answer comes within its time-out, whatever happens to the rest. */
final class Call<D, R> {

    /** What a request does in a transaction. */
    interface Body<D, R> {
        Answer<D, R> apply(Link link, StoreId storeId) throws SQLException, RecordBusy;
    }

    /** What the call needs of the transaction that carries it. */
    enum Weight {
        /** Goes first, in a transaction of its own kind: a heartbeat never waits for a disk on another's account. */
        HEARTBEAT,
        /** Need not outlive a crash of the host, which ends all sessions anyway. */
        LIGHT,
        /** Must be on the disk before it is answered. */
        DURABLE
    }

    private final Weight weight;
    private final Body<D, R> body;
    private final Function<StoreRefusal, Answer<D, R>> whenUnusable;
    private final Optional<Role> fresh;
    private final long timeoutNanos;
    private final long deadlineNanos;
    private final Answer<D, R> late;
    private final CompletableFuture<Answer<D, R>> answer;
    private @Nullable Answer<D, R> prepared;

    /** @param fresh the role whose record has to be there, and was not when this was decided on */
    Call(
            Weight weight,
            Optional<Role> fresh,
            Body<D, R> body,
            Function<StoreRefusal, Answer<D, R>> whenUnusable,
            Duration timeout) {
        this.weight = weight;
        this.fresh = fresh;
        this.timeoutNanos = timeout.toNanos();
        this.deadlineNanos = System.nanoTime() + timeoutNanos;
        this.body = body;
        this.whenUnusable = whenUnusable;
        this.late = Answer.unknown("the store did not answer within " + timeout.toMillis() + " ms");
        this.answer = new CompletableFuture<Answer<D, R>>()
                .completeOnTimeout(late, Math.max(0, timeout.toNanos()), TimeUnit.NANOSECONDS);
    }

    Weight weight() {
        return weight;
    }

    Optional<Role> fresh() {
        return fresh;
    }

    long remainingNanos() {
        return deadlineNanos - System.nanoTime();
    }

    /** Whether most of its time has passed before anything was done for it. */
    boolean isLate() {
        return remainingNanos() < timeoutNanos / 8;
    }

    /** @param trouble asked for when the time is up: what the lane has run into meanwhile */
    CompletionStage<Answer<D, R>> answer(Supplier<String> trouble) {
        return answer.thenApply(given -> given == late ? explained(late, trouble.get()) : given)
                .minimalCompletionStage();
    }

    private static <D, R> Answer<D, R> explained(Answer<D, R> late, String trouble) {
        return late.fold(done -> late, refused -> late, unknown -> Answer.unknown(unknown.cause() + trouble));
    }

    boolean isOver() {
        return answer.isDone();
    }

    /** Does its work; the answer is kept back until the transaction is committed. */
    void run(Link link, StoreId storeId) throws SQLException, RecordBusy {
        prepared = body.apply(link, storeId);
    }

    void committed() {
        Answer<D, R> ready = prepared;
        if (ready != null) {
            answer.complete(ready);
        }
    }

    void unusable(StoreRefusal why) {
        answer.complete(whenUnusable.apply(why));
    }

    void unknown(String cause) {
        answer.complete(Answer.unknown(cause));
    }
}
