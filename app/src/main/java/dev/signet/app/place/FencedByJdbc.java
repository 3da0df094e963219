package dev.signet.app.place;

import dev.signet.FenceException;
import dev.signet.Role;
import dev.signet.StoreId;
import dev.signet.fence.Fence;
import dev.signet.fence.jdbc.JdbcFence;
import java.util.List;
import java.util.function.Consumer;

/** A resource in a database, of whatever kind: each act is one of its fence, which is opened for it. */
interface FencedByJdbc extends ProtectedResource {

    JdbcFence open();

    /** What it means here that the database did not do it. */
    RuntimeException explained(FenceException fault);

    @Override
    default Fence fence() {
        return open();
    }

    @Override
    default void init(Role role, StoreId storeId) {
        administer(fence -> fence.init(role, storeId));
    }

    @Override
    default void reset(Role role, StoreId storeId, String reason) {
        administer(fence -> fence.reset(role, storeId, reason));
    }

    @Override
    default void protect(String table) {
        administer(fence -> fence.protect(table));
    }

    @Override
    default void unprotect(String table) {
        administer(fence -> fence.unprotect(table));
    }

    @Override
    default List<TableState> tables() {
        try (JdbcFence fence = open()) {
            return fence.protectedTables().stream()
                    .filter(table -> table.resource().equals(name()))
                    .map(table -> new TableState(table.table(), table.faults()))
                    .toList();
        } catch (FenceException e) {
            throw explained(e);
        }
    }

    private void administer(Consumer<JdbcFence> work) {
        try (JdbcFence fence = open()) {
            work.accept(fence);
        } catch (FenceException e) {
            throw explained(e);
        }
    }
}
