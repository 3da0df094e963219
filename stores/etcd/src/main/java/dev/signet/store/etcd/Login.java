package dev.signet.store.etcd;

import io.etcd.jetcd.api.AuthGrpc;
import io.etcd.jetcd.api.AuthenticateRequest;
import io.etcd.jetcd.api.AuthenticateResponse;
import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientCall;
import io.grpc.ClientInterceptor;
import io.grpc.Deadline;
import io.grpc.ForwardingClientCall.SimpleForwardingClientCall;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Who we are at etcd, as a token that goes with each request. etcd forgets tokens: those that nobody used for a while, and all when
 * a member starts anew; then another is asked for, once for all who wait. This touches no session. Thread-safe.
 */
final class Login implements ClientInterceptor {

    private static final Metadata.Key<String> HEADER = Metadata.Key.of("token", Metadata.ASCII_STRING_MARSHALLER);

    /** Of a cluster that asks nobody who he is. */
    private static final String NONE = "";

    private final EtcdUser user;
    private volatile @Nullable String token;
    private @Nullable CompletableFuture<Boolean> asked;

    Login(EtcdUser user) {
        this.user = user;
    }

    /** The token that requests carry now. */
    @Nullable
    String token() {
        return token;
    }

    /** Etcd does not know this one any more. */
    void forget(@Nullable String stale) {
        if (stale != null && stale.equals(token)) {
            token = null;
        }
    }

    /** Done when there is a token. */
    synchronized CompletableFuture<Boolean> ready(Member member, Deadline deadline) {
        if (token != null) {
            return CompletableFuture.completedFuture(true);
        }
        CompletableFuture<Boolean> going = asked;
        if (going == null || going.isDone()) {
            going = ask(member, deadline);
            asked = going;
        }
        return going;
    }

    private CompletableFuture<Boolean> ask(Member member, Deadline deadline) {
        return CompletableFuture.supplyAsync(user.password(), Login::run)
                .thenCompose(password -> member.send(
                        AuthGrpc.getAuthenticateMethod(),
                        AuthenticateRequest.newBuilder()
                                .setName(user.name())
                                .setPassword(password)
                                .build(),
                        deadline))
                .thenApply(AuthenticateResponse::getToken)
                .exceptionally(fault -> {
                    if (Faults.isWithoutUsers(fault)) {
                        return NONE;
                    }
                    throw Faults.rethrown(fault);
                })
                .thenApply(given -> {
                    token = given;
                    return true;
                });
    }

    /** A password may come from a slow place, and heartbeats must not wait for it. */
    private static void run(Runnable reading) {
        Thread thread = new Thread(reading, "signet-etcd-password");
        thread.setDaemon(true);
        thread.start();
    }

    @Override
    public <Q, A> ClientCall<Q, A> interceptCall(MethodDescriptor<Q, A> method, CallOptions options, Channel next) {
        Optional<String> carried = Optional.ofNullable(token).filter(known -> !known.isEmpty());
        return new SimpleForwardingClientCall<>(next.newCall(method, options)) {
            @Override
            public void start(Listener<A> listener, Metadata headers) {
                carried.ifPresent(known -> headers.put(HEADER, known));
                super.start(listener, headers);
            }
        };
    }
}
