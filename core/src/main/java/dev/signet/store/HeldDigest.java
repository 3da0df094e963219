package dev.signet.store;

import dev.signet.FencingToken;
import dev.signet.Role;
import java.util.Map;

/**
 * A number for the set of (role, token) that a session holds, the same on both sides whatever the order: the sum of one
 * mixed 64-bit hash per pair. Unequal means different; equal means the same but for chance.
 */
public final class HeldDigest {

    private static final long MULTIPLIER = 0x9E3779B97F4A7C15L;

    private HeldDigest() {}

    public static long of(Map<Role, FencingToken> held) {
        long sum = 0;
        for (Map.Entry<Role, FencingToken> entry : held.entrySet()) {
            sum += of(entry.getKey(), entry.getValue());
        }
        return sum;
    }

    /** Of one pair: what the sum changes by when a session is granted the role, or loses it. */
    public static long of(Role role, FencingToken token) {
        long hash = MULTIPLIER ^ token.value();
        for (int i = 0; i < role.name().length(); i++) {
            hash = mix(hash + role.name().charAt(i));
        }
        return hash;
    }

    private static long mix(long value) {
        long mixed = (value ^ (value >>> 32)) * MULTIPLIER;
        return mixed ^ (mixed >>> 29);
    }
}
