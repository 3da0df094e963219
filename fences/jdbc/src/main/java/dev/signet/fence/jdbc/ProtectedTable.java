package dev.signet.fence.jdbc;

import dev.signet.ResourceName;
import java.util.List;

/**
 * A table whose writes the database itself checks, and in what state that protection was found. Immutable.
 *
 * @param faults what is wrong and what to do, one sentence each; empty while the protection is intact
 */
public record ProtectedTable(String table, ResourceName resource, List<String> faults) {

    public ProtectedTable {
        faults = List.copyOf(faults);
    }

    public boolean isIntact() {
        return faults.isEmpty();
    }
}
