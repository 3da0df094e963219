package dev.signet.testkit;

import dev.signet.Answer;
import dev.signet.ResourceName;
import dev.signet.Role;
import dev.signet.Stamp;
import dev.signet.StoreId;
import dev.signet.TermId;
import dev.signet.fence.FenceView;
import dev.signet.fence.Refusal;
import dev.signet.fence.SealRefusal;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The reference fence of one resource: what {@link dev.signet.fence.Fence} promises, and the writes that it let through.
 * Each call is one atomic act. A seal raises; a write never does: it passes only with the very stamp of the last seal.
 *
 * <p>It believes any token, so that it never answers {@link Refusal#TOO_FAR_AHEAD}. Not thread-safe.
 */
public class FenceModel {

    private final ResourceName resource;
    private final List<FencedWrite> journal = new ArrayList<>();
    private @Nullable Row row;

    /** A fence without a row: it refuses everything until it is initialised. */
    public FenceModel(ResourceName resource) {
        this.resource = resource;
    }

    public ResourceName resource() {
        return resource;
    }

    /** Makes the row. Nothing changes if there is one. */
    public void initialise(Role role, StoreId storeId) {
        if (row == null) {
            row = new Row(role, storeId, 0, Optional.empty());
        }
    }

    public Answer<FenceView, SealRefusal> seal(Stamp stamp) {
        Row now = row;
        if (now == null) {
            return notInitialised();
        }
        Optional<Refusal> refusal = refusesSeal(now, stamp);
        if (refusal.isPresent()) {
            return refused(refusal.get(), now.highest());
        }
        Row raised = new Row(now.role(), now.storeId(), stamp.token().value(), Optional.of(stamp.termId()));
        row = raised;
        return Answer.done(raised.view(resource));
    }

    public Answer<FenceView, SealRefusal> view() {
        Row now = row;
        return now == null ? notInitialised() : Answer.done(now.view(resource));
    }

    /** The write takes place, or is refused for the reason given. */
    public Optional<Refusal> write(Stamp stamp, String content) {
        Row now = row;
        Optional<Refusal> refusal = now == null ? Optional.of(Refusal.NOT_INITIALISED) : refusesWrite(now, stamp);
        if (refusal.isEmpty()) {
            journal.add(new FencedWrite(stamp, content));
        }
        return refusal;
    }

    /** The highest token that it was sealed with; 0 for none. */
    public long highest() {
        Row now = row;
        return now == null ? 0 : now.highest();
    }

    /** What was written, in order. */
    public List<FencedWrite> journal() {
        return List.copyOf(journal);
    }

    // Rules, for this package's tests to break

    Optional<Refusal> refusesSeal(Row now, Stamp stamp) {
        return refuses(now, stamp).filter(refusal -> refusal != Refusal.UNSEALED);
    }

    Optional<Refusal> refusesWrite(Row now, Stamp stamp) {
        return refuses(now, stamp);
    }

    /** Why a write with this stamp must not pass; all of these but {@code UNSEALED} refuse a seal too. */
    private static Optional<Refusal> refuses(Row now, Stamp stamp) {
        long token = stamp.token().value();
        if (!now.role().equals(stamp.role())) {
            return Optional.of(Refusal.OTHER_ROLE);
        }
        if (!now.storeId().equals(stamp.storeId())) {
            return Optional.of(Refusal.FOREIGN_STORE);
        }
        if (token < now.highest()) {
            return Optional.of(Refusal.STALE);
        }
        if (token > now.highest()) {
            return Optional.of(Refusal.UNSEALED);
        }
        boolean same = now.termId().equals(Optional.of(stamp.termId()));
        return same ? Optional.empty() : Optional.of(Refusal.SAME_TOKEN_OTHER_TERM);
    }

    private <D> Answer<D, SealRefusal> notInitialised() {
        return refused(Refusal.NOT_INITIALISED, 0);
    }

    private <D> Answer<D, SealRefusal> refused(Refusal refusal, long highest) {
        String message = "fence of resource '" + resource + "': " + refusal + ", highest token there " + highest;
        return Answer.refused(new SealRefusal(refusal, highest, message));
    }

    /** What a fence keeps. */
    record Row(Role role, StoreId storeId, long highest, Optional<TermId> termId) {

        FenceView view(ResourceName resource) {
            return new FenceView(resource, role, storeId, highest, termId.map(TermId::digest), List.of());
        }
    }
}
