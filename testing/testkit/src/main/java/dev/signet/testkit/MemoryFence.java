package dev.signet.testkit;

import dev.signet.Answer;
import dev.signet.ResourceName;
import dev.signet.Role;
import dev.signet.Stamp;
import dev.signet.StoreId;
import dev.signet.WriteRefusedException;
import dev.signet.fence.Fence;
import dev.signet.fence.FenceView;
import dev.signet.fence.Refusal;
import dev.signet.fence.SealRefusal;
import dev.signet.time.EventLoop;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/**
 * A resource in memory with its fence, for tests: a {@link FenceModel}, and the {@linkplain Fault faults} that may befall
 * who seals it. What it let through it remembers in order. Thread-safe.
 */
public final class MemoryFence implements Fence {

    private final Object monitor = new Object();
    private final FenceModel model;
    private final EventLoop loop;
    private final Faults faults = new Faults();

    /** On a time that a test moves; initialised. */
    public MemoryFence(String resource, Role role, StoreId storeId, ManualTime time) {
        this(new FenceModel(ResourceName.of(resource)), time.host());
        model.initialise(role, storeId);
    }

    /** @param loop for time-outs and delays; the caller closes it */
    public MemoryFence(FenceModel model, EventLoop loop) {
        this.model = model;
        this.loop = loop;
    }

    /** From now on this befalls who seals or looks. */
    public Fault.Injected inject(Fault fault) {
        return faults.inject(fault);
    }

    @Override
    public ResourceName resource() {
        return model.resource();
    }

    @Override
    public CompletionStage<Answer<FenceView, SealRefusal>> seal(Stamp stamp, Duration timeout) {
        return send(Call.SEAL, () -> model.seal(stamp), timeout);
    }

    @Override
    public CompletionStage<Answer<FenceView, SealRefusal>> view(Duration timeout) {
        return send(Call.VIEW, model::view, timeout);
    }

    /** @throws WriteRefusedException if the fence refuses the stamp; nothing was written */
    public void write(Stamp stamp, String content) {
        Optional<Refusal> refusal;
        long highest;
        synchronized (monitor) {
            refusal = model.write(stamp, content);
            highest = model.highest();
        }
        refusal.ifPresent(why -> {
            throw new WriteRefusedException(resource(), stamp, why, highest);
        });
    }

    /** What was written, in order. */
    public List<FencedWrite> journal() {
        synchronized (monitor) {
            return model.journal();
        }
    }

    private CompletionStage<Answer<FenceView, SealRefusal>> send(
            Call call, Supplier<Answer<FenceView, SealRefusal>> request, Duration timeout) {
        Exchange<FenceView, SealRefusal> exchange =
                new Exchange<>(then -> then.accept(take(request)), timeout, loop, Runnable::run, answered -> {});
        faults.carry(call, exchange);
        return exchange.stage();
    }

    private Answer<FenceView, SealRefusal> take(Supplier<Answer<FenceView, SealRefusal>> request) {
        synchronized (monitor) {
            return request.get();
        }
    }
}
