package dev.signet.store.etcd;

import io.etcd.jetcd.api.KVGrpc;
import io.etcd.jetcd.api.LeaseGrantRequest;
import io.etcd.jetcd.api.LeaseGrantResponse;
import io.etcd.jetcd.api.LeaseGrpc;
import io.etcd.jetcd.api.LeaseKeepAliveRequest;
import io.etcd.jetcd.api.LeaseKeepAliveResponse;
import io.etcd.jetcd.api.LeaseRevokeRequest;
import io.etcd.jetcd.api.LeaseTimeToLiveRequest;
import io.etcd.jetcd.api.LeaseTimeToLiveResponse;
import io.etcd.jetcd.api.MaintenanceGrpc;
import io.etcd.jetcd.api.RangeRequest;
import io.etcd.jetcd.api.RangeResponse;
import io.etcd.jetcd.api.StatusRequest;
import io.etcd.jetcd.api.TxnRequest;
import io.etcd.jetcd.api.TxnResponse;
import io.grpc.Deadline;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The cluster, as something to ask. A request goes to one member, and to the next one when that does not answer or cannot; within
 * its deadline, never later. So it may be taken twice, which the layout bears: all that changes something is conditional on what
 * was read. Futures fail with the {@link Status} of the last try. Thread-safe.
 */
final class Members {

    private static final long SHORTEST_PAUSE_MILLIS = 10;
    private static final long LONGEST_PAUSE_MILLIS = 400;
    private static final long PAUSES_PER_TRY = 50;

    private final List<Member> members;
    /** In the order of their members. */
    private final List<Batches> batches;

    private final Optional<Login> login;
    private final ScheduledExecutorService thread;
    private volatile int current;
    private volatile boolean closed;

    Members(List<Member> members, Optional<Login> login, ScheduledExecutorService thread) {
        this.members = members;
        this.batches =
                members.stream().map(member -> new Batches(member, thread)).toList();
        this.login = login;
        this.thread = thread;
        this.current = ThreadLocalRandom.current().nextInt(members.size());
    }

    CompletableFuture<TxnResponse> txn(TxnRequest request, Deadline deadline) {
        return ask(
                (member, share) -> batches.get(members.indexOf(member))
                        .send(request, deadline, share.timeRemaining(TimeUnit.NANOSECONDS)),
                deadline);
    }

    CompletableFuture<RangeResponse> range(RangeRequest request, Deadline deadline) {
        return ask(KVGrpc.getRangeMethod(), request, deadline);
    }

    CompletableFuture<LeaseGrantResponse> grantLease(long seconds, Deadline deadline) {
        return ask(
                LeaseGrpc.getLeaseGrantMethod(),
                LeaseGrantRequest.newBuilder().setTTL(seconds).build(),
                deadline);
    }

    /** One message; a time to live of 0 or less says that there is no such lease. */
    CompletableFuture<LeaseKeepAliveResponse> keepAlive(long lease, Deadline deadline) {
        return ask(
                LeaseGrpc.getLeaseKeepAliveMethod(),
                LeaseKeepAliveRequest.newBuilder().setID(lease).build(),
                deadline);
    }

    /** In whole seconds that were rounded down; below 0 if there is no such lease. */
    CompletableFuture<Long> timeToLive(long lease, Deadline deadline) {
        return ask(
                        LeaseGrpc.getLeaseTimeToLiveMethod(),
                        LeaseTimeToLiveRequest.newBuilder().setID(lease).build(),
                        deadline)
                .thenApply(LeaseTimeToLiveResponse::getTTL);
    }

    /** Done also if there is no such lease. */
    CompletableFuture<Boolean> revokeLease(long lease, Deadline deadline) {
        return ask(
                        LeaseGrpc.getLeaseRevokeMethod(),
                        LeaseRevokeRequest.newBuilder().setID(lease).build(),
                        deadline)
                .handle((done, fault) -> {
                    if (fault != null && !Faults.isNoSuchLease(fault)) {
                        throw Faults.rethrown(fault);
                    }
                    return true;
                });
    }

    /** Says for each member that answers, and whose version is known to break a promise, which it is. */
    void findOld(Deadline deadline, Consumer<String> warning) {
        for (Member member : members) {
            CompletableFuture<Void> unused = member.send(
                            MaintenanceGrpc.getStatusMethod(), StatusRequest.getDefaultInstance(), deadline)
                    .thenAccept(status -> {
                        if (!Version.parse(status.getVersion()).keepsLeases()) {
                            warning.accept("etcd " + status.getVersion() + " at " + member);
                        }
                    });
        }
    }

