package dev.signet.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.signet.FencingToken;
import dev.signet.Role;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

class HeldDigestTest {

    @Test
    void theOrderDoesNotMatter() {
        Map<Role, FencingToken> one = new LinkedHashMap<>();
        one.put(Role.of("a"), FencingToken.of(1));
        one.put(Role.of("b"), FencingToken.of(2));
        Map<Role, FencingToken> other = new LinkedHashMap<>();
        other.put(Role.of("b"), FencingToken.of(2));
        other.put(Role.of("a"), FencingToken.of(1));

        assertThat(HeldDigest.of(one)).isEqualTo(HeldDigest.of(other));
    }

    @Test
    void everyPairMatters() {
        Map<Role, FencingToken> held = Map.of(Role.of("a"), FencingToken.of(1), Role.of("b"), FencingToken.of(2));

        assertThat(HeldDigest.of(held))
                .isNotEqualTo(HeldDigest.of(Map.of(Role.of("a"), FencingToken.of(1))))
                .isNotEqualTo(HeldDigest.of(Map.of(Role.of("a"), FencingToken.of(2), Role.of("b"), FencingToken.of(1))))
                .isNotEqualTo(HeldDigest.of(Map.of(Role.of("a"), FencingToken.of(1), Role.of("b"), FencingToken.of(3))))
                .isNotEqualTo(HeldDigest.of(Map.of()));
    }

    @Test
    void itIsTheSumOfItsPairs() {
        Map<Role, FencingToken> held = Map.of(Role.of("a"), FencingToken.of(1), Role.of("b"), FencingToken.of(2));

        assertThat(HeldDigest.of(held))
                .isEqualTo(HeldDigest.of(Role.of("a"), FencingToken.of(1))
                        + HeldDigest.of(Role.of("b"), FencingToken.of(2)));
    }
}
