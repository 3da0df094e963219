package dev.signet.store;

import dev.signet.Advertised;
import dev.signet.CandidateId;
import java.time.Duration;

/**
 * Asks for a session. Idempotent by {@code session}: asked again it opens no second one, and the one that is open lasts a
 * full lease from when the store took the request, as after a renewal. A session that has ended is never opened again.
 *
 * @param leaseDuration how long the session lasts after each renewal. The store records it; it decides when this
 *     candidate may be succeeded, whatever its challengers are set to
 */
public record OpenSession(SessionId session, CandidateId candidate, Advertised advertised, Duration leaseDuration) {}
