package dev.signet.store.quorum.state;

import static org.assertj.core.api.Assertions.assertThat;

import dev.signet.Advertised;
import dev.signet.CandidateId;
import dev.signet.Namespace;
import dev.signet.Role;
import dev.signet.StoreId;
import dev.signet.TermId;
import dev.signet.store.Acquire;
import dev.signet.store.Grant;
import dev.signet.store.NotGranted;
import dev.signet.store.OpenSession;
import dev.signet.store.Release;
import dev.signet.store.Reserve;
import dev.signet.store.RoleView;
import dev.signet.store.SessionId;
import java.time.Duration;

/** A ledger that has a store id, and words to ask it with. */
abstract class LedgerFixture {

    static final Namespace HERE = Namespace.DEFAULT;
    static final StoreId STORE = new StoreId("store");
    static final Role LEDGER = Role.of("ledger");
    static final Duration LEASE = Duration.ofSeconds(15);
    static final long RAFT_TERM = 3;

    final Ledger ledger = founded();

    static Ledger founded() {
        Ledger founded = new Ledger();
        founded.apply(new Command.Found(STORE), 1);
        return founded;
    }

    Reply tell(Command command) {
        return ledger.apply(command, RAFT_TERM);
    }

    static SessionId session(String candidate) {
        return new SessionId(candidate + "-session");
    }

    static CandidateId id(String candidate) {
        return new CandidateId(candidate, "1");
    }

    static TermId term(long attempt) {
        return new TermId(7, attempt);
    }

    Reply open(String candidate) {
        return open(candidate, LEASE);
    }

    Reply open(String candidate, Duration lease) {
        return tell(
                new Command.Open(HERE, new OpenSession(session(candidate), id(candidate), Advertised.NOTHING, lease)));
    }

    Reply close(String candidate) {
        return tell(new Command.Close(HERE, session(candidate)));
    }

    Reply expire(String candidate) {
        return tell(new Command.Expire(HERE, session(candidate), openings(candidate), RAFT_TERM));
    }

    long openings(String candidate) {
        return ledger.session(HERE, session(candidate)).orElseThrow().openings();
    }

    Reply enlist(String candidate) {
        return tell(new Command.Enlist(HERE, session(candidate), LEDGER));
    }

    /** Decided on the record as it is. */
    Reply take(String candidate, long attempt) {
        return take(candidate, attempt, 0, view().version());
    }

    Reply take(String candidate, long attempt, long floor, long expectedVersion) {
        return tell(new Command.Take(
                HERE, new Acquire(session(candidate), LEDGER, attempt, term(attempt), floor, expectedVersion)));
    }

    Grant granted(Reply reply) {
        assertThat(reply).isInstanceOf(Reply.Granted.class);
        return ((Reply.Granted) reply).grant();
    }

    void assertDenied(NotGranted.Reason reason, Reply reply) {
        assertThat(reply).isEqualTo(new Reply.Denied(new NotGranted(reason, view())));
    }

    Reply free(String candidate, long attempt, long expectedVersion) {
        return tell(new Command.Free(HERE, new Release(session(candidate), LEDGER, attempt, expectedVersion)));
    }

    Reply keep(String candidate, long attempt, String target, Duration window) {
        return tell(new Command.Keep(HERE, new Reserve(session(candidate), LEDGER, attempt, id(target), window)));
    }

    RoleView view() {
        return ledger.view(HERE, LEDGER);
    }
}
