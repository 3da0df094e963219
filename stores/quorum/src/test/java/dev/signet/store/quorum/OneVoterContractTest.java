package dev.signet.store.quorum;

import dev.signet.testkit.Restorable;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** On a quorum of one. */
class OneVoterContractTest extends QuorumContract implements Restorable {

    private static Voters voters;

    @BeforeAll
    static void start() {
        voters = Voters.start(1);
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
        return voters();
    }

    @Override
    public Runnable backUp() {
        return voters.get(0).backUp();
    }
}
