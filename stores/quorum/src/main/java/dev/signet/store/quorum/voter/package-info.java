/** What a voter is made of: Raft's shell around the ledger, deadlines, and the front that candidates ask. */
@NullMarked
package dev.signet.store.quorum.voter;

import org.jspecify.annotations.NullMarked;
