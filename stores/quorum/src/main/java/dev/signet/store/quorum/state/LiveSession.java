package dev.signet.store.quorum.state;

import dev.signet.CandidateId;
import dev.signet.Namespace;
import dev.signet.store.SessionId;
import java.time.Duration;

/**
 * A session whose end is not recorded: what a leader needs to give it a deadline. Immutable.
 *
 * @param lease how long it lasts after each renewal
 * @param openings how often it was opened; rises when it is opened again, which is a renewal
 */
public record LiveSession(
        Namespace namespace, SessionId session, CandidateId candidate, Duration lease, long openings) {}
