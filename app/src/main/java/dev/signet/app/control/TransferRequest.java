package dev.signet.app.control;

import dev.signet.CandidateId;
import dev.signet.FencingToken;
import dev.signet.Role;
import java.time.Duration;
import java.util.List;

/**
 * Asks a candidate to hand a role over. Immutable.
 *
 * @param token by which it leads, as the asker saw it: whoever leads by another was not meant
 * @param window for which the role is kept for the successor
 */
public record TransferRequest(Role role, FencingToken token, CandidateId successor, Duration window) {

    private static final String PROTOCOL = "signet control 1";
    private static final String KIND = "transfer";
    private static final int LINES = 6;

    /** Lines: no name holds a line's end. */
    List<String> lines() {
        return List.of(
                PROTOCOL, KIND, role.name(), token.toString(), successor.toString(), Long.toString(window.toMillis()));
    }

    /** @throws IllegalArgumentException if these are not the lines of such a request, saying why not */
    static TransferRequest of(List<String> lines) {
        if (lines.isEmpty() || !lines.get(0).equals(PROTOCOL)) {
            throw new IllegalArgumentException("it does not understand this version of signet");
        }
        if (lines.size() != LINES || !lines.get(1).equals(KIND)) {
            throw new IllegalArgumentException("it does not know this request");
        }
        return new TransferRequest(
                Role.of(lines.get(2)),
                FencingToken.of(Long.parseLong(lines.get(3))),
                CandidateId.parse(lines.get(4)),
                Duration.ofMillis(Long.parseLong(lines.get(5))));
    }
}
