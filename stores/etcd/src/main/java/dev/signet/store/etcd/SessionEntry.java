package dev.signet.store.etcd;

import com.google.protobuf.ByteString;
import dev.signet.Advertised;
import dev.signet.CandidateId;
import dev.signet.store.OpenSession;
import io.etcd.jetcd.api.KeyValue;

/**
 * What lies under a session's key, and the lease that it goes with. It never changes while it is there. Immutable.
 *
 * @param lease etcd's number for it, chosen anew each time that a session is opened
 */
record SessionEntry(CandidateId candidate, Advertised advertised, long lease) {

    static SessionEntry of(KeyValue found) {
        Fields fields = Fields.parse(found.getValue());
        return new SessionEntry(CandidateId.parse(fields.text("candidate")), fields.advertised(), found.getLease());
    }

    static SessionEntry of(OpenSession request, long lease) {
        return new SessionEntry(request.candidate(), request.advertised(), lease);
    }

    ByteString bytes() {
        return new Fields().with("candidate", candidate).with(advertised).bytes();
    }
}
