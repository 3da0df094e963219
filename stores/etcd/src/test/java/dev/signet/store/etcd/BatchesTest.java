package dev.signet.store.etcd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import dev.signet.servers.EtcdServer;
import io.etcd.jetcd.api.KVGrpc;
import io.etcd.jetcd.api.TxnRequest;
import io.etcd.jetcd.api.TxnResponse;
import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientCall;
import io.grpc.ClientInterceptor;
import io.grpc.Deadline;
import io.grpc.ForwardingClientCall.SimpleForwardingClientCall;
import io.grpc.MethodDescriptor;
import io.grpc.Server;
import io.grpc.Status;
import io.grpc.netty.NettyChannelBuilder;
import io.grpc.netty.NettyServerBuilder;
import io.grpc.stub.StreamObserver;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Many transactions at once come to what they come to one after the other. */
@Tag("process")
class BatchesTest {

    private static final int MANY = 1_000;

    private static EtcdServer server;
    private static int tests;

    private final ScheduledExecutorService thread = Executors.newSingleThreadScheduledExecutor();
    private final AtomicInteger requests = new AtomicInteger();
    private final String test = "batches" + ++tests + "/";
    private final Members members = membersAt(server.port());

    @BeforeAll
    static void start() {
        server = EtcdServer.alone();
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @AfterEach
    void close() {
        members.close();
        thread.shutdownNow();
    }

    private Members membersAt(int port) {
        return new Members(
                List.of(new Member(
                        NettyChannelBuilder.forAddress("127.0.0.1", port)
                                .usePlaintext()
                                .intercept(new Counted())
                                .build(),
                        Optional.empty())),
                Optional.empty(),
                thread);
    }

    private static Deadline soon() {
        return Deadline.after(60, TimeUnit.SECONDS);
    }

    private ByteString key(String name) {
        return ByteString.copyFromUtf8(test + name);
    }

    private static ByteString value(int number) {
        return ByteString.copyFromUtf8("value " + number);
    }

    private TxnRequest putIfAbsent(String absent, String key, int value) {
        return Ops.when(List.of(Ops.isAbsent(key(absent))), List.of(Ops.put(key(key), value(value), Ops.NO_LEASE)));
    }

    private List<CompletableFuture<TxnResponse>> atOnce(List<TxnRequest> all) {
        return all.stream().map(each -> members.txn(each, soon())).toList();
    }

    private Optional<ByteString> read(String key) {
        return Readings.one(members.txn(Ops.read(Ops.get(key(key))), soon()).join(), 0)
                .map(found -> found.getValue());
    }

    @Test
    void eachIsDoneOrNotByItsOwnGuardsAndHearsItsOwnAnswer() {
        List<Integer> numbers = IntStream.range(0, MANY).boxed().toList();
        atOnce(numbers.stream()
                        .filter(number -> number % 3 == 0)
                        .map(number -> putIfAbsent("k" + number, "k" + number, number))
                        .toList())
                .forEach(answer -> assertThat(answer.join().getSucceeded()).isTrue());
        requests.set(0);

        List<CompletableFuture<TxnResponse>> answers = atOnce(numbers.stream()
                .map(number -> putIfAbsent("k" + number, "k" + number, 2 * number))
                .toList());
        List<CompletableFuture<TxnResponse>> readings = atOnce(numbers.stream()
                .map(number -> Ops.read(Ops.get(key("none")), Ops.get(key("k" + number))))
                .toList());

        numbers.forEach(
                number -> assertThat(answers.get(number).join().getSucceeded()).isEqualTo(number % 3 != 0));
        readings.forEach(CompletableFuture::join);
        assertThat(requests).as("requests for 2,000").hasValueLessThan(200);
        for (int number : numbers) {
            TxnResponse found = atOnce(List.of(Ops.read(Ops.get(key("none")), Ops.get(key("k" + number)))))
                    .get(0)
                    .join();
            assertThat(Readings.one(found, 0)).isEmpty();
            assertThat(Readings.one(found, 1).orElseThrow().getValue())
                    .isEqualTo(value(number % 3 == 0 ? number : 2 * number));
            assertThat(found.getHeader().getRevision()).isPositive();
        }
    }

    @Test
    void readingsTogetherAreToldApart() {
        atOnce(IntStream.range(0, MANY)
                        .mapToObj(number -> putIfAbsent("k" + number, "k" + number, number))
                        .toList())
                .forEach(CompletableFuture::join);

        List<CompletableFuture<TxnResponse>> readings = atOnce(IntStream.range(0, MANY)
                .mapToObj(number -> Ops.read(Ops.get(key("none")), Ops.get(key("k" + number)), Ops.get(key("k0"))))
                .toList());

        for (int number = 0; number < MANY; number++) {
            TxnResponse found = readings.get(number).join();
            assertThat(Readings.one(found, 0)).isEmpty();
            assertThat(Readings.one(found, 1).orElseThrow().getValue()).isEqualTo(value(number));
            assertThat(Readings.one(found, 2).orElseThrow().getValue()).isEqualTo(value(0));
        }
    }

    /** Each of a pair writes what the other wants to be absent. etcd looks at all guards first, and so would do both. */
    @Test
    void ofTwoThatRuleEachOtherOutOneIsDone() {
        List<TxnRequest> pairs = new ArrayList<>();
        for (int number = 0; number < MANY; number++) {
            pairs.add(putIfAbsent("one" + number, "other" + number, number));
            pairs.add(putIfAbsent("other" + number, "one" + number, number));
        }

        List<CompletableFuture<TxnResponse>> answers = atOnce(pairs);

        for (int number = 0; number < MANY; number++) {
            assertThat(List.of(
                            answers.get(2 * number).join().getSucceeded(),
                            answers.get(2 * number + 1).join().getSucceeded()))
                    .as("pair " + number)
                    .containsOnlyOnce(true);
            assertThat(read("one" + number).isPresent())
                    .isNotEqualTo(read("other" + number).isPresent());
        }
    }

    @Test
    void ofManyThatWantOneKeyOneIsDone() {
        List<CompletableFuture<TxnResponse>> answers = atOnce(IntStream.range(0, MANY)
                .mapToObj(number -> putIfAbsent("only", "only", number))
                .toList());

        List<Integer> done = IntStream.range(0, MANY)
                .filter(number -> answers.get(number).join().getSucceeded())
                .boxed()
                .toList();
        assertThat(done).hasSize(1);
        assertThat(read("only")).contains(value(done.get(0)));
    }

    /** etcd refuses a request as a whole of which one part names a lease that is not there. */
    @Test
    void whatOneIsRefusedTheOthersAreNot() {
        List<TxnRequest> all = new ArrayList<>(IntStream.range(0, MANY)
                .mapToObj(number -> putIfAbsent("k" + number, "k" + number, number))
                .toList());
        all.add(MANY / 2, Ops.when(List.of(), List.of(Ops.put(key("leased"), value(1), 4_711))));

        List<CompletableFuture<TxnResponse>> answers = atOnce(all);

        assertThatThrownBy(() -> answers.get(MANY / 2).join()).hasMessageContaining("lease not found");
        for (int number = 0; number < all.size(); number++) {
            if (number != MANY / 2) {
                assertThat(answers.get(number).join().getSucceeded()).isTrue();
            }
        }
        assertThat(read("leased")).isEmpty();
    }

    /** Takes no more than so many operations at once, and is overloaded at times. Whatever it takes is done. */
    private static Server picky(int mostOps, AtomicInteger overloads, AtomicInteger done) throws Exception {
        return NettyServerBuilder.forAddress(new InetSocketAddress("127.0.0.1", 0))
                .addService(KVGrpc.bindService(new KVGrpc.AsyncService() {
                    @Override
                    public void txn(TxnRequest request, StreamObserver<TxnResponse> answer) {
                        if (overloads.getAndDecrement() > 0) {
                            answer.onError(Status.RESOURCE_EXHAUSTED
                                    .withDescription("etcdserver: too many requests")
                                    .asRuntimeException());
                            return;
                        }
                        if (request.getSuccessCount() > mostOps) {
                            answer.onError(Status.INVALID_ARGUMENT
                                    .withDescription("etcdserver: too many operations in txn request")
                                    .asRuntimeException());
                            return;
                        }
                        TxnResponse.Builder all = TxnResponse.newBuilder().setSucceeded(true);
                        request.getSuccessList().forEach(op -> {
                            done.addAndGet(op.hasRequestTxn() || op.hasRequestPut() ? 1 : 0);
                            all.addResponsesBuilder()
                                    .setResponseTxn(TxnResponse.newBuilder().setSucceeded(true));
                        });
                        answer.onNext(all.build());
                        answer.onCompleted();
                    }
                }))
                .build()
                .start();
    }

    @Test
    void whoTakesFewerAtOnceIsAskedForFewer() throws Exception {
        AtomicInteger done = new AtomicInteger();
        Server picky = picky(7, new AtomicInteger(), done);
        Members picked = membersAt(picky.getPort());
        try {
            IntStream.range(0, MANY)
                    .mapToObj(number -> picked.txn(putIfAbsent("k" + number, "k" + number, number), soon()))
                    .toList()
                    .forEach(answer -> assertThat(answer.join().getSucceeded()).isTrue());

            assertThat(done).hasValue(MANY);
            assertThat(requests).hasValueLessThan(MANY);
        } finally {
            picked.close();
            picky.shutdownNow();
        }
    }

    @Test
    void whoIsOverloadedIsAskedAgainAfterAWhile() throws Exception {
        AtomicInteger done = new AtomicInteger();
        AtomicInteger overloads = new AtomicInteger(5);
        Server picky = picky(128, overloads, done);
        Members picked = membersAt(picky.getPort());
        try {
            IntStream.range(0, MANY)
                    .mapToObj(number -> picked.txn(putIfAbsent("k" + number, "k" + number, number), soon()))
                    .toList()
                    .forEach(answer -> assertThat(answer.join().getSucceeded()).isTrue());

            assertThat(done).as("each once").hasValue(MANY);

            overloads.set(Integer.MAX_VALUE);
            CompletableFuture<TxnResponse> never =
                    picked.txn(putIfAbsent("k", "k", 1), Deadline.after(1, TimeUnit.SECONDS));
            assertThatThrownBy(never::join).hasMessageContaining("too many requests");
        } finally {
            picked.close();
            picky.shutdownNow();
        }
    }

    private final class Counted implements ClientInterceptor {

        @Override
        public <Q, A> ClientCall<Q, A> interceptCall(MethodDescriptor<Q, A> method, CallOptions options, Channel next) {
            return new SimpleForwardingClientCall<>(next.newCall(method, options)) {
                @Override
                public void sendMessage(Q message) {
                    requests.incrementAndGet();
                    super.sendMessage(message);
                }
            };
        }
    }
}
