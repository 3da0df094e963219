package dev.signet.store;

import dev.signet.Role;
import dev.signet.TermId;

/**
 * Asks for a role: a compare-and-set on the version of its record. Idempotent by (session, role, attempt, term id):
 * while that grant stands it is given again; once released it is refused. A holder that asks with a newer attempt gets
 * a new token. An attempt that was refused stays refused, also where the record did not move while its holder's session
 * ended.
 *
 * @param attempt counts the acquires of this candidate for this role, from 1
 * @param floor the grant is above it; 0 for none
 * @param expectedVersion of the record that this was decided on; 0 for none. If the record has moved on, so that the
 *     request is late, it is refused
 */
public record Acquire(SessionId session, Role role, long attempt, TermId termId, long floor, long expectedVersion) {}