    private <Q, A> CompletableFuture<A> ask(MethodDescriptor<Q, A> method, Q request, Deadline deadline) {
        return ask((member, share) -> member.send(method, request, share), deadline);
    }

    private <A> CompletableFuture<A> ask(
            BiFunction<Member, Deadline, CompletableFuture<A>> sending, Deadline deadline) {
        Asking<A> asking = new Asking<>(
                deadline,
                (member, share) -> login.isEmpty()
                        ? sending.apply(member, share)
                        : login.get().ready(member, share).thenCompose(ready -> sending.apply(member, share)));
        asking.tryOnce();
        return asking.answer;
    }

    /** One request, from its first try to its answer. Each try follows on the one before. */
    private final class Asking<A> {

        private final CompletableFuture<A> answer = new CompletableFuture<>();
        private final Deadline deadline;
        private final BiFunction<Member, Deadline, CompletableFuture<A>> sending;
        private long pause = SHORTEST_PAUSE_MILLIS;
        /** In a row; as many as there are members say that none is trusted, or trusts us. */
        private int distrusts;

        private @Nullable String distrust;
        private @Nullable String told;

        Asking(Deadline deadline, BiFunction<Member, Deadline, CompletableFuture<A>> sending) {
            this.deadline = deadline;
            this.sending = sending;
        }

        void tryOnce() {
            if (closed) {
                answer.completeExceptionally(
                        Status.CANCELLED.withDescription("this store is closed").asRuntimeException());
                return;
            }
            if (deadline.isExpired()) {
                answer.completeExceptionally(mostTelling(Status.DEADLINE_EXCEEDED
                        .withDescription("no time is left")
                        .asRuntimeException()));
                return;
            }
            Member member = member();
            String token = login.map(Login::token).orElse(null);
            CompletableFuture<A> unused = sending.apply(member, share(deadline, pause))
                    .whenComplete((value, fault) -> {
                        if (fault == null) {
                            answer.complete(value);
                        } else {
                            failed(member, token, fault);
                        }
                    });
        }

        private void failed(Member member, @Nullable String token, Throwable fault) {
            if (Faults.isSilence(fault)) {
                turnFrom(member);
                member.distrust();
            } else if (Faults.isUnavailable(fault)) {
                turnFrom(member);
                member.reconnect();
            } else if (Faults.isStaleToken(fault)) {
                login.ifPresent(who -> who.forget(token));
            }
            if (Faults.isDistrust(fault)) {
                distrust = Faults.message(fault);
                distrusts++;
            } else {
                distrusts = 0;
            }
            if (!Faults.isSilence(fault)) {
                told = Faults.message(fault);
            }
            if (isWorthAnotherTry(fault) && deadline.timeRemaining(TimeUnit.MILLISECONDS) > 2 * pause) {
                long jittered = pause + ThreadLocalRandom.current().nextLong(pause);
                pause = Math.min(LONGEST_PAUSE_MILLIS, 2 * pause);
                var unusedTimer = thread.schedule(this::tryOnce, jittered, TimeUnit.MILLISECONDS);
            } else {
                answer.completeExceptionally(mostTelling(fault));
            }
        }

        /**
         * Why a member could not be reached tells more than that the time was over; and that one of them is not trusted, more than
         * that the next one is away. It stays unknown what became of the request.
         */
        private Throwable mostTelling(Throwable last) {
            boolean unknown = Faults.isSilence(last) || (Faults.isUnavailable(last) && distrusts < members.size());
            String said = distrust == null ? told : distrust;
            return unknown && said != null ? new IllegalStateException(said) : last;
        }

        private boolean isWorthAnotherTry(Throwable fault) {
            return Faults.isSilence(fault)
                    || (Faults.isStaleToken(fault) && login.isPresent())
                    || (Faults.isWorthAnotherTry(fault) && distrusts < members.size());
        }
    }

    /** A member that says nothing leaves time for the others; the longer this goes on, the longer each is waited for. */
    private Deadline share(Deadline deadline, long pause) {
        return members.size() == 1
                ? deadline
                : Deadline.after(
                        Math.min(
                                deadline.timeRemaining(TimeUnit.MILLISECONDS) / members.size(), PAUSES_PER_TRY * pause),
                        TimeUnit.MILLISECONDS);
    }

    /** The one that is asked now. */
    Member member() {
        return members.get(current);
    }

    /** The next one is asked from now on, if this one still is. */
    synchronized void turnFrom(Member member) {
        if (members.get(current) == member) {
            current = (current + 1) % members.size();
        }
    }

    void close() {
        closed = true;
        members.forEach(Member::close);
    }
}
