package dev.signet;

import dev.signet.fence.Refusal;
import org.jspecify.annotations.Nullable;

/** A fence refused a write. Nothing of its transaction may be committed; adapters have marked or rolled it back. */
public final class WriteRefusedException extends SignetException {

    private static final long serialVersionUID = 1L;

    private final transient ResourceName resource;
    private final transient Stamp stamp;
    private final Refusal refusal;
    private final long highest;

    /** @param highest the highest token that the resource was sealed with; 0 for none */
    public WriteRefusedException(ResourceName resource, Stamp stamp, Refusal refusal, long highest) {
        this(resource, stamp, refusal, highest, null);
    }

    /** @param cause what the database itself said, where it was the one to refuse */
    public WriteRefusedException(
            ResourceName resource, Stamp stamp, Refusal refusal, long highest, @Nullable Throwable cause) {
        super(
                "resource '" + resource + "' refused a write of role '" + stamp.role() + "' with token " + stamp.token()
                        + ": " + refusal + ", highest token there " + highest,
                cause);
        this.resource = resource;
        this.stamp = stamp;
        this.refusal = refusal;
        this.highest = highest;
    }

    public ResourceName resource() {
        return resource;
    }

    public Stamp stamp() {
        return stamp;
    }

    public Refusal refusal() {
        return refusal;
    }

    public long highest() {
        return highest;
    }
}
