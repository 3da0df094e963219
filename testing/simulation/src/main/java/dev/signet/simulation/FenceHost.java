package dev.signet.simulation;

import dev.signet.Answer;
import dev.signet.FencingToken;
import dev.signet.ResourceName;
import dev.signet.Role;
import dev.signet.Stamp;
import dev.signet.StoreId;
import dev.signet.TermId;
import dev.signet.fence.FenceView;
import dev.signet.fence.Refusal;
import dev.signet.fence.SealRefusal;
import dev.signet.testkit.FenceModel;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A resource with its fence, and the judge of both (R2). A write is checked and lands in one act; its id keeps it from
 * landing twice.
 */
final class FenceHost {

    private final World world;
    private final ResourceName resource;
    private final Role role;
    private FenceModel model;
    private StoreId storeId;
    private final Map<Long, Write> rows = new LinkedHashMap<>();
    private final List<Write> landed = new ArrayList<>();
    private int stops;

    private boolean sealedByClone;

    /** The last seal as the judge has it. */
    private long judgedHighest;

    private @Nullable TermId judgedTerm;

    FenceHost(World world, ResourceName resource, Role role, StoreId storeId) {
        this.world = world;
        this.resource = resource;
        this.role = role;
        this.storeId = storeId;
        this.model = unsealed(storeId);
    }

    private FenceModel unsealed(StoreId by) {
        FenceModel next = new FenceModel(resource);
        next.initialise(role, by);
        return next;
    }

    ResourceName resource() {
        return resource;
    }

    Role role() {
        return role;
    }

    boolean isUp() {
        return stops == 0;
    }

    void stop() {
        stops++;
    }

    void start() {
        stops--;
    }

    StoreId storeId() {
        return storeId;
    }

    /** Whether a store that nobody here knows of has sealed it: an operator has to mend that. */
    boolean isSealedByClone() {
        return sealedByClone;
    }

    long highest() {
        return model.highest();
    }

    Answer<FenceView, SealRefusal> seal(Stamp stamp) {
        Answer<FenceView, SealRefusal> honest = model.seal(stamp);
        if (honest instanceof Answer.Refused<FenceView, SealRefusal> refused) {
            Refusal why = refused.why().refusal();
            if (world.twist().seals(stamp, Optional.of(why)).isPresent()) {
                world.sometimes(why == Refusal.FOREIGN_STORE ? Sometimes.FENCE_FOREIGN : Sometimes.SEAL_REFUSED);
                return honest;
            }
            model = unsealed(stamp.storeId());
            return seal(stamp);
        }
        world.require(stamp.storeId().equals(storeId), Rule.FENCE, () -> resource + " was sealed from another store");
        if (stamp.token().value() >= judgedHighest) {
            judgedHighest = stamp.token().value();
            judgedTerm = stamp.termId();
        }
        return honest;
    }

    /** Done, or why not. */
    Answer<Write, Refusal> write(Write write) {
        if (rows.containsKey(write.id())) {
            return Answer.done(write);
        }
        Optional<Refusal> refusal =
                world.twist().writes(write.stamp(), model.write(write.stamp(), Long.toString(write.id())));
        if (refusal.isPresent()) {
            return Answer.refused(refusal.get());
        }
        if (world.twist().landsAfter() > 0) {
            world.after(world.twist().landsAfter(), () -> land(write));
        } else {
            land(write);
        }
        return Answer.done(write);
    }

    private void land(Write write) {
        judge(write);
        rows.put(write.id(), write);
        landed.add(write);
    }

    private void judge(Write write) {
        long decidedUnder = write.decidedUnder().token().value();
        boolean superseded =
                judgedHighest >= decidedUnder && !write.decidedUnder().termId().equals(judgedTerm);
        world.require(
                !superseded,
                Rule.FENCE,
                () -> "a write of term " + decidedUnder + " landed at " + resource + " after the seal of "
                        + judgedHighest);
        world.require(
                write.stamp().equals(write.decidedUnder()),
                Rule.OWN_STAMP,
                () -> "a write of term " + decidedUnder + " landed with the stamp of "
                        + write.stamp().token());
    }

    long timesLanded(long writeId) {
        return landed.stream().filter(write -> write.id() == writeId).count();
    }

    /** An operator takes the resource over to another store. */
    void adopt(StoreId next) {
        storeId = next;
        model = unsealed(next);
        judgedHighest = 0;
        judgedTerm = null;
    }

    /** A clone of the store, which nobody here knows of, has led and sealed. */
    void sealedElsewhere(long by) {
        sealedByClone = true;
        seal(new Stamp(role, FencingToken.of(highest() + by), world.dice().termId(), storeId));
    }
}
