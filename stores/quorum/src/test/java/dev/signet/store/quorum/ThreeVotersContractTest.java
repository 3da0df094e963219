package dev.signet.store.quorum;

import org.junit.jupiter.api.extension.RegisterExtension;

/** On a quorum of three. */
class ThreeVotersContractTest extends MajorityContract {

    @RegisterExtension
    static final ClassVoters QUORUM = ClassVoters.of(3);

    @Override
    ClassVoters quorum() {
        return QUORUM;
    }
}
