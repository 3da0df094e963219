package dev.signet.store;

import dev.signet.CandidateId;
import dev.signet.Role;
import java.time.Duration;

/**
 * Keeps a role for {@code target} while its holder still holds it: once it is free, and until {@code window} has passed
 * by the store's clock or the target's session has ended, only the target is granted it. Reserving grants nothing.
 *
 * @param attempt by which {@code session} holds the role
 * @param window counted from when the store takes the request
 */
public record Reserve(SessionId session, Role role, long attempt, CandidateId target, Duration window) {}
