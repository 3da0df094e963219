package dev.signet.runtime;

import dev.signet.LeadershipListener;
import dev.signet.LeadingWork;
import dev.signet.Term;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Work on the caller's thread while leading. The listener's thread stands in for it: it stays inside {@code onElected}
 * while the work runs, and passes the interrupt of an ending term on.
 */
final class BlockingCampaign<T extends @Nullable Object> implements LeadershipListener {

    private final LeadingWork<T> work;
    private final BlockingQueue<Optional<WorkRun>> runs = new LinkedBlockingQueue<>();

    private record Done<T extends @Nullable Object>(T value) {}

    BlockingCampaign(LeadingWork<T> work) {
        this.work = work;
    }

    T run(Function<LeadershipListener, ElectionHandle> campaign) throws Exception {
        ElectionHandle election = campaign.apply(this);
        var unused = election.runner().finished().thenRun(() -> runs.add(Optional.empty()));
        try {
            while (true) {
                WorkRun run = runs.take()
                        .orElseThrow(
                                () -> new IllegalStateException("the candidate was closed before the work was done"));
                Optional<Done<T>> done = attempt(run);
                if (done.isPresent()) {
                    return done.get().value();
                }
            }
        } finally {
            closeUninterrupted(election);
        }
    }

    /** Empty if the term ended first: then it does not matter what the work yielded or threw. */
    @SuppressWarnings("CatchingUnchecked")
    private Optional<Done<T>> attempt(WorkRun run) throws Exception {
        if (!run.begin()) {
            return Optional.empty();
        }
        try {
            T value = work.run(run.term());
            return run.finish() ? Optional.empty() : Optional.of(new Done<>(value));
        } catch (Exception | Error thrown) {
            if (run.finish()) {
                return Optional.empty();
            }
            throw thrown;
        }
    }

    @Override
    public void onElected(Term term) {
        WorkRun run = new WorkRun(term);
        runs.add(Optional.of(run));
        run.standIn();
    }

    /** The role is released also when the caller was interrupted; the flag is kept for the caller. */
    private static void closeUninterrupted(ElectionHandle election) {
        boolean interrupted = Thread.interrupted();
        election.close();
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
