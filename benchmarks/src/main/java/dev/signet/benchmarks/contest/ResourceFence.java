package dev.signet.benchmarks.contest;

import dev.signet.Answer;
import dev.signet.ResourceName;
import dev.signet.Stamp;
import dev.signet.benchmarks.resource.ResourceClient;
import dev.signet.fence.Fence;
import dev.signet.fence.FenceView;
import dev.signet.fence.Refusal;
import dev.signet.fence.SealRefusal;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** The fence of a resource of the benchmarks, which keeps tokens and nothing else. */
final class ResourceFence implements Fence {

    private static final ResourceName RESOURCE = ResourceName.of("benchmark");

    private final ResourceClient client;

    ResourceFence(ResourceClient client) {
        this.client = client;
    }

    @Override
    public ResourceName resource() {
        return RESOURCE;
    }

    @Override
    public CompletionStage<Answer<FenceView, SealRefusal>> seal(Stamp stamp, Duration timeout) {
        return CompletableFuture.supplyAsync(() -> client.seal(stamp.token().value())
                ? Answer.done(new FenceView(
                        RESOURCE,
                        stamp.role(),
                        stamp.storeId(),
                        stamp.token().value(),
                        Optional.of(stamp.termId().digest()),
                        List.of()))
                : Answer.refused(new SealRefusal(Refusal.STALE, 0, "it was sealed for a later term")));
    }

    @Override
    public CompletionStage<Answer<FenceView, SealRefusal>> view(Duration timeout) {
        return CompletableFuture.completedStage(Answer.unknown("it tells nobody"));
    }
}
