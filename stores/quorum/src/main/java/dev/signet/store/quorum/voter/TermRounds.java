package dev.signet.store.quorum.voter;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongSupplier;

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
 * arrived proves nothing about it. So rounds do not multiply with questions. Thread-safe.
 */
final class TermRounds {

    /** The other voters, asked at once. */
    interface Voters {

        /** Of all voters, this one included. */
        int majority();

        /** One answer each: the Raft term that the voter is in, or a failure. */
        List<CompletableFuture<Long>> peek();
    }

    private static final long NONE = -1;

    private final Voters voters;
    private final LongSupplier ownTerm;
    private List<Waiting> next = new ArrayList<>();
    private boolean underWay;

    private record Waiting(long raftTerm, CompletableFuture<Boolean> confirmed) {}

    /** @param ownTerm the Raft term that this voter is in */
    TermRounds(Voters voters, LongSupplier ownTerm) {
        this.voters = voters;
        this.ownTerm = ownTerm;
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

    private void begin() {
        Round round;
        synchronized (this) {
            if (next.isEmpty()) {
                underWay = false;
                return;
            }
            round = new Round(next);
            next = new ArrayList<>();
        }
        List<CompletableFuture<Long>> answers = voters.peek();
        round.begin(ownTerm.getAsLong(), answers.size());
        answers.forEach(answer -> {
            var unused = answer.whenComplete((term, fault) -> round.hear(fault == null ? term : NONE));
        });
    }

    private final class Round {

        private final List<Waiting> waiting;
        private final int majority = voters.majority();
        private final List<Long> heard = new ArrayList<>();
        private int outstanding;
        private boolean decided;

        private Round(List<Waiting> waiting) {
            this.waiting = waiting;
        }

        private void begin(long own, int others) {
            synchronized (this) {
                outstanding = 1 + others;
            }
            hear(own);
        }

        private void hear(long term) {
            long confirmed;
            synchronized (this) {
                outstanding--;
                heard.add(term);
                boolean enough = term != NONE
                        && heard.stream().filter(other -> other == term).count() >= majority;
                if (decided || (!enough && outstanding > 0)) {
                    return;
                }
                decided = true;
                confirmed = enough ? term : NONE;
            }
            waiting.forEach(one -> one.confirmed().complete(one.raftTerm() == confirmed));
            TermRounds.this.begin();
        }
    }
}
