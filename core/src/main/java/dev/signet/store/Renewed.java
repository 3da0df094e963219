package dev.signet.store;

import java.util.OptionalLong;

/**
 * The session lasts a full lease from when the store took the request.
 *
 * @param heldDigest {@link HeldDigest} of the roles that the store says this session holds; empty where a renewal of
 *     this store cannot carry one
 */
public record Renewed(OptionalLong heldDigest) {

    public static final Renewed WITHOUT_DIGEST = new Renewed(OptionalLong.empty());
}
