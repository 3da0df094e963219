package dev.signet.app.place;

import dev.signet.ResourceName;
import dev.signet.Role;
import dev.signet.StoreId;
import dev.signet.fence.Fence;
import java.util.List;

/** A resource that was named, with the means to fence it. Nothing is opened before it is needed. */
public interface ProtectedResource {

    /** The URI in full, without secrets. */
    String shown();

    ResourceName name();

    /** The fence that a leader seals. */
    Fence fence();

    /**
     * Makes the fence's row. Idempotent for the same role and store. Blocks.
     *
     * @throws dev.signet.FenceException if it is another's, or cannot be made
     */
    void init(Role role, StoreId storeId);

    /** Has the database itself check each write to the table. Idempotent. Blocks. */
    void protect(String table);

    void unprotect(String table);

    List<TableState> tables();

    /**
     * A protected table of this resource.
     *
     * @param faults what is wrong with its protection and what to do, one sentence each
     */
    record TableState(String table, List<String> faults) {}
}
