package dev.signet.store.etcd;

import dev.signet.StoreException;
import dev.signet.StoreId;
import dev.signet.store.StoreRefusal;
import io.grpc.Deadline;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/** Whether the store is there, and how it is made: once, however many try. Thread-safe. */
final class Founding {

    private static final long LONGEST_SECONDS = 5;

    private final Members members;
    private final Keys keys;
    private final String name;

    Founding(Members members, Keys keys, String name) {
        this.members = members;
        this.keys = keys;
        this.name = name;
    }

    CompletableFuture<StoreEntry> find(Deadline deadline) {
        return members.txn(Ops.read(Ops.get(keys.store())), deadline)
                .thenApply(found -> StoreEntry.of(Readings.one(found, 0), name));
    }

    CompletableFuture<LaidOut> layOut(Deadline deadline) {
        return members.txn(
                        Ops.when(
                                List.of(Ops.isAbsent(keys.store())),
                                List.of(Ops.put(keys.store(), StoreEntry.bytes(StoreId.random()), Ops.NO_LEASE))),
                        deadline)
                .thenCompose(written -> find(deadline)
                        .thenApply(store -> new LaidOut(
                                store.id(), written.getSucceeded() ? 0 : StoreEntry.LAYOUT, StoreEntry.LAYOUT)));
    }

    /**
     * Asks and waits.
     *
     * @throws StoreException if that is refused, or not answered
     */
    <T> T await(Function<Deadline, CompletableFuture<T>> question) {
        try {
            return question.apply(Deadline.after(LONGEST_SECONDS, TimeUnit.SECONDS))
                    .join();
        } catch (CompletionException e) {
            throw new StoreException(
                    Faults.refusal(e)
                            .orElseGet(() -> new StoreRefusal(
                                    StoreRefusal.Kind.UNREACHABLE,
                                    name + " did not answer (" + Faults.message(e) + ")")),
                    e.getCause());
        }
    }
}
