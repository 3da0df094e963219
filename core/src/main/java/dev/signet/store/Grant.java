package dev.signet.store;

import dev.signet.FencingToken;
import dev.signet.Role;
import dev.signet.Stamp;
import dev.signet.StoreId;
import dev.signet.TermId;

/**
 * The store's word that a session holds a role. Immutable.
 *
 * @param attempt the number of the acquire that it answers
 * @param version the version of the role record that this grant wrote; of a grant that is told again, or listed, it may be
 *     the record's present one
 */
public record Grant(Role role, FencingToken token, TermId termId, StoreId storeId, long attempt, long version) {

    public Stamp stamp() {
        return new Stamp(role, token, termId, storeId);
    }
}
