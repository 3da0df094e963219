package dev.signet;

import java.net.URI;
import java.util.Optional;

/**
 * Where a refused client should go: who leads, by the last that was seen. A hint may be old; a client believes it only
 * if its token is higher than that of the hint it has. Immutable.
 *
 * @param publicUri where clients outside reach the leader, as it advertised itself
 * @param internalUri where clients beside it do
 */
public record Hint(CandidateId leader, FencingToken token, Optional<URI> publicUri, Optional<URI> internalUri) {}
