package dev.signet.election.role;

import dev.signet.CandidateId;
import dev.signet.ResourceName;
import dev.signet.Role;
import dev.signet.fence.SealPolicy;
import dev.signet.lease.LeaseTiming;
import java.time.Duration;
import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;

/**
 * What does not change about a campaign.
 *
 * @param drain the longest that work may take to end once it was asked to
 * @param grace the longest that an ended term's listener keeps the candidate from campaigning again
 */
public record RolePlan(
        CandidateId candidate,
        Role role,
        Map<ResourceName, SealPolicy> resources,
        LeaseTiming timing,
        Duration drain,
        Duration grace) {

    public RolePlan {
        resources = Collections.unmodifiableMap(new TreeMap<>(resources));
    }
}
