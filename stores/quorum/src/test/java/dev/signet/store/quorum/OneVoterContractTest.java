package dev.signet.store.quorum;

import dev.signet.testkit.Restorable;
import org.junit.jupiter.api.extension.RegisterExtension;

/** On a quorum of one. */
class OneVoterContractTest extends QuorumContract implements Restorable {

    @RegisterExtension
    static final ClassVoters QUORUM = ClassVoters.of(1);

    @Override
    ClassVoters quorum() {
        return QUORUM;
    }

    @Override
    public Runnable backUp() {
        return QUORUM.all().get(0).backUp();
    }
}
