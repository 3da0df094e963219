package dev.signet.store.etcd;

import static org.assertj.core.api.Assertions.assertThat;

import dev.signet.Advertised;
import dev.signet.Answer;
import dev.signet.CandidateId;
import dev.signet.Namespace;
import dev.signet.Role;
import dev.signet.TermId;
import dev.signet.store.Acquire;
import dev.signet.store.Grant;
import dev.signet.store.NotGranted;
import dev.signet.store.OpenSession;
import dev.signet.store.RoleView;
import dev.signet.store.SessionId;
import dev.signet.store.Store;
import java.time.Duration;
import java.util.concurrent.CompletionStage;

/** A session as a test has it: what it asks is done, or the test is over. */
record Session(EtcdStore store, SessionId id, CandidateId candidate, Duration timeout) implements AutoCloseable {

    private static final Duration LONG = Duration.ofSeconds(30);

    static Session open(EtcdStoreOptions options, Duration lease) {
        EtcdStore store = EtcdStore.open(options, Namespace.DEFAULT);
        Session session = new Session(store, SessionId.random(), CandidateId.incarnationOf("ada"), LONG);
        done(store.open(new OpenSession(session.id, session.candidate, Advertised.NOTHING, lease), LONG));
        return session;
    }

    static <D> D done(CompletionStage<? extends Answer<D, ?>> answer) {
        Answer<D, ?> given = answer.toCompletableFuture().join();
        assertThat(given).isInstanceOf(Answer.Done.class);
        return ((Answer.Done<D, ?>) given).value();
    }

    void renew() {
        done(store.renew(id, timeout));
    }

    Answer<Grant, NotGranted> ask(String role, long version) {
        return store.acquire(new Acquire(id, Role.of(role), 1, new TermId(1, version), 0, version), timeout)
                .toCompletableFuture()
                .join();
    }

    /** A role that was never led. */
    Grant acquire(String role) {
        Answer<Grant, NotGranted> answer = ask(role, 0);
        assertThat(answer).isInstanceOf(Answer.Done.class);
        return ((Answer.Done<Grant, NotGranted>) answer).value();
    }

    static RoleView read(Store store, String role) {
        return done(store.read(Role.of(role), LONG));
    }

    /** Leaves the session to expire. */
    @Override
    public void close() {
        store.close();
    }
}
