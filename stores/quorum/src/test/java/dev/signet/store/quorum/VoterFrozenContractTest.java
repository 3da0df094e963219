package dev.signet.store.quorum;

import dev.signet.testkit.Cannot;
import dev.signet.testkit.Restorable;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;

/** On a quorum of three of which one stands still, as under SIGSTOP. */
@Cannot(
        value = Restorable.class,
        because = "voters are put back to an old disk each by itself, which Raft does not stand")
@Tag("slow")
class VoterFrozenContractTest extends QuorumContract {

    private static Voters voters;

    @BeforeAll
    static void start() {
        voters = Voters.start(3);
        voters.get(0).freeze();
    }

    @AfterAll
    static void stop() {
        voters.close();
    }

    @Override
    List<VoterProcess> voters() {
        return voters.all();
    }

    @Override
    List<VoterProcess> live() {
        return voters.all().subList(1, 3);
    }
}
