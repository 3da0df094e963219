package dev.signet.store.quorum;

import dev.signet.store.quorum.state.Reply;
import dev.signet.store.quorum.wire.Address;
import dev.signet.store.quorum.wire.Answered;
import dev.signet.store.quorum.wire.Question;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.ratis.thirdparty.io.grpc.Deadline;
import org.apache.ratis.thirdparty.io.grpc.Status;

/**
 * The quorum, as something to ask. A question goes to the voter that is thought to lead, from there to whom it names, and round by
 * round to the others; when a voter says nothing for a while, the next is asked beside it. So a question may be taken twice, which
 * the ledger bears. All ends with the deadline. Thread-safe.
 */
final class RemoteQuorum {

    private static final Duration SILENCE = Duration.ofMillis(500);
    private static final Duration SILENCE_OF_A_STRANGER = Duration.ofMillis(1_500);
    private static final Duration LONGEST_QUESTION = Duration.ofSeconds(2);
    private static final long SHORTEST_PAUSE_MILLIS = 10;
    private static final long LONGEST_PAUSE_MILLIS = 200;

    private final List<RemoteVoter> voters;
    private final ScheduledExecutorService thread;
    private final AtomicInteger turn =
            new AtomicInteger(ThreadLocalRandom.current().nextInt(1 << 16));
    private volatile RemoteVoter leader;
    private volatile boolean closed;

    RemoteQuorum(List<RemoteVoter> voters, ScheduledExecutorService thread) {
        this.voters = voters;
        this.thread = thread;
        this.leader = another();
    }

    /** Fails with {@link Silence} when nobody can say. */
    CompletableFuture<Reply> ask(Question question, Duration timeout) {
        Asking asking = new Asking(question, Deadline.after(timeout.toNanos(), TimeUnit.NANOSECONDS));
        thread.execute(() -> asking.ask(leader));
        return asking.answer;
    }

    /** Who is thought to lead. */
    RemoteVoter leader() {
        return leader;
    }

    /** {@code wrong} does not lead. */
    void turnFrom(RemoteVoter wrong, Optional<Address> right) {
        if (leader == wrong) {
            leader = right.flatMap(this::listed).orElseGet(this::another);
        }
    }

    /** Voters that are not listed are not asked: their own address need not lead to them from here. */
    private Optional<RemoteVoter> listed(Address address) {
        return voters.stream().filter(voter -> voter.address().equals(address)).findFirst();
    }

    private RemoteVoter another() {
        return voters.get(Math.floorMod(turn.getAndIncrement(), voters.size()));
    }

    void close() {
        closed = true;
        voters.forEach(RemoteVoter::close);
    }

    /** One question, until it is answered. Its state belongs to the thread. */
    private final class Asking {

        private final Question question;
        private final Deadline deadline;
        private final CompletableFuture<Reply> answer = new CompletableFuture<>();
        private final Map<RemoteVoter, Integer> underWay = new HashMap<>();
        private int asked;
        private long pauseMillis = SHORTEST_PAUSE_MILLIS;
        private String last = "no voter answered";

        private Asking(Question question, Deadline deadline) {
            this.question = question;
            this.deadline = deadline;
        }

        private void ask(RemoteVoter voter) {
            if (answer.isDone()) {
                return;
            }
            if (closed || deadline.isExpired()) {
                answer.completeExceptionally(new Silence(closed ? "this store is closed" : last));
                return;
            }
            if (underWay.containsKey(voter)) {
                later();
                return;
            }
            int number = ++asked;
            underWay.put(voter, number);
            Deadline share = deadline.minimum(Deadline.after(LONGEST_QUESTION.toNanos(), TimeUnit.NANOSECONDS));
            var unusedAnswer = voter.ask(question, share)
                    .whenCompleteAsync(
                            (answered, fault) -> {
                                if (fault == null) {
                                    heard(voter, number, answered);
                                } else {
                                    failed(voter, number, Status.fromThrowable(fault));
                                }
                            },
                            thread);
            lookLater(voter, number);
        }

        private void lookLater(RemoteVoter voter, int number) {
            long now = System.nanoTime();
            Duration silence = voter.isConnected() ? SILENCE : SILENCE_OF_A_STRANGER;
            var unused = thread.schedule(() -> look(voter, number, now), silence.toMillis(), TimeUnit.MILLISECONDS);
        }

        /** Who answers others is left to answer this, too: to ask at more places makes nobody faster who has too much to do. */
        private void look(RemoteVoter voter, int number, long sinceNanos) {
            if (underWay.getOrDefault(voter, 0) != number || asked != number) {
                return;
            }
            if (voter.hasToldSince(sinceNanos)) {
                lookLater(voter, number);
            } else {
                last = voter + " says nothing";
                turnFrom(voter, Optional.empty());
                ask(another());
            }
        }

        private void heard(RemoteVoter voter, int number, Answered answered) {
            underWay.remove(voter, number);
            if (answered instanceof Answered.Told told) {
                leader = voter;
                answer.complete(told.reply());
            } else if (answered instanceof Answered.Elsewhere elsewhere) {
                last = voter + ": " + elsewhere.why();
                goTo(voter, elsewhere.leader());
            }
        }

        /** Straight to whom it names, unless that one is being asked or was named before to no end. */
        private void goTo(RemoteVoter from, Optional<Address> named) {
            Optional<RemoteVoter> next = named.flatMap(RemoteQuorum.this::listed)
                    .filter(voter -> voter != from && !underWay.containsKey(voter));
            turnFrom(from, next.map(RemoteVoter::address));
            if (next.isPresent() && pauseMillis == SHORTEST_PAUSE_MILLIS) {
                pauseMillis *= 2;
                ask(next.get());
            } else {
                later();
            }
        }

        private void failed(RemoteVoter voter, int number, Status status) {
            underWay.remove(voter, number);
            last = voter + ": " + status.getCode()
                    + Optional.ofNullable(status.getDescription())
                            .map(text -> ", " + text)
                            .orElse("");
            turnFrom(voter, Optional.empty());
            if (status.getCode() == Status.Code.DEADLINE_EXCEEDED) {
                voter.distrust();
            } else {
                voter.reconnect();
            }
            later();
        }

        private void later() {
            long pause = pauseMillis + ThreadLocalRandom.current().nextLong(pauseMillis);
            pauseMillis = Math.min(LONGEST_PAUSE_MILLIS, 2 * pauseMillis);
            var unused = thread.schedule(
                    () -> ask(underWay.containsKey(leader) ? another() : leader), pause, TimeUnit.MILLISECONDS);
        }
    }
}
