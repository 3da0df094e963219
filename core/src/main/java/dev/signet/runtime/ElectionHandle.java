package dev.signet.runtime;

import dev.signet.CandidateId;
import dev.signet.Election;
import dev.signet.Hint;
import dev.signet.ResourceName;
import dev.signet.Role;
import dev.signet.Stamp;
import dev.signet.Verdict;
import dev.signet.election.role.RoleEvent;
import dev.signet.fence.Refusal;
import dev.signet.observe.Event;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** What an application holds of a campaign: it puts events to the loop and reads what the loop has published. */
final class ElectionHandle implements Election {

    private final CandidateContext context;
    private final RoleRunner runner;
    private final Guarding guarding;
    private final Duration closeBound;

    ElectionHandle(CandidateContext context, RoleRunner runner, Guarding guarding, Duration closeBound) {
        this.context = context;
        this.runner = runner;
        this.guarding = guarding;
        this.closeBound = closeBound;
    }

    RoleRunner runner() {
        return runner;
    }

    @Override
    public Role role() {
        return runner.role();
    }

    @Override
    public Verdict guard() {
        return guarding.judge(runner.standpoint());
    }

    @Override
    public Optional<Hint> leader() {
        return guarding.leader(runner.standpoint());
    }

    @Override
    public void resign() {
        tell(new RoleEvent.Resign());
    }

    @Override
    public void campaign() {
        tell(new RoleEvent.Campaign());
    }

    @Override
    public CompletionStage<Void> transfer(CandidateId successor, Duration window) {
        CompletableFuture<Void> outcome = new CompletableFuture<>();
        context.loop().execute(() -> runner.transfer(new RoleEvent.Transfer(successor, window), outcome));
        return outcome.minimalCompletionStage();
    }

    @Override
    public void refused(Stamp stamp, ResourceName resource, Refusal refusal) {
        context.events().emit(new Event.WriteRefused(stamp.role(), stamp.token(), resource, refusal));
        if (stamp.role().equals(role())) {
            tell(new RoleEvent.FenceRefused(stamp.termId(), resource, refusal));
        }
    }

    void probeFailed() {
        tell(new RoleEvent.ProbeFailed());
    }

    CompletableFuture<Void> beginClose() {
        tell(new RoleEvent.Close());
        return runner.finished();
    }

    @Override
    public void close() {
        CompletableFuture<Void> closed = beginClose();
        if (!runner.lane().isCurrentThread()) {
            Waits.upTo(closeBound, closed);
        }
    }

    private void tell(RoleEvent event) {
        context.loop().execute(() -> runner.tell(event));
    }
}
