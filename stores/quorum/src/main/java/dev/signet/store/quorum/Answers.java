package dev.signet.store.quorum;

import dev.signet.Answer;
import dev.signet.CandidateId;
import dev.signet.store.Concluded;
import dev.signet.store.Grant;
import dev.signet.store.NotGranted;
import dev.signet.store.NotReserved;
import dev.signet.store.Opened;
import dev.signet.store.Renewed;
import dev.signet.store.RoleView;
import dev.signet.store.SessionGone;
import dev.signet.store.StoreRefusal;
import dev.signet.store.quorum.state.Reply;
import java.util.List;
import java.util.OptionalLong;

/** What the ledger's replies mean to whoever asked. A reply that does not belong to the question is unknown: it says nothing. */
final class Answers {

    private Answers() {}

    static Answer<Opened, StoreRefusal> opened(Reply reply) {
        if (reply instanceof Reply.Opened opened) {
            return Answer.done(new Opened(opened.storeId()));
        }
        return reply instanceof Reply.Refused refused ? Answer.refused(refused.why()) : other(reply);
    }

    static Answer<Renewed, SessionGone> renewed(Reply reply) {
        return reply instanceof Reply.Renewed renewed
                ? Answer.done(new Renewed(OptionalLong.of(renewed.heldDigest())))
                : gone(reply);
    }

    static Answer<Concluded, SessionGone> concluded(Reply reply) {
        return reply instanceof Reply.Done ? Answer.done(Concluded.CONCLUDED) : gone(reply);
    }

    static Answer<RoleView, SessionGone> viewed(Reply reply) {
        return reply instanceof Reply.Viewed viewed ? Answer.done(viewed.view()) : gone(reply);
    }

    static Answer<Grant, NotGranted> granted(Reply reply) {
        if (reply instanceof Reply.Granted granted) {
            return Answer.done(granted.grant());
        }
        return reply instanceof Reply.Denied denied ? Answer.refused(denied.why()) : other(reply);
    }

    static Answer<RoleView, NotReserved> reserved(Reply reply) {
        if (reply instanceof Reply.Viewed viewed) {
            return Answer.done(viewed.view());
        }
        return reply instanceof Reply.Unreserved unreserved ? Answer.refused(unreserved.why()) : other(reply);
    }

    static Answer<List<Grant>, SessionGone> held(Reply reply) {
        return reply instanceof Reply.Holds holds ? Answer.done(holds.grants()) : gone(reply);
    }

    static Answer<RoleView, StoreRefusal> read(Reply reply) {
        return reply instanceof Reply.Viewed viewed ? Answer.done(viewed.view()) : refused(reply);
    }

    static Answer<List<RoleView>, StoreRefusal> roles(Reply reply) {
        return reply instanceof Reply.Roles roles ? Answer.done(roles.views()) : refused(reply);
    }

    static Answer<List<CandidateId>, StoreRefusal> candidates(Reply reply) {
        return reply instanceof Reply.Candidates found ? Answer.done(found.candidates()) : refused(reply);
    }

    private static <D> Answer<D, SessionGone> gone(Reply reply) {
        return reply instanceof Reply.Gone ? Answer.refused(SessionGone.INSTANCE) : other(reply);
    }

    private static <D> Answer<D, StoreRefusal> refused(Reply reply) {
        return reply instanceof Reply.Refused refused ? Answer.refused(refused.why()) : other(reply);
    }

    private static <D, R> Answer<D, R> other(Reply reply) {
        return Answer.unknown(
                reply instanceof Reply.Unsupported unsupported
                        ? "the quorum is of another version: " + unsupported.why()
                        : "the quorum answered something else");
    }
}
