package dev.signet.store.quorum;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.RegisterExtension;

/** On a quorum of three of which the cable of the one that led is pulled: connections to it come about no more. */
@Tag("slow")
class VoterCutOffContractTest extends MajorityContract {

    @RegisterExtension
    static final ClassVoters QUORUM = ClassVoters.cutOff();

    @Override
    ClassVoters quorum() {
        return QUORUM;
    }
}
