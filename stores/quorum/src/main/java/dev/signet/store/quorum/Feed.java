package dev.signet.store.quorum;

import dev.signet.Namespace;
import dev.signet.Role;
import dev.signet.store.RoleView;
import dev.signet.store.Subscription;
import dev.signet.store.Watch;
import dev.signet.store.WatchObserver;
import dev.signet.store.quorum.state.Unreadable;
import dev.signet.store.quorum.wire.Address;
import dev.signet.store.quorum.wire.Interest;
import dev.signet.store.quorum.wire.Messages;
import dev.signet.store.quorum.wire.Methods;
import dev.signet.store.quorum.wire.News;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.apache.ratis.thirdparty.io.grpc.CallOptions;
import org.apache.ratis.thirdparty.io.grpc.Status;
import org.apache.ratis.thirdparty.io.grpc.stub.ClientCallStreamObserver;
import org.apache.ratis.thirdparty.io.grpc.stub.ClientCalls;
import org.apache.ratis.thirdparty.io.grpc.stub.StreamObserver;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Serves all watches of a store by one stream from the voter that leads, once it is found. When the stream ends, or nothing is heard on
 * it though a leader says every second that there is nothing, all watches are broken, and the next one begins a stream anew. Its state
 * belongs to its thread.
 */
final class Feed {

    private static final Logger LOG = LoggerFactory.getLogger(Feed.class);

    private static final long BETWEEN_LOOKS_MILLIS = 500;
    private static final long LONGEST_SILENCE_NANOS = TimeUnit.SECONDS.toNanos(4);
    private static final long LONGEST_SEARCH_NANOS = TimeUnit.SECONDS.toNanos(5);
    private static final long BETWEEN_VOTERS_MILLIS = 50;

    private final RemoteQuorum quorum;
    private final Namespace namespace;
    private final ScheduledExecutorService thread;
    private final Map<Role, List<Subscription>> subscriptions = new LinkedHashMap<>();
    private @Nullable Run run;
    private volatile boolean closed;

    Feed(RemoteQuorum quorum, Namespace namespace, ScheduledExecutorService thread) {
        this.quorum = quorum;
        this.namespace = namespace;
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
            start(System.nanoTime());
        } else {
            running.show(subscription.role());
        }
    }

    private void start(long searchingSinceNanos) {
        Run next = new Run(quorum.leader(), searchingSinceNanos);
        run = next;
        next.begin();
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

    /** One stream. */
    private final class Run implements StreamObserver<byte[]> {

        private final RemoteVoter voter;
        private final long searchingSinceNanos;
        private boolean found;
        private @Nullable ClientCallStreamObserver<byte[]> interests;
        private final Set<Role> unshown = new LinkedHashSet<>();
        private long heardNanos = System.nanoTime();

        private Run(RemoteVoter voter, long searchingSinceNanos) {
            this.voter = voter;
            this.searchingSinceNanos = searchingSinceNanos;
        }

        private void begin() {
            interests = (ClientCallStreamObserver<byte[]>) ClientCalls.asyncBidiStreamingCall(
                    voter.channel().newCall(Methods.WATCH, CallOptions.DEFAULT.withExecutor(thread)), this);
            subscriptions.keySet().forEach(this::show);
            lookLater();
        }

        /** With what is asked for meanwhile. What is watched already is shown again, to whoever watches it too. */
        private void show(Role role) {
            if (unshown.isEmpty()) {
                thread.execute(() -> {
                    unshown.retainAll(subscriptions.keySet());
                    tell(unshown, true);
                    unshown.clear();
                });
            }
            unshown.add(role);
        }

        private void tell(Collection<Role> roles, boolean watched) {
            ClientCallStreamObserver<byte[]> open = interests;
            if (open != null) {
                open.onNext(Messages.encode(new Interest(namespace, List.copyOf(roles), watched)));
            }
        }

        private void lookLater() {
            var unused = thread.schedule(this::look, BETWEEN_LOOKS_MILLIS, TimeUnit.MILLISECONDS);
        }

        private void look() {
            if (run != this) {
                return;
            }
            if (System.nanoTime() - heardNanos > LONGEST_SILENCE_NANOS) {
                voter.distrust();
                over(Optional.empty(), voter + " says nothing");
            } else {
                lookLater();
            }
        }

        @Override
        public void onNext(byte[] bytes) {
            heardNanos = System.nanoTime();
            voter.heard();
            if (run != this) {
                return;
            }
            try {
                News news = Messages.news(bytes);
                if (news instanceof News.Seen seen) {
                    tell(seen);
                } else if (news instanceof News.Over over) {
                    over(over.leader(), voter + " does not lead");
                }
            } catch (Unreadable e) {
                over(Optional.empty(), voter + " sent " + e.getMessage());
            }
        }

        private void tell(News.Seen seen) {
            found = true;
            List<Role> unwanted = new ArrayList<>();
            for (RoleView view : seen.views()) {
                List<Subscription> those = subscriptions.get(view.role());
                if (those == null) {
                    continue;
                }
                those.removeIf(Subscription::isEnded);
                if (those.isEmpty()) {
                    subscriptions.remove(view.role());
                    unwanted.add(view.role());
                }
                List.copyOf(those).forEach(each -> each.tell(view));
            }
            if (!unwanted.isEmpty()) {
                tell(unwanted, false);
            }
        }

        @Override
        public void onError(Throwable fault) {
            voter.reconnect();
            over(Optional.empty(), voter + ": " + Status.fromThrowable(fault).getCode());
        }

        @Override
        public void onCompleted() {
            over(Optional.empty(), voter + " ended the watch");
        }

        private void over(Optional<Address> leader, String cause) {
            if (run != this) {
                return;
            }
            quorum.turnFrom(voter, leader);
            end();
            if (!found && System.nanoTime() - searchingSinceNanos < LONGEST_SEARCH_NANOS) {
                searchOn();
                return;
            }
            List<Subscription> broken =
                    subscriptions.values().stream().flatMap(List::stream).toList();
            subscriptions.clear();
            broken.forEach(each -> each.breakOff(cause));
        }

        /** It was another that leads, or none does yet. */
        private void searchOn() {
            run = this;
            var unused = thread.schedule(
                    () -> {
                        if (run == this && !closed) {
                            start(searchingSinceNanos);
                        }
                    },
                    BETWEEN_VOTERS_MILLIS,
                    TimeUnit.MILLISECONDS);
        }

        private void end() {
            run = null;
            ClientCallStreamObserver<byte[]> open = interests;
            interests = null;
            if (open != null) {
                open.cancel("this watch is over", null);
            }
        }
    }
}
