package dev.signet.runtime;

import dev.signet.FencingToken;
import dev.signet.Role;
import dev.signet.store.HeldDigest;
import java.util.Map;

/** What the roles believe that their session holds, at one moment. Immutable. */
final class Holdings {

    private final Map<Role, FencingToken> tokens;
    private final boolean settled;
    private final long digest;

    /** @param settled whether no role has a request under way that changes what the session holds */
    Holdings(Map<Role, FencingToken> tokens, boolean settled) {
        this.tokens = Map.copyOf(tokens);
        this.settled = settled;
        this.digest = HeldDigest.of(tokens);
    }

    boolean isSettled() {
        return settled;
    }

    /** {@link HeldDigest} of it. */
    long digest() {
        return digest;
    }

    boolean isSameAs(Holdings other) {
        return this == other || (settled == other.settled && tokens.equals(other.tokens));
    }
}
