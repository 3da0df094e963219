package dev.signet.fence.jdbc;

import dev.signet.ResourceName;
import dev.signet.Stamp;
import dev.signet.fence.Refusal;

/** Hears of each refused write, after its transaction was rolled back; {@code election::refused} is one. */
@FunctionalInterface
public interface RefusalListener {

    /** Called on the thread that wrote; what it throws is logged and ignored. */
    void refused(Stamp stamp, ResourceName resource, Refusal refusal);
}
