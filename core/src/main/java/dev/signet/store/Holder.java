package dev.signet.store;

import dev.signet.Advertised;
import dev.signet.CandidateId;
import dev.signet.FencingToken;
import dev.signet.Hint;

/**
 * Who holds a role, as everybody may know it: no session id, no term id. Immutable.
 *
 * @param termDigest {@link dev.signet.TermId#digest()} of the holder's term
 */
public record Holder(CandidateId candidate, Advertised advertised, FencingToken token, String termDigest) {

    public Hint hint() {
        return new Hint(candidate, token, advertised.publicUri(), advertised.internalUri());
    }
}
