package dev.signet.store.etcd;

import dev.signet.Answer;
import dev.signet.Role;
import dev.signet.StoreId;
import dev.signet.lease.LeaseTiming;
import dev.signet.store.Concluded;
import dev.signet.store.Grant;
import dev.signet.store.OpenSession;
import dev.signet.store.Opened;
import dev.signet.store.Renewed;
import dev.signet.store.RoleView;
import dev.signet.store.SessionGone;
import dev.signet.store.SessionId;
import dev.signet.store.StoreRefusal;
import io.etcd.jetcd.api.TxnResponse;
import io.grpc.Deadline;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/**
 * What becomes of sessions. A session is a key on a lease of its own, which etcd chose for it: the lease of a session that has
 * ended is never given to another, and where the lease is, the key is. The lease's number is remembered, so that a renewal is one
 * message. Thread-safe.
 */
final class Sessions {

    /** How long a copy of an old request to open a session is told from a new one. */
    private static final long MEMORY_SECONDS = TimeUnit.DAYS.toSeconds(1);

    private final Members members;
    private final Keys keys;
    private final Readings readings;
    private final Map<SessionId, Long> leases = new ConcurrentHashMap<>();

    Sessions(Members members, Keys keys, Readings readings) {
        this.members = members;
        this.keys = keys;
        this.readings = readings;
    }

    CompletableFuture<Answer<Opened, StoreRefusal>> open(OpenSession request, Deadline deadline) {
        Duration lease = request.leaseDuration();
        if (lease.compareTo(Duration.ofSeconds(1)) < 0
                || lease.compareTo(LeaseTiming.LONGEST_LEASE) > 0
                || lease.toSeconds() * 1_000 != lease.toMillis()) {
            return CompletableFuture.completedFuture(Answer.refused(new StoreRefusal(
                    StoreRefusal.Kind.LEASE_OUT_OF_RANGE,
                    "a lease of " + lease + " is not one of whole seconds from 1 s to " + LeaseTiming.LONGEST_LEASE)));
        }
        return look(request.session(), deadline).thenCompose(found -> {
            StoreEntry store = readings.store(found);
            Optional<SessionEntry> session = Readings.one(found, 1).map(SessionEntry::of);
            if (session.isPresent()) {
                return again(request, session.get(), store, deadline);
            }
            return Readings.one(found, 2).isPresent()
                    ? CompletableFuture.completedFuture(Answer.refused(ended()))
                    : anew(request, store, deadline);
        });
    }

    private CompletableFuture<TxnResponse> look(SessionId session, Deadline deadline) {
        return members.txn(
                Ops.read(Ops.get(keys.store()), Ops.get(keys.session(session)), Ops.get(keys.opened(session))),
                deadline);
    }

    private static StoreRefusal ended() {
        return new StoreRefusal(
                StoreRefusal.Kind.SESSION_ENDED, "this session is over; open another, with an id of its own");
    }

    private CompletableFuture<Answer<Opened, StoreRefusal>> again(
            OpenSession request, SessionEntry session, StoreEntry store, Deadline deadline) {
        leases.put(request.session(), session.lease());
        return renew(request.session(), deadline)
                .thenApply(answer -> answer.fold(
                        renewed -> Answer.done(new Opened(store.id())),
                        gone -> Answer.refused(ended()),
                        unknown -> Answer.unknown(unknown.cause())));
    }

    private CompletableFuture<Answer<Opened, StoreRefusal>> anew(
            OpenSession request, StoreEntry store, Deadline deadline) {
        long seconds = request.leaseDuration().toSeconds();
        return members.grantLease(seconds, deadline)
                .thenCompose(lease -> lease.getTTL() < seconds
                        ? CompletableFuture.completedFuture(Answer.refused(new StoreRefusal(
                                StoreRefusal.Kind.LEASE_OUT_OF_RANGE,
                                "etcd granted a lease of " + lease.getTTL() + " s where " + seconds
                                        + " s were asked for")))
                        : members.grantLease(MEMORY_SECONDS, deadline)
                                .thenCompose(memory -> anew(request, store, lease.getID(), memory.getID(), deadline)));
    }

    private CompletableFuture<Answer<Opened, StoreRefusal>> anew(
            OpenSession request, StoreEntry store, long lease, long memory, Deadline deadline) {
        SessionId id = request.session();
        return members.txn(
                        Ops.when(
                                List.of(
                                        Ops.isAbsent(keys.session(id)),
                                        Ops.isAbsent(keys.opened(id)),
                                        Ops.isUnchangedSince(keys.store(), store.revision())),
                                List.of(
                                        Ops.put(
                                                keys.session(id),
                                                SessionEntry.of(request, lease).bytes(),
                                                lease),
                                        Ops.put(keys.opened(id), keys.session(id), memory))),
                        deadline)
                .thenCompose(written -> {
                    if (written.getSucceeded()) {
                        leases.put(id, lease);
                        return CompletableFuture.completedFuture(Answer.done(new Opened(store.id())));
                    }
                    forget(lease, deadline);
                    forget(memory, deadline);
                    return open(request, deadline);
                });
    }

