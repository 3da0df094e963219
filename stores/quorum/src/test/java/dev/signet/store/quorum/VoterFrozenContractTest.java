package dev.signet.store.quorum;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.RegisterExtension;

/** On a quorum of three of which the one that led stands still, as under SIGSTOP: connections to it come about. */
@Tag("slow")
class VoterFrozenContractTest extends MajorityContract {

    @RegisterExtension
    static final ClassVoters QUORUM = ClassVoters.withoutAMinority(3, VoterProcess::freeze);

    @Override
    ClassVoters quorum() {
        return QUORUM;
    }
}
