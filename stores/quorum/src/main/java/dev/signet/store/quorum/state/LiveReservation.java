package dev.signet.store.quorum.state;

import dev.signet.CandidateId;
import dev.signet.Namespace;
import dev.signet.Role;
import java.time.Duration;

/**
 * A reservation that stands: what a leader needs to give it a deadline. Immutable.
 *
 * @param number tells it from every other reservation of this role: the version of the record that made it
 * @param window its whole length
 */
public record LiveReservation(Namespace namespace, Role role, long number, CandidateId target, Duration window) {}
