package dev.signet;

import dev.signet.fence.Fence;
import dev.signet.fence.SealPolicy;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * What a role protects, said on purpose: fences, or the reason for none. Immutable.
 *
 * @param fences each with the time by which it must be sealed
 * @param unfencedReason why there are none; empty if there are some
 */
public record Protection(Map<Fence, SealPolicy> fences, Optional<String> unfencedReason) {

    /** @throws IllegalArgumentException if there are no fences and no reason, or both, or two of one resource */
    public Protection {
        fences = Collections.unmodifiableMap(new LinkedHashMap<>(fences));
        if (fences.isEmpty()
                == unfencedReason.filter(reason -> !reason.isBlank()).isEmpty()) {
            throw new IllegalArgumentException(
                    "a role either protects at least one resource or says why it is unfenced, not both and not neither");
        }
        long distinct = fences.keySet().stream().map(Fence::resource).distinct().count();
        if (distinct != fences.size()) {
            throw new IllegalArgumentException(
                    "a role protects each resource by one fence; two have the same resource");
        }
    }

    /** Every one of these must be sealed before a term leads. */
    public static Protection by(Fence... required) {
        Map<Fence, SealPolicy> fences = new LinkedHashMap<>();
        for (Fence fence : required) {
            fences.put(fence, SealPolicy.REQUIRED);
        }
        return new Protection(fences, Optional.empty());
    }

    /** No fence: writes of a superseded leader can land. The candidate warns of it, and counts it. */
    public static Protection unfenced(String reason) {
        return new Protection(Map.of(), Optional.of(reason));
    }

    /** And this one, which may be away when a term begins; it is sealed before the term's first write there. */
    public Protection onContact(Fence fence) {
        Map<Fence, SealPolicy> more = new LinkedHashMap<>(fences);
        more.put(fence, SealPolicy.ON_CONTACT);
        return new Protection(more, unfencedReason);
    }
}
