package dev.signet.store.etcd;

import io.etcd.jetcd.api.KVGrpc;
import io.etcd.jetcd.api.LeaseGrantRequest;
import io.etcd.jetcd.api.LeaseGrantResponse;
import io.etcd.jetcd.api.LeaseGrpc;
import io.etcd.jetcd.api.LeaseKeepAliveRequest;
import io.etcd.jetcd.api.LeaseKeepAliveResponse;
import io.etcd.jetcd.api.LeaseRevokeRequest;
import io.etcd.jetcd.api.MaintenanceGrpc;
import io.etcd.jetcd.api.RangeRequest;
import io.etcd.jetcd.api.RangeResponse;
import io.etcd.jetcd.api.StatusRequest;
import io.etcd.jetcd.api.TxnRequest;
import io.etcd.jetcd.api.TxnResponse;
import io.grpc.CallOptions;
import io.grpc.Deadline;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.StreamObserver;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

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
    private final ScheduledExecutorService thread;
    private volatile int current;
    private volatile boolean closed;

    Members(List<Member> members, ScheduledExecutorService thread) {
        this.members = members;
        this.thread = thread;
        this.current = ThreadLocalRandom.current().nextInt(members.size());
    }

    CompletableFuture<TxnResponse> txn(TxnRequest request, Deadline deadline) {
        return ask(KVGrpc.getTxnMethod(), request, deadline);
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
            CompletableFuture<Void> unused = send(
                            member, MaintenanceGrpc.getStatusMethod(), StatusRequest.getDefaultInstance(), deadline)
                    .thenAccept(status -> {
                        if (!Version.parse(status.getVersion()).keepsLeases()) {
                            warning.accept("etcd " + status.getVersion() + " at " + member);
                        }
                    });
        }
    }

    private <Q, A> CompletableFuture<A> ask(MethodDescriptor<Q, A> method, Q request, Deadline deadline) {
        CompletableFuture<A> answer = new CompletableFuture<>();
        tryOnce(method, request, deadline, answer, SHORTEST_PAUSE_MILLIS);
        return answer;
    }

    private <Q, A> void tryOnce(
            MethodDescriptor<Q, A> method, Q request, Deadline deadline, CompletableFuture<A> answer, long pause) {
        if (closed) {
            answer.completeExceptionally(
                    Status.CANCELLED.withDescription("this store is closed").asRuntimeException());
            return;
        }
        if (deadline.isExpired()) {
            answer.completeExceptionally(
                    Status.DEADLINE_EXCEEDED.withDescription("no time is left").asRuntimeException());
            return;
        }
        Member member = member();
        CompletableFuture<A> unused = send(member, method, request, share(deadline, pause))
                .whenComplete((value, fault) -> {
                    if (fault == null) {
                        answer.complete(value);
                        return;
                    }
                    if (Faults.isSilence(fault)) {
                        turnFrom(member);
                        member.distrust();
                    } else if (Faults.isUnavailable(fault)) {
                        turnFrom(member);
                        member.reconnect();
                    }
                    boolean another = Faults.isWorthAnotherTry(fault) || Faults.isSilence(fault);
                    if (another && deadline.timeRemaining(TimeUnit.MILLISECONDS) > pause) {
                        long jittered = pause + ThreadLocalRandom.current().nextLong(pause);
                        var unusedTimer = thread.schedule(
                                () -> tryOnce(
                                        method, request, deadline, answer, Math.min(LONGEST_PAUSE_MILLIS, 2 * pause)),
                                jittered,
                                TimeUnit.MILLISECONDS);
                    } else {
                        answer.completeExceptionally(fault);
                    }
                });
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

    private static <Q, A> CompletableFuture<A> send(
            Member member, MethodDescriptor<Q, A> method, Q request, Deadline deadline) {
        One<A> one = new One<>();
        var call = member.channel().newCall(method, CallOptions.DEFAULT.withDeadline(deadline));
        if (method.getType() == MethodDescriptor.MethodType.UNARY) {
            ClientCalls.asyncUnaryCall(call, request, one);
        } else {
            StreamObserver<Q> requests = ClientCalls.asyncBidiStreamingCall(call, one);
            requests.onNext(request);
            requests.onCompleted();
        }
        return one.answer;
    }

    void close() {
        closed = true;
        members.forEach(Member::close);
    }

    /** The first answer; there is no second. */
    private static final class One<A> implements StreamObserver<A> {

        private final CompletableFuture<A> answer = new CompletableFuture<>();

        @Override
        public void onNext(A value) {
            answer.complete(value);
        }

        @Override
        public void onError(Throwable fault) {
            answer.completeExceptionally(fault);
        }

        @Override
        public void onCompleted() {
            answer.completeExceptionally(
                    Status.UNAVAILABLE.withDescription("no answer").asRuntimeException());
        }
    }
}
