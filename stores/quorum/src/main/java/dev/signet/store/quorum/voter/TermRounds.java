package dev.signet.store.quorum.voter;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Whether no later leader was ready before a question arrived, without a write to the log: a majority of the voters says, after the
 * question arrived, that it is in this Raft term still.
 *
 * <p>Why that is enough: the leader of a later term needs votes from a majority, and each of these voters entered that term, for
 * good, before its vote was sent. The two majorities meet in a voter that was in the earlier term after the question arrived; so
 * the later leader was not elected before. Raft's own ReadIndex, as Ratis has it, does not show that: an idle leader of whom nothing
 * new is to be acknowledged answers it by itself, for as long as it believes that it leads.
 *
 * <p>One round is under way at a time; whoever comes meanwhile waits for the next, since a round that began before a question
 * arrived proves nothing about it, and that one begins after a pause. So rounds do not multiply with questions. Thread-safe.
 */
final class TermRounds {

    /** The other voters, asked at once. */
    interface Voters {

        /** Of all voters, this one included. */
        int majority();

        /** One answer each: the Raft term that the voter is in, or a failure. */
        List<CompletableFuture<Long>> peek();
    }

    private static final Logger LOG = LoggerFactory.getLogger(TermRounds.class);

    private static final long NONE = -1;

    private final Voters voters;
    private final LongSupplier ownTerm;
    private final Executor afterPause;
    private List<Waiting> next = new ArrayList<>();
    private boolean underWay;

    private record Waiting(long raftTerm, CompletableFuture<Boolean> confirmed) {}

    /**
     * @param ownTerm the Raft term that this voter is in
     * @param afterPause runs what is given to it, after a moment in which more may come to wait
     */
    TermRounds(Voters voters, LongSupplier ownTerm, Executor afterPause) {
        this.voters = voters;
        this.ownTerm = ownTerm;
        this.afterPause = afterPause;
    }

    /** Whether a majority was in this term after the call began. No answer, or none in time, is no. */
    CompletableFuture<Boolean> confirm(long raftTerm) {
        Waiting waiting = new Waiting(raftTerm, new CompletableFuture<>());
        synchronized (this) {
            next.add(waiting);
            if (underWay) {
                return waiting.confirmed();
            }
            underWay = true;
        }
        begin();
        return waiting.confirmed();
    }

    private void beginNext() {
        synchronized (this) {
            if (next.isEmpty()) {
                underWay = false;
                return;
            }
        }
        afterPause.execute(this::begin);
    }

    /** Rounds for as long as somebody waits. One that ends at once does not begin the next from within itself: the stack is finite. */
    private void begin() {
        boolean over = true;
        while (over) {
            List<Waiting> waiting;
            synchronized (this) {
                if (next.isEmpty()) {
                    underWay = false;
                    return;
                }
                waiting = next;
                next = new ArrayList<>();
            }
            over = new Round(waiting).isOverAtOnce();
        }
    }

    private final class Round {

        private final List<Waiting> waiting;
        private final List<Long> heard = new ArrayList<>();
        private int majority;
        private int outstanding = 1;
        private boolean decided;
        private boolean over;
        private boolean left;

        private Round(List<Waiting> waiting) {
            this.waiting = waiting;
        }

        /** If not, whoever brings the last answer goes on. */
        private boolean isOverAtOnce() {
            try {
                ask();
            } catch (RuntimeException e) {
                LOG.error("the other voters cannot be asked", e);
                end(NONE);
            }
            synchronized (this) {
                left = true;
                return over;
            }
        }

        private void ask() {
            int needed = voters.majority();
            List<CompletableFuture<Long>> answers = voters.peek();
            synchronized (this) {
                majority = needed;
                outstanding += answers.size();
            }
            hear(ownTerm.getAsLong());
            answers.forEach(answer -> {
                var unused = answer.whenComplete((term, fault) -> hear(fault == null ? term : NONE));
            });
        }

        private void hear(long term) {
            boolean enough;
            synchronized (this) {
                outstanding--;
                heard.add(term);
                enough = term != NONE
                        && heard.stream().filter(other -> other == term).count() >= majority;
                if (!enough && outstanding > 0) {
                    return;
                }
            }
            end(enough ? term : NONE);
        }

        private void end(long confirmed) {
            synchronized (this) {
                if (decided) {
                    return;
                }
                decided = true;
            }
            waiting.forEach(one -> one.confirmed().complete(confirmed != NONE && one.raftTerm() == confirmed));
            boolean alone;
            synchronized (this) {
                over = true;
                alone = left;
            }
            if (alone) {
                beginNext();
            }
        }
    }
}
