package dev.signet.store.etcd;

import dev.signet.Role;
import dev.signet.store.Subscription;
import dev.signet.store.Watch;
import dev.signet.store.WatchObserver;
import io.etcd.jetcd.api.Event;
import io.etcd.jetcd.api.WatchCreateRequest;
import io.etcd.jetcd.api.WatchGrpc;
import io.etcd.jetcd.api.WatchProgressRequest;
import io.etcd.jetcd.api.WatchRequest;
import io.etcd.jetcd.api.WatchResponse;
import io.grpc.CallOptions;
import io.grpc.ClientInterceptors;
import io.grpc.Deadline;
import io.grpc.Metadata;
import io.grpc.Status;
import io.grpc.stub.ClientCallStreamObserver;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.MetadataUtils;
import io.grpc.stub.StreamObserver;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Serves all watches of a store by one watch of etcd's: first everything is read, then changes are heard from that revision on.
 * When the stream ends, also because etcd has thrown away what came since, all watches are broken, and the next one reads anew. A
 * member that says nothing, though it is asked every second, is left. Its state belongs to its thread.
 */
final class Feed {

    private static final Logger LOG = LoggerFactory.getLogger(Feed.class);

    private static final long LONGEST_READ_SECONDS = 5;
    private static final long BETWEEN_QUESTIONS_SECONDS = 1;
    private static final long LONGEST_SILENCE_NANOS = TimeUnit.SECONDS.toNanos(5);

    /** A member that has no leader ends the stream. */
    private static final Metadata WITH_LEADER = new Metadata();

    static {
        WITH_LEADER.put(Metadata.Key.of("hasleader", Metadata.ASCII_STRING_MARSHALLER), "true");
    }

    private final Members members;
    private final Keys keys;
    private final Readings readings;
    private final ScheduledExecutorService thread;
    private final Map<Role, List<Subscription>> subscriptions = new LinkedHashMap<>();
    private @Nullable Run run;
    private volatile boolean closed;

    Feed(Members members, Keys keys, Readings readings, ScheduledExecutorService thread) {
        this.members = members;
        this.keys = keys;
        this.readings = readings;
        this.thread = thread;
    }

    Watch watch(Role role, WatchObserver observer) {
        Subscription subscription =
                new Subscription(role, observer, fault -> LOG.warn("a watcher failed; role={}", role, fault));
        thread.execute(() -> begin(subscription));
        return subscription;
    }

    private void begin(Subscription subscription) {
        if (closed) {
            return;
        }
        subscriptions
                .computeIfAbsent(subscription.role(), role -> new ArrayList<>())
                .add(subscription);
        Run running = run;
        if (running == null) {
            Run next = new Run();
            run = next;
            next.read();
        } else {
            running.tell(subscription.role());
        }
    }

    void close() {
        closed = true;
        thread.execute(() -> {
            subscriptions.clear();
            Run running = run;
            if (running != null) {
                running.end();
            }
        });
    }

    /** From reading everything to the end of the stream. */
    private final class Run implements StreamObserver<WatchResponse> {

        private Member member = members.member();
        private @Nullable Census census;
        private @Nullable ClientCallStreamObserver<WatchRequest> requests;
        private long heardNanos = System.nanoTime();

        private void read() {
            var unused = readings.census(Deadline.after(LONGEST_READ_SECONDS, TimeUnit.SECONDS))
                    .whenCompleteAsync(
                            (read, fault) -> {
                                if (fault == null) {
                                    listen(read);
                                } else {
                                    over("could not read: " + Faults.message(fault));
                                }
                            },
                            thread);
        }

        private void listen(Census read) {
            if (closed) {
                return;
            }
            census = read;
            member = members.member();
            heardNanos = System.nanoTime();
            var call = ClientInterceptors.intercept(
                            member.channel(), MetadataUtils.newAttachHeadersInterceptor(WITH_LEADER))
                    .newCall(WatchGrpc.getWatchMethod(), CallOptions.DEFAULT.withExecutor(thread));
            var opened = (ClientCallStreamObserver<WatchRequest>) ClientCalls.asyncBidiStreamingCall(call, this);
            requests = opened;
            opened.onNext(WatchRequest.newBuilder()
                    .setCreateRequest(WatchCreateRequest.newBuilder()
                            .setKey(keys.roles())
                            .setRangeEnd(Keys.after(keys.allKept()))
                            .setStartRevision(read.revision() + 1))
                    .build());
            List.copyOf(subscriptions.keySet()).forEach(this::tell);
            askLater();
        }

        private void askLater() {
            var unused = thread.schedule(this::ask, BETWEEN_QUESTIONS_SECONDS, TimeUnit.SECONDS);
        }

        private void ask() {
            ClientCallStreamObserver<WatchRequest> open = requests;
            if (open == null) {
                return;
            }
            if (System.nanoTime() - heardNanos > LONGEST_SILENCE_NANOS) {
                members.turnFrom(member);
                member.distrust();
                over("the member of etcd says nothing");
                return;
            }
            open.onNext(WatchRequest.newBuilder()
                    .setProgressRequest(WatchProgressRequest.getDefaultInstance())
                    .build());
            askLater();
        }

        @Override
        public void onNext(WatchResponse heard) {
            heardNanos = System.nanoTime();
            Census known = census;
            if (requests == null || known == null) {
                return;
            }
            if (heard.getCanceled()) {
                over(
                        heard.getCompactRevision() > 0
                                ? "etcd has compacted what came before revision " + heard.getCompactRevision()
                                : "etcd ended the watch: " + heard.getCancelReason());
                return;
            }
            try {
                List<Census.Changed> changes = new ArrayList<>();
                for (Event event : heard.getEventsList()) {
                    changes.add(
                            event.getType() == Event.EventType.DELETE
                                    ? known.remove(event.getKv().getKey())
                                    : known.put(event.getKv()));
                }
                changes.forEach(change -> tellOf(change, known));
            } catch (IllegalArgumentException e) {
                over("what lies in etcd is not of Signet: " + e.getMessage());
            }
        }

        private void tellOf(Census.Changed change, Census known) {
            change.role().ifPresent(this::tell);
            change.session()
                    .ifPresent(session -> List.copyOf(subscriptions.keySet()).stream()
                            .filter(role -> known.concerns(role, session))
                            .forEach(this::tell));
        }

        private void tell(Role role) {
            List<Subscription> those = subscriptions.get(role);
            Census known = census;
            if (known == null || those == null) {
                return;
            }
            those.removeIf(Subscription::isEnded);
            if (those.isEmpty()) {
                subscriptions.remove(role);
            }
            List.copyOf(those).forEach(each -> each.tell(known.view(role)));
        }

        @Override
        public void onError(Throwable fault) {
            members.turnFrom(member);
            over("the watch ended: " + Status.fromThrowable(fault));
        }

        @Override
        public void onCompleted() {
            over("the watch ended");
        }

        private void over(String cause) {
            if (run != this) {
                return;
            }
            end();
            List<Subscription> broken =
                    subscriptions.values().stream().flatMap(List::stream).toList();
            subscriptions.clear();
            broken.forEach(each -> each.breakOff(cause));
        }

        private void end() {
            run = null;
            ClientCallStreamObserver<WatchRequest> open = requests;
            requests = null;
            if (open != null) {
                open.cancel("this watch is over", null);
            }
        }
    }
}
