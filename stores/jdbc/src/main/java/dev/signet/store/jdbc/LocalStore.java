package dev.signet.store.jdbc;

import dev.signet.Answer;
import dev.signet.Namespace;
import dev.signet.Role;
import dev.signet.StoreId;
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
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

/** A store in one SQLite file. */
public final class LocalStore implements Store {

    private static final Duration WAKE_BOUND = Duration.ofSeconds(1);

    private final StoreTraits traits;
    private final Transactions transactions;
    private final Lane writes;
    private final Lane reads;
    private final Poller poller;

    private LocalStore(Place place, Namespace namespace, LocalStoreOptions options) {
        StoreFile file = new StoreFile(place);
        Leases leases = new Leases(options.clock());
        this.traits = new StoreTraits(
                file.toString(),
                StoreTraits.Kind.SINGLE_HOST,
                Optional.of("a local store elects among the processes of this one host: it protects from nothing that"
                        + " happens elsewhere, and its loss is the loss of the store"),
                false,
                true,
                WAKE_BOUND);
        this.transactions = new Transactions(namespace, leases);
        this.poller = new Poller(file, namespace, leases, options.pollInterval(), this::forget);
        this.writes = new Lane(Lane.Kind.WRITES, file, "signet-local-writes", poller::poke);
        this.reads = new Lane(Lane.Kind.READS, file, "signet-local-reads", () -> {});
        writes.start();
    }

    public static StoreId init(Path file) {
        return Schema.init(Place.of(file));
    }

    public static LocalStore open(Path file, Namespace namespace, LocalStoreOptions options) {
        Place place = Place.of(file);
        place.requireUsable();
        return new LocalStore(place, namespace, options);
    }

    @Override
    public StoreTraits traits() {
        return traits;
    }

    @Override
    public CompletionStage<Answer<Opened, StoreRefusal>> open(OpenSession request, Duration timeout) {
        return submit(
                writes,
                Call.Weight.HEARTBEAT,
                (link, id) -> transactions.open(link, request, id),
                Answer::refused,
                timeout);
    }

    @Override
    public CompletionStage<Answer<Renewed, SessionGone>> renew(SessionId session, Duration timeout) {
        return write(Call.Weight.HEARTBEAT, (link, id) -> transactions.renew(link, session), timeout);
    }

    @Override
    public CompletionStage<Answer<Concluded, SessionGone>> close(SessionId session, Duration timeout) {
        return write(Call.Weight.HEARTBEAT, (link, id) -> transactions.close(link, session), timeout);
    }

    @Override
    public CompletionStage<Answer<RoleView, SessionGone>> enlist(SessionId session, Role role, Duration timeout) {
        return write(Call.Weight.LIGHT, (link, id) -> transactions.enlist(link, session, role), timeout);
    }

    @Override
    public CompletionStage<Answer<Concluded, SessionGone>> withdraw(SessionId session, Role role, Duration timeout) {
        return write(Call.Weight.LIGHT, (link, id) -> transactions.withdraw(link, session, role), timeout);
    }

    @Override
    public CompletionStage<Answer<Grant, NotGranted>> acquire(Acquire request, Duration timeout) {
        return write(Call.Weight.DURABLE, (link, id) -> transactions.acquire(link, request, id), timeout);
    }

    @Override
    public CompletionStage<Answer<RoleView, SessionGone>> release(Release request, Duration timeout) {
        return write(Call.Weight.LIGHT, (link, id) -> transactions.release(link, request), timeout);
    }

    @Override
    public CompletionStage<Answer<RoleView, NotReserved>> reserve(Reserve request, Duration timeout) {
        return write(Call.Weight.LIGHT, (link, id) -> transactions.reserve(link, request), timeout);
    }

    @Override
    public CompletionStage<Answer<List<Grant>, SessionGone>> held(SessionId session, Duration timeout) {
        return submit(
                reads,
                Call.Weight.LIGHT,
                (link, id) -> transactions.held(link, session, id),
                why -> Answer.unknown(why.message()),
                timeout);
    }

    @Override
    public CompletionStage<Answer<RoleView, StoreRefusal>> read(Role role, Duration timeout) {
        return submit(reads, Call.Weight.LIGHT, (link, id) -> transactions.read(link, role), Answer::refused, timeout);
    }

    @Override
    public CompletionStage<Answer<List<RoleView>, StoreRefusal>> roles(Duration timeout) {
        return submit(reads, Call.Weight.LIGHT, (link, id) -> transactions.roles(link), Answer::refused, timeout);
    }

    private <D, R> CompletionStage<Answer<D, R>> write(Call.Weight weight, Call.Body<D, R> body, Duration timeout) {
        return submit(writes, weight, body, why -> Answer.unknown(why.message()), timeout);
    }

    private static <D, R> CompletionStage<Answer<D, R>> submit(
            Lane lane,
            Call.Weight weight,
            Call.Body<D, R> body,
            Function<StoreRefusal, Answer<D, R>> whenUnusable,
            Duration timeout) {
        Call<D, R> call = new Call<>(weight, body, whenUnusable, timeout);
        lane.submit(call);
        return call.answer().minimalCompletionStage();
    }

    private void forget(List<Long> leftOver) {
        CompletionStage<Answer<Concluded, SessionGone>> unused =
                write(Call.Weight.LIGHT, (link, id) -> transactions.forget(link, leftOver), WAKE_BOUND);
    }

    @Override
    public Watch watch(Role role, WatchObserver observer) {
        return poller.watch(role, observer);
    }

    @Override
    public void close() {
        poller.close();
        writes.close();
        reads.close();
    }
}
