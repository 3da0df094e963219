package dev.signet.store.quorum;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.RegisterExtension;

/** On a quorum of three of which the one that led is dead. */
@Tag("slow")
class VoterKilledContractTest extends MajorityContract {

    @RegisterExtension
    static final ClassVoters QUORUM = ClassVoters.withoutAMinority(3, VoterProcess::kill);

    @Override
    ClassVoters quorum() {
        return QUORUM;
    }
}
