package dev.signet.store;

import dev.signet.Role;

/**
 * Gives back a role, or makes sure that an acquire whose answer was lost comes to nothing. Idempotent by attempt:
 *
 * <ul>
 *   <li>where {@code session} holds the role by an attempt of at most {@code attempt}, the role becomes free;
 *   <li>where it does not and the record still has {@code expectedVersion}, only the version rises, so that the acquire
 *       that was decided on it fails when it arrives;
 *   <li>otherwise nothing changes. Another's grant is never touched.
 * </ul>
 *
 * In each case attempts up to {@code attempt} of this session are refused from then on.
 */
public record Release(SessionId session, Role role, long attempt, long expectedVersion) {}
