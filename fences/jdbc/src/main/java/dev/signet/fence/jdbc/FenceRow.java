package dev.signet.fence.jdbc;

import dev.signet.ResourceName;
import dev.signet.Role;
import dev.signet.Stamp;
import dev.signet.StoreId;
import dev.signet.TermId;
import dev.signet.fence.FenceView;
import dev.signet.fence.Refusal;
import java.util.List;
import java.util.Optional;

/**
 * What {@code signet_fence} holds of one resource. The rule that compares it with a stamp stands here, once for all
 * databases.
 *
 * @param highest 0 before the first seal
 * @param termId the secret of the term that sealed it last; empty before the first seal
 */
record FenceRow(ResourceName resource, Role role, StoreId storeId, long highest, String termId) {

    /** Why a write with this stamp must not commit beside this row; empty if it may. */
    Optional<Refusal> refuses(Stamp stamp) {
        long token = stamp.token().value();
        if (!role.equals(stamp.role())) {
            return Optional.of(Refusal.OTHER_ROLE);
        }
        if (!storeId.equals(stamp.storeId())) {
            return Optional.of(Refusal.FOREIGN_STORE);
        }
        if (token < highest) {
            return Optional.of(Refusal.STALE);
        }
        if (token > highest) {
            return Optional.of(Refusal.UNSEALED);
        }
        return termId.equals(stamp.termId().secret()) ? Optional.empty() : Optional.of(Refusal.SAME_TOKEN_OTHER_TERM);
    }

    /** Without notes. */
    FenceView view() {
        Optional<String> digest = termId.isEmpty()
                ? Optional.empty()
                : Optional.of(TermId.parse(termId).digest());
        return new FenceView(resource, role, storeId, highest, digest, List.of());
    }

    @Override
    public String toString() {
        return "fence of '" + resource + "': role '" + role + "', store " + storeId + ", highest token " + highest;
    }
}
