package dev.signet;

import dev.signet.store.StoreRefusal;
import org.jspecify.annotations.Nullable;

/** A store cannot be used as it is; the message says what to do. */
public final class StoreException extends SignetException {

    private static final long serialVersionUID = 1L;

    private final StoreRefusal.Kind kind;

    public StoreException(StoreRefusal refusal, @Nullable Throwable cause) {
        super(refusal.message(), cause);
        this.kind = refusal.kind();
    }

    public StoreRefusal.Kind kind() {
        return kind;
    }
}
