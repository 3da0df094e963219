package dev.signet.store;

import dev.signet.Advertised;
import dev.signet.CandidateId;
import java.time.Duration;

/**
 * Asks for a session. Idempotent by {@code session}: asked again after an unknown answer it opens no second one.
 *
 * @param leaseDuration how long the session lasts after each renewal. The store records it; it decides when this
 *     candidate may be succeeded, whatever its challengers are set to
 */
public record OpenSession(SessionId session, CandidateId candidate, Advertised advertised, Duration leaseDuration) {}
