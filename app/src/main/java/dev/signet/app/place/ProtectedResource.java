package dev.signet.app.place;

import dev.signet.ResourceName;
import dev.signet.Role;
import dev.signet.StoreId;
import dev.signet.app.cli.CommandFailedException;
import dev.signet.fence.Fence;
import dev.signet.fence.Refusal;
import dev.signet.fence.SealRefusal;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** A resource that was named, with the means to fence it. Nothing is opened before it is needed. */
public interface ProtectedResource {

    /** The URI in full, without secrets. */
    String shown();

    ResourceName name();

    /** The same as it is used by somebody; where nobody is asked who he is, itself. */
    default ProtectedResource with(StoreCredentials given) {
        return this;
    }

    /** The file of this host that it lies in, if it lies in one. */
    Optional<Path> localFile();

    /**
     * Looks whether there is anything at the place, since a mistyped path must not found a database.
     *
     * @throws CommandFailedException if there is not, or this user may not write it
     */
    void requirePresent();

    /** The fence that a leader seals. */
    Fence fence();

    /**
     * Makes the fence's row. Idempotent for the same role and store. Blocks.
     *
     * @throws dev.signet.FenceException if it is another's, or cannot be made
     */
    void init(Role role, StoreId storeId);

    /** Binds the fence anew, whatever it has seen; the database keeps the reason. Blocks. */
    void reset(Role role, StoreId storeId, String reason);

    /** Has the database itself check each write to the table. Idempotent. Blocks. */
    void protect(String table);

    void unprotect(String table);

    List<TableState> tables();

    /** What a fence's refusal means on the command line. */
    default String explained(SealRefusal refusal) {
        return refusal.refusal() == Refusal.NOT_INITIALISED
                ? "the fence of " + shown() + " is not initialised; run: signet fence init --protect '" + shown()
                        + "' --role ROLE"
                : refusal.message();
    }

    /**
     * A protected table of this resource.
     *
     * @param faults what is wrong with its protection and what to do, one sentence each
     */
    record TableState(String table, List<String> faults) {}
}
