package dev.signet.store.etcd;

import com.google.protobuf.ByteString;
import dev.signet.Advertised;
import dev.signet.CandidateId;
import dev.signet.FencingToken;
import dev.signet.Role;
import dev.signet.StoreId;
import dev.signet.TermId;
import dev.signet.store.Acquire;
import dev.signet.store.Grant;
import dev.signet.store.Holder;
import dev.signet.store.SessionId;
import java.util.Optional;

/**
 * What lies under a role's key. Immutable; each change is a new version.
 *
 * @param version counts its writes, 0 where there is none yet
 * @param holding of whoever was granted it last and has not released it; it stays when that session ends
 */
record RoleEntry(long version, long lastToken, Optional<Holding> holding) {

    static final RoleEntry ABSENT = new RoleEntry(0, 0, Optional.empty());

    static RoleEntry parse(ByteString value) {
        Fields fields = Fields.parse(value);
        return new RoleEntry(
                fields.number("version"),
                fields.number("token"),
                fields.optional("session").map(session -> Holding.parse(session, fields)));
    }

    ByteString bytes() {
        Fields fields = new Fields().with("version", version).with("token", lastToken);
        holding.ifPresent(held -> held.addTo(fields));
        return fields.bytes();
    }

    RoleEntry granted(Acquire request, SessionEntry session) {
        return new RoleEntry(
                version + 1,
                Math.max(lastToken, request.floor()) + 1,
                Optional.of(new Holding(
                        request.session(),
                        session.candidate(),
                        session.advertised(),
                        request.termId(),
                        request.attempt())));
    }

    RoleEntry freed() {
        return new RoleEntry(version + 1, lastToken, Optional.empty());
    }

    RoleEntry touched() {
        return new RoleEntry(version + 1, lastToken, holding);
    }

    Optional<Holding> heldBy(SessionId session) {
        return holding.filter(held -> held.session().equals(session));
    }

    Optional<Holder> holder() {
        return holding.map(held -> new Holder(
                held.candidate(),
                held.advertised(),
                FencingToken.of(lastToken),
                held.termId().digest()));
    }

    Grant grant(Role role, Holding held, StoreId storeId) {
        return new Grant(role, FencingToken.of(lastToken), held.termId(), storeId, held.attempt(), version);
    }

    /** Who the candidate is, is copied here, since the record outlives the session. */
    record Holding(SessionId session, CandidateId candidate, Advertised advertised, TermId termId, long attempt) {

        private static Holding parse(String session, Fields fields) {
            return new Holding(
                    new SessionId(session),
                    CandidateId.parse(fields.text("candidate")),
                    fields.advertised(),
                    TermId.parse(fields.text("term")),
                    fields.number("attempt"));
        }

        private void addTo(Fields fields) {
            fields.with("term", termId.secret())
                    .with("attempt", attempt)
                    .with("session", session.value())
                    .with("candidate", candidate)
                    .with(advertised);
        }

        boolean answers(Acquire request) {
            return attempt == request.attempt() && termId.equals(request.termId());
        }
    }
}
