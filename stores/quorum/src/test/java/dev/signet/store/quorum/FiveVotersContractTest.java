package dev.signet.store.quorum;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.RegisterExtension;

/** On a quorum of five of which two are dead, the one that led among them. */
@Tag("slow")
class FiveVotersContractTest extends MajorityContract {

    @RegisterExtension
    static final ClassVoters QUORUM = ClassVoters.withoutAMinority(5, VoterProcess::kill);

    @Override
    ClassVoters quorum() {
        return QUORUM;
    }
}
