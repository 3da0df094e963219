package dev.signet.testkit;

import dev.signet.ResourceName;
import dev.signet.Role;
import dev.signet.Stamp;
import dev.signet.StoreId;
import dev.signet.fence.Fence;
import dev.signet.fence.Refusal;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * A new place with a ledger that a fence protects, for {@link FenceContract} and {@link FenceStress}: how an adapter opens
 * one, writes there and looks. Without a fence row as long as {@link #init} was not called. All calls block, and throw
 * unchecked what goes wrong; what the fence throws comes through as it is. Used from several threads.
 */
public interface FenceSite extends AutoCloseable {

    /** Of the ledger. */
    Fence fence();

    /** As the adapter's own {@code init}; of any resource here. */
    void init(ResourceName resource, Role role, StoreId storeId);

    /** An application's own transaction at that level, open, on a connection of its own; so are those after it. */
    FenceWriter begin(IsolationLevel level);

    /** The same, in the form that {@link FenceWriter#prepare} wants, where that is another. */
    default FenceWriter beginToPrepare(IsolationLevel level) {
        return begin(level);
    }

    /** A connection on which each statement commits by itself. */
    FenceWriter withoutTransaction();

    /**
     * One transaction of the fence's own, by the adapter's helper.
     *
     * @param work what writes in it; {@link FenceWriter#write} and {@link FenceWriter#read} only
     */
    void inTransaction(Stamp stamp, Consumer<FenceWriter> work);

    /** What was committed to the ledger. */
    List<String> rows();

    /** How many of the committed rows carry a lower token. */
    long rowsBelow(long token);

    /**
     * Whether what was thrown here, and not by the fence, says that the same, run again from its start, may well succeed: a
     * busy database, a deadlock.
     */
    boolean isTransient(RuntimeException thrown);

    /** The adapter's own count of refused writes. */
    Map<Refusal, Long> refusals();

    /** The adapter's own telling of a refused write. */
    void onRefusal(Consumer<Refusal> listener);

    /** How long a seal may be held up by a transaction that stands still. Negative: until that one ends. */
    Duration longestHeldUp();

    /** The same by one of the fence's own. */
    default Duration longestHeldUpInside() {
        return longestHeldUp();
    }

    @Override
    void close();
}
