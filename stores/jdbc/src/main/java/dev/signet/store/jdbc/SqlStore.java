package dev.signet.store.jdbc;

import dev.signet.Answer;
import dev.signet.CandidateId;
import dev.signet.Namespace;
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
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

/** A store in a database, whichever it is: takes calls, and hands each to the lane that carries it. Thread-safe. */
abstract class SqlStore implements Store {

    /** Whether heartbeats have a connection of their own, or share that of the other writes and go first there. */
    enum Heartbeats {
        APART,
        FIRST
    }

    private static final Duration SWEEP_TIMEOUT = Duration.ofSeconds(5);

    private final StoreTraits traits;
    private final Transactions transactions;
    private final Lane heartbeats;
    private final Lane writes;
    private final Lane reads;
    private final Poller poller;

    SqlStore(
            StoreTraits traits,
            Database database,
            Namespace namespace,
            Duration pollInterval,
            Heartbeats heartbeats,
            String threads) {
        Leases leases = new Leases();
        this.traits = traits;
        this.transactions = new Transactions(namespace, leases);
        this.poller = new Poller(database, namespace, leases, pollInterval, threads + "-watches", this::sweep);
        this.writes = new Lane(Database.Use.WRITES, database, transactions, threads + "-writes", poller::poke);
        this.reads = new Lane(Database.Use.READS, database, transactions, threads + "-reads", () -> {});
        this.heartbeats = heartbeats == Heartbeats.FIRST
                ? writes
                : new Lane(Database.Use.WRITES, database, transactions, threads + "-heartbeats", () -> {});
        if (heartbeats == Heartbeats.FIRST) {
            writes.start();
        }
    }

    @Override
    public StoreTraits traits() {
        return traits;
    }

    @Override
    public CompletionStage<Answer<Opened, StoreRefusal>> open(OpenSession request, Duration timeout) {
        // it will be needed next
        writes.start();
        return submit(
                heartbeats,
                Call.Weight.HEARTBEAT,
                Optional.empty(),
                (link, id) -> transactions.open(link, request, id),
                Answer::refused,
                timeout);
    }

    @Override
    public CompletionStage<Answer<Renewed, SessionGone>> renew(SessionId session, Duration timeout) {
        return heartbeat((link, id) -> transactions.renew(link, session), timeout);
    }

    @Override
    public CompletionStage<Answer<Concluded, SessionGone>> close(SessionId session, Duration timeout) {
        return heartbeat((link, id) -> transactions.close(link, session), timeout);
    }

    @Override
    public CompletionStage<Answer<RoleView, SessionGone>> enlist(SessionId session, Role role, Duration timeout) {
        return light(Optional.empty(), (link, id) -> transactions.enlist(link, session, role), timeout);
    }

    @Override
    public CompletionStage<Answer<Concluded, SessionGone>> withdraw(SessionId session, Role role, Duration timeout) {
        return light(Optional.empty(), (link, id) -> transactions.withdraw(link, session, role), timeout);
    }

    @Override
    public CompletionStage<Answer<Grant, NotGranted>> acquire(Acquire request, Duration timeout) {
        return submit(
                writes,
                Call.Weight.DURABLE,
                ifFresh(request.role(), request.expectedVersion()),
                (link, id) -> transactions.acquire(link, request, id),
                why -> Answer.unknown(why.message()),
                timeout);
    }

    @Override
    public CompletionStage<Answer<RoleView, SessionGone>> release(Release request, Duration timeout) {
        return light(
                ifFresh(request.role(), request.expectedVersion()),
                (link, id) -> transactions.release(link, request),
                timeout);
    }

    private static Optional<Role> ifFresh(Role role, long expectedVersion) {
        return expectedVersion == 0 ? Optional.of(role) : Optional.empty();
    }

    @Override
    public CompletionStage<Answer<RoleView, NotReserved>> reserve(Reserve request, Duration timeout) {
        return light(Optional.empty(), (link, id) -> transactions.reserve(link, request), timeout);
    }

    @Override
    public CompletionStage<Answer<List<Grant>, SessionGone>> held(SessionId session, Duration timeout) {
        return submit(
                reads,
                Call.Weight.LIGHT,
                Optional.empty(),
                (link, id) -> transactions.held(link, session, id),
                why -> Answer.unknown(why.message()),
                timeout);
    }

    @Override
    public CompletionStage<Answer<RoleView, StoreRefusal>> read(Role role, Duration timeout) {
        return submit(
                reads,
                Call.Weight.LIGHT,
                Optional.empty(),
                (link, id) -> transactions.read(link, role),
                Answer::refused,
                timeout);
    }

    @Override
    public CompletionStage<Answer<List<RoleView>, StoreRefusal>> roles(Duration timeout) {
        return submit(
                reads,
                Call.Weight.LIGHT,
                Optional.empty(),
                (link, id) -> transactions.roles(link),
                Answer::refused,
                timeout);
    }

    @Override
    public CompletionStage<Answer<List<CandidateId>, StoreRefusal>> candidates(Role role, Duration timeout) {
        return submit(
                reads,
                Call.Weight.LIGHT,
                Optional.empty(),
                (link, id) -> transactions.candidates(link, role),
                Answer::refused,
                timeout);
    }

    private <D, R> CompletionStage<Answer<D, R>> heartbeat(Call.Body<D, R> body, Duration timeout) {
        return submit(
                heartbeats,
                Call.Weight.HEARTBEAT,
                Optional.empty(),
                body,
                why -> Answer.unknown(why.message()),
                timeout);
    }

    private <D, R> CompletionStage<Answer<D, R>> light(Optional<Role> fresh, Call.Body<D, R> body, Duration timeout) {
        return submit(writes, Call.Weight.LIGHT, fresh, body, why -> Answer.unknown(why.message()), timeout);
    }

    private static <D, R> CompletionStage<Answer<D, R>> submit(
            Lane lane,
            Call.Weight weight,
            Optional<Role> fresh,
            Call.Body<D, R> body,
            Function<StoreRefusal, Answer<D, R>> whenUnusable,
            Duration timeout) {
        Call<D, R> call = new Call<>(weight, fresh, body, whenUnusable, timeout);
        lane.submit(call);
        return call.answer(lane::trouble);
    }

    private void sweep(List<Long> longEnded) {
        CompletionStage<Answer<Concluded, SessionGone>> unused =
                light(Optional.empty(), (link, id) -> transactions.sweep(link, longEnded), SWEEP_TIMEOUT);
    }

    @Override
    public Watch watch(Role role, WatchObserver observer) {
        return poller.watch(role, observer);
    }

    @Override
    public void close() {
        List.of(heartbeats, writes, reads).forEach(Lane::stop);
        poller.close();
        for (Lane lane : List.of(heartbeats, writes, reads)) {
            lane.close();
        }
    }
}
