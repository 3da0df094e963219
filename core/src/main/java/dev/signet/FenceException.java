package dev.signet;

import org.jspecify.annotations.Nullable;

/** A fence could not be asked: no rights, no connection, a damaged database. Nothing was written through it. */
public final class FenceException extends SignetException {

    private static final long serialVersionUID = 1L;

    private final transient ResourceName resource;

    public FenceException(ResourceName resource, String message, @Nullable Throwable cause) {
        super("fence of resource '" + resource + "': " + message, cause);
        this.resource = resource;
    }

    public ResourceName resource() {
        return resource;
    }
}
