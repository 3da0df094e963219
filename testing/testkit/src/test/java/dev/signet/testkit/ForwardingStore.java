package dev.signet.testkit;

import dev.signet.Answer;
import dev.signet.CandidateId;
import dev.signet.Role;
import dev.signet.store.Acquire;
import dev.signet.store.Concluded;
import dev.signet.store.Grant;
import dev.signet.store.NotGranted;
import dev.signet.store.NotReserved;
import dev.signet.store.OpenSession;
import dev.signet.store.Opened;
import dev.signet.store.Release;
import dev.signet.store.Renewed;
import dev.signet.store.Reserve;
import dev.signet.store.RoleView;
import dev.signet.store.SessionGone;
import dev.signet.store.SessionId;
import dev.signet.store.Store;
import dev.signet.store.StoreRefusal;
import dev.signet.store.StoreTraits;
import dev.signet.store.Watch;
import dev.signet.store.WatchObserver;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionStage;

/** A client of a store, for a mutant to break in one place. */
class ForwardingStore implements Store {

    private final Store store;

    ForwardingStore(Store store) {
        this.store = store;
    }

    /** The name under which a role is kept. */
    Role kept(Role role) {
        return role;
    }

    /** What a grant becomes on its way to the candidate. */
    Grant told(Grant grant) {
        return grant;
    }

    @Override
    public StoreTraits traits() {
        return store.traits();
    }

    @Override
    public CompletionStage<Answer<Opened, StoreRefusal>> open(OpenSession request, Duration timeout) {
        return store.open(request, timeout);
    }

    @Override
    public CompletionStage<Answer<Renewed, SessionGone>> renew(SessionId session, Duration timeout) {
        return store.renew(session, timeout);
    }

    @Override
    public CompletionStage<Answer<Concluded, SessionGone>> close(SessionId session, Duration timeout) {
        return store.close(session, timeout);
    }

    @Override
    public CompletionStage<Answer<RoleView, SessionGone>> enlist(SessionId session, Role role, Duration timeout) {
        return store.enlist(session, kept(role), timeout);
    }

    @Override
    public CompletionStage<Answer<Concluded, SessionGone>> withdraw(SessionId session, Role role, Duration timeout) {
        return store.withdraw(session, kept(role), timeout);
    }

    @Override
    public CompletionStage<Answer<Grant, NotGranted>> acquire(Acquire request, Duration timeout) {
        Acquire asked = new Acquire(
                request.session(),
                kept(request.role()),
                request.attempt(),
                request.termId(),
                request.floor(),
                request.expectedVersion());
        return store.acquire(asked, timeout)
                .thenApply(answer -> answer.fold(
                        grant -> Answer.done(told(new Grant(
                                request.role(),
                                grant.token(),
                                grant.termId(),
                                grant.storeId(),
                                grant.attempt(),
                                grant.version()))),
                        Answer::refused,
                        unknown -> Answer.unknown(unknown.cause())));
    }

    @Override
    public CompletionStage<Answer<RoleView, SessionGone>> release(Release request, Duration timeout) {
        return store.release(
                new Release(request.session(), kept(request.role()), request.attempt(), request.expectedVersion()),
                timeout);
    }

    @Override
    public CompletionStage<Answer<RoleView, NotReserved>> reserve(Reserve request, Duration timeout) {
        return store.reserve(
                new Reserve(
                        request.session(), kept(request.role()), request.attempt(), request.target(), request.window()),
                timeout);
    }

    @Override
    public CompletionStage<Answer<List<Grant>, SessionGone>> held(SessionId session, Duration timeout) {
        return store.held(session, timeout);
    }

    @Override
    public CompletionStage<Answer<RoleView, StoreRefusal>> read(Role role, Duration timeout) {
        return store.read(kept(role), timeout);
    }

    @Override
    public CompletionStage<Answer<List<RoleView>, StoreRefusal>> roles(Duration timeout) {
        return store.roles(timeout);
    }

    @Override
    public CompletionStage<Answer<List<CandidateId>, StoreRefusal>> candidates(Role role, Duration timeout) {
        return store.candidates(kept(role), timeout);
    }

    @Override
    public Watch watch(Role role, WatchObserver observer) {
        return store.watch(kept(role), observer);
    }

    @Override
    public void close() {
        store.close();
    }
}
