package dev.signet.store.etcd;

import com.google.protobuf.ByteString;
import dev.signet.CandidateId;
import dev.signet.store.SessionId;
import java.time.Duration;

/** A role kept for the target of a transfer, while {@code session}, the target's, lives. Immutable. */
record KeptEntry(CandidateId target, SessionId session, Duration window) {

    static KeptEntry parse(ByteString value) {
        Fields fields = Fields.parse(value);
        return new KeptEntry(
                CandidateId.parse(fields.text("candidate")),
                new SessionId(fields.text("session")),
                Duration.ofMillis(fields.number("window-ms")));
    }

    ByteString bytes() {
        return new Fields()
                .with("candidate", target)
                .with("session", session.value())
                .with("window-ms", window.toMillis())
                .bytes();
    }
}
