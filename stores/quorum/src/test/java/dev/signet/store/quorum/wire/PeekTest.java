package dev.signet.store.quorum.wire;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class PeekTest {

    private static final UUID GROUP = new UUID(1, 2);

    private static Peek of(String voter, UUID group, boolean running) {
        return new Peek(voter, group, 7, running, Set.of("1", "2", "3"), Optional.empty());
    }

    @Test
    void aVoterThatRunsIsInItsTerm() {
        assertThat(of("2", GROUP, true).raftTermAs("2", GROUP)).isEqualTo(7);
    }

    /** A voter at the address of another has not cast the other's vote. */
    @Test
    void whatAnotherSaysIsNotItsVoice() {
        assertThat(of("4", GROUP, true).raftTermAs("2", GROUP)).isEqualTo(-1);
        assertThat(of("2", new UUID(3, 4), true).raftTermAs("2", GROUP)).isEqualTo(-1);
        assertThat(of("2", GROUP, false).raftTermAs("2", GROUP)).isEqualTo(-1);
    }
}
