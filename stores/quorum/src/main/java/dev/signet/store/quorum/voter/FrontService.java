package dev.signet.store.quorum.voter;

import dev.signet.store.quorum.state.Changed;
import dev.signet.store.quorum.state.Unreadable;
import dev.signet.store.quorum.wire.Answered;
import dev.signet.store.quorum.wire.Interest;
import dev.signet.store.quorum.wire.Messages;
import dev.signet.store.quorum.wire.Methods;
import dev.signet.store.quorum.wire.News;
import java.util.List;
import org.apache.ratis.thirdparty.io.grpc.ServerServiceDefinition;
import org.apache.ratis.thirdparty.io.grpc.Status;
import org.apache.ratis.thirdparty.io.grpc.stub.ServerCallStreamObserver;
import org.apache.ratis.thirdparty.io.grpc.stub.ServerCalls;
import org.apache.ratis.thirdparty.io.grpc.stub.StreamObserver;

/** What candidates and other voters ask over the network, on the port of Raft. */
final class FrontService {

    private final Front front;
    private final Watchers watchers;
    private final Standing self;

    FrontService(Front front, Watchers watchers, Standing self) {
        this.front = front;
        this.watchers = watchers;
        this.self = self;
    }

    ServerServiceDefinition definition() {
        return ServerServiceDefinition.builder(Methods.SERVICE)
                .addMethod(Methods.ASK, ServerCalls.asyncUnaryCall(this::ask))
                .addMethod(Methods.PEEK, ServerCalls.asyncUnaryCall(this::peek))
                .addMethod(Methods.MEET, ServerCalls.asyncUnaryCall(this::meet))
                .addMethod(Methods.STATUS, ServerCalls.asyncUnaryCall(this::status))
                .addMethod(Methods.WATCH, ServerCalls.asyncBidiStreamingCall(this::watch))
                .build();
    }

    private void ask(byte[] bytes, StreamObserver<byte[]> answer) {
        try {
            var unused = front.answer(Messages.question(bytes)).whenComplete((answered, fault) -> {
                if (fault == null) {
                    answer(answer, answered);
                } else {
                    answer.onError(Status.INTERNAL.withCause(fault).asRuntimeException());
                }
            });
        } catch (Unreadable e) {
            answer.onError(
                    Status.INVALID_ARGUMENT.withDescription(e.getMessage()).asRuntimeException());
        }
    }

    private static void answer(StreamObserver<byte[]> answer, Answered answered) {
        answer.onNext(Messages.encode(answered));
        answer.onCompleted();
    }

    private void peek(byte[] nothing, StreamObserver<byte[]> answer) {
        answer.onNext(Messages.encode(self.peek()));
        answer.onCompleted();
    }

    private void meet(byte[] nothing, StreamObserver<byte[]> answer) {
        answer.onNext(Messages.encode(self.introduction()));
        answer.onCompleted();
    }

    private void status(byte[] nothing, StreamObserver<byte[]> answer) {
        answer.onNext(Messages.encode(self.status()));
        answer.onCompleted();
    }

    private StreamObserver<byte[]> watch(StreamObserver<byte[]> output) {
        Stream stream = new Stream((ServerCallStreamObserver<byte[]>) output);
        Watchers.Watcher watcher = watchers.add(stream);
        stream.output.setOnReadyHandler(watcher::goOn);
        stream.output.setOnCancelHandler(watcher::end);
        return new StreamObserver<>() {
            @Override
            public void onNext(byte[] bytes) {
                try {
                    Interest interest = Messages.interest(bytes);
                    List<Changed> roles = interest.roles().stream()
                            .map(role -> new Changed(interest.namespace(), role))
                            .toList();
                    if (interest.watched()) {
                        watcher.watch(roles);
                    } else {
                        watcher.unwatch(roles);
                    }
                } catch (Unreadable e) {
                    watcher.end();
                }
            }

            @Override
            public void onError(Throwable fault) {
                watcher.end();
            }

            @Override
            public void onCompleted() {
                watcher.end();
            }
        };
    }

    /** Written to by one thread at a time, whichever. */
    private static final class Stream implements Watchers.Ear {

        private final ServerCallStreamObserver<byte[]> output;

        private Stream(ServerCallStreamObserver<byte[]> output) {
            this.output = output;
        }

        @Override
        public boolean isReady() {
            return output.isReady() && !output.isCancelled();
        }

        @Override
        public synchronized void tell(News news) {
            if (!output.isCancelled()) {
                output.onNext(Messages.encode(news));
            }
        }

        @Override
        public synchronized void end() {
            if (!output.isCancelled()) {
                output.onCompleted();
            }
        }
    }
}
