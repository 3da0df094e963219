package dev.signet.store.quorum;

import dev.signet.testkit.Cannot;
import dev.signet.testkit.Restorable;

/** On more voters than one. */
@Cannot(
        value = Restorable.class,
        because = "voters are put back to an old disk each by itself, which Raft does not stand")
abstract class MajorityContract extends QuorumContract {}
