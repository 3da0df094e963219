package dev.signet.store.quorum.voter;

import dev.signet.StoreId;
import dev.signet.store.quorum.wire.Introduction;
import dev.signet.store.quorum.wire.Messages;
import dev.signet.store.quorum.wire.Methods;
import dev.signet.store.quorum.wire.Peek;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.apache.ratis.thirdparty.io.grpc.Server;
import org.apache.ratis.thirdparty.io.grpc.ServerServiceDefinition;
import org.apache.ratis.thirdparty.io.grpc.netty.NettyServerBuilder;
import org.apache.ratis.thirdparty.io.grpc.stub.ServerCalls;

/** In the place of a voter: introduces itself, and does nothing else. */
final class Speaker implements AutoCloseable {

    private final Server server;

    private Speaker(int port, Introduction introduction) throws IOException {
        server = NettyServerBuilder.forAddress(new InetSocketAddress("127.0.0.1", port))
                .addService(ServerServiceDefinition.builder(Methods.SERVICE)
                        .addMethod(Methods.MEET, ServerCalls.asyncUnaryCall((nothing, answer) -> {
                            answer.onNext(Messages.encode(introduction));
                            answer.onCompleted();
                        }))
                        .build())
                .build()
                .start();
    }

    static Speaker waiting(int port, String voter, UUID group, Map<String, UUID> folders) throws IOException {
        return new Speaker(
                port, new Introduction(new Peek(voter, group, -1, false, Set.of(), Optional.empty()), false, folders));
    }

    /** Of a quorum with these voters, which has a store. */
    static Speaker begun(int port, String voter, UUID group, Set<String> voters, Map<String, UUID> folders)
            throws IOException {
        return new Speaker(
                port,
                new Introduction(
                        new Peek(voter, group, 7, true, voters, Optional.of(new StoreId("a-store"))), true, folders));
    }

    @Override
    public void close() {
        server.shutdownNow();
    }
}
