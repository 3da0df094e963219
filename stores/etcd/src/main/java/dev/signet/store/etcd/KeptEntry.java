package dev.signet.store.etcd;

import com.google.protobuf.ByteString;
import dev.signet.CandidateId;
import dev.signet.store.SessionId;
import io.etcd.jetcd.api.KeyValue;
import java.time.Duration;

/**
 * A role kept for the target of a transfer, while {@code session}, the target's, lives. Immutable.
 *
 * @param lease on which it is kept
 */
record KeptEntry(CandidateId target, SessionId session, Duration window, long lease) {

    static KeptEntry of(KeyValue found) {
        Fields fields = Fields.parse(found.getValue());
        return new KeptEntry(
                CandidateId.parse(fields.text("candidate")),
                new SessionId(fields.text("session")),
                Duration.ofMillis(fields.number("window-ms")),
                found.getLease());
    }

    ByteString bytes() {
        return new Fields()
                .with("candidate", target)
                .with("session", session.value())
                .with("window-ms", window.toMillis())
                .bytes();
    }
}