    /** A lease that nothing was put on. */
    private void forget(long lease, Deadline deadline) {
        CompletableFuture<Boolean> unused = members.revokeLease(lease, deadline);
    }

    CompletableFuture<Answer<Renewed, SessionGone>> renew(SessionId session, Deadline deadline) {
        return leaseOf(session, deadline)
                .thenCompose(lease -> lease.isEmpty()
                        ? CompletableFuture.completedFuture(Answer.refused(SessionGone.INSTANCE))
                        : members.keepAlive(lease.get(), deadline).thenApply(renewed -> {
                            if (renewed.getTTL() > 0) {
                                return Answer.done(Renewed.WITHOUT_DIGEST);
                            }
                            leases.remove(session);
                            return Answer.refused(SessionGone.INSTANCE);
                        }));
    }

    private CompletableFuture<Optional<Long>> leaseOf(SessionId session, Deadline deadline) {
        Long known = leases.get(session);
        return known != null
                ? CompletableFuture.completedFuture(Optional.of(known))
                : members.txn(Ops.read(Ops.get(keys.session(session))), deadline)
                        .thenApply(found ->
                                Readings.one(found, 0).map(SessionEntry::of).map(SessionEntry::lease));
    }

    /** First it is noted that this session is not to be opened any more, then its lease is ended. */
    CompletableFuture<Answer<Concluded, SessionGone>> close(SessionId session, Deadline deadline) {
        return look(session, deadline)
                .thenCompose(found -> {
                    Optional<Long> lease =
                            Readings.one(found, 1).map(SessionEntry::of).map(SessionEntry::lease);
                    return lease.isPresent()
                            ? members.revokeLease(lease.get(), deadline)
                            : Readings.one(found, 2).isPresent()
                                    ? CompletableFuture.completedFuture(true)
                                    : neverToOpen(session, deadline);
                })
                .thenApply(done -> {
                    leases.remove(session);
                    return Answer.done(Concluded.CONCLUDED);
                });
    }

    /** Asked to open it in the same moment, etcd takes one of the two first. */
    private CompletableFuture<Boolean> neverToOpen(SessionId session, Deadline deadline) {
        return members.grantLease(MEMORY_SECONDS, deadline)
                .thenCompose(memory -> members.txn(
                        Ops.when(
                                List.of(Ops.isAbsent(keys.session(session))),
                                List.of(Ops.put(keys.opened(session), keys.session(session), memory.getID()))),
                        deadline))
                .thenCompose(written -> written.getSucceeded()
                        ? CompletableFuture.completedFuture(true)
                        : close(session, deadline).thenApply(closed -> true));
    }

    CompletableFuture<Answer<RoleView, SessionGone>> enlist(SessionId session, Role role, Deadline deadline) {
        return readings.of(role, session, deadline).thenCompose(found -> {
            if (found.mine().isEmpty()) {
                return CompletableFuture.completedFuture(Answer.refused(SessionGone.INSTANCE));
            }
            SessionEntry mine = found.mine().get();
            return members.txn(
                            Ops.when(
                                    List.of(Ops.exists(keys.session(session))),
                                    List.of(Ops.put(
                                            keys.campaign(role, mine.candidate(), session),
                                            keys.session(session),
                                            mine.lease()))),
                            deadline)
                    .thenApply(written ->
                            written.getSucceeded() ? Answer.done(found.view()) : Answer.refused(SessionGone.INSTANCE));
        });
    }

    CompletableFuture<Answer<Concluded, SessionGone>> withdraw(SessionId session, Role role, Deadline deadline) {
        return members.txn(Ops.read(Ops.get(keys.session(session))), deadline)
                .thenCompose(found -> Readings.one(found, 0)
                        .map(SessionEntry::of)
                        .map(mine -> members.txn(
                                Ops.read(Ops.delete(keys.campaign(role, mine.candidate(), session))), deadline))
                        .orElse(CompletableFuture.completedFuture(found)))
                .thenApply(done -> Answer.done(Concluded.CONCLUDED));
    }

    CompletableFuture<Answer<List<Grant>, SessionGone>> held(SessionId session, Deadline deadline) {
        return Readings.wholly(() -> heldOnce(session, deadline));
    }

    private CompletableFuture<Answer<List<Grant>, SessionGone>> heldOnce(SessionId session, Deadline deadline) {
        return look(session, deadline).thenCompose(found -> {
            StoreId id = readings.store(found).id();
            if (Readings.one(found, 1).isEmpty()) {
                return CompletableFuture.completedFuture(Answer.refused(SessionGone.INSTANCE));
            }
            List<Grant> held = new ArrayList<>();
            return readings.page(keys.roles(), found.getHeader().getRevision(), deadline, kv -> {
                        Role role = Role.of(Keys.name(kv.getKey()));
                        RoleEntry entry = RoleEntry.parse(kv.getValue());
                        entry.heldBy(session).ifPresent(holding -> held.add(entry.grant(role, holding, id)));
                    })
                    .thenApply(read -> Answer.done(held));
        });
    }
}
