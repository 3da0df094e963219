package dev.signet.store.quorum.voter;

import dev.signet.store.quorum.state.Unreadable;
import dev.signet.store.quorum.wire.Messages;
import dev.signet.store.quorum.wire.Methods;
import java.nio.charset.StandardCharsets;
import org.apache.ratis.thirdparty.io.grpc.ServerServiceDefinition;
import org.apache.ratis.thirdparty.io.grpc.Status;
import org.apache.ratis.thirdparty.io.grpc.stub.ServerCalls;
import org.apache.ratis.thirdparty.io.grpc.stub.StreamObserver;

/** What those who run the quorum ask over the network. */
final class CareService {

    private final Replacing replacing;

    /** Said so since it comes about after the service. */
    interface Replacing {
        Membership membership();
    }

    CareService(Replacing replacing) {
        this.replacing = replacing;
    }

    ServerServiceDefinition definition() {
        return ServerServiceDefinition.builder(Methods.CARE)
                .addMethod(Methods.REPLACE, ServerCalls.asyncUnaryCall(this::replace))
                .build();
    }

    private void replace(byte[] bytes, StreamObserver<byte[]> answer) {
        try {
            var unused = replacing
                    .membership()
                    .replace(Messages.replacement(bytes))
                    .whenComplete((why, fault) -> {
                        if (fault == null) {
                            answer.onNext(why.orElse("").getBytes(StandardCharsets.UTF_8));
                            answer.onCompleted();
                        } else {
                            answer.onError(Status.UNAVAILABLE
                                    .withDescription(fault.getMessage())
                                    .asRuntimeException());
                        }
                    });
        } catch (Unreadable e) {
            answer.onError(
                    Status.INVALID_ARGUMENT.withDescription(e.getMessage()).asRuntimeException());
        }
    }
}
