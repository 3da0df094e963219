package dev.signet.fence;

import dev.signet.ResourceName;
import dev.signet.Role;
import dev.signet.StoreId;
import java.util.List;
import java.util.Optional;

/**
 * What anyone may know of a fence.
 *
 * @param highest the highest token that the resource was sealed with; 0 before the first seal
 * @param termDigest digest of the id of the term that sealed it last; empty before the first seal
 * @param notes what a person who relies on this fence should know, such as holes that remain; one sentence each
 */
public record FenceView(
        ResourceName resource,
        Role role,
        StoreId storeId,
        long highest,
        Optional<String> termDigest,
        List<String> notes) {}
