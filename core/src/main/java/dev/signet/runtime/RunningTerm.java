package dev.signet.runtime;

import dev.signet.ResourceName;
import dev.signet.Stamp;
import dev.signet.Term;
import dev.signet.TermEnd;
import dev.signet.time.Reading;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** A term that was granted to this candidate. */
final class RunningTerm implements Term {

    private final Stamp stamp;
    private final Validity validity;
    private final CompletableFuture<TermEnd.Reason> draining = new CompletableFuture<>();
    private final CompletableFuture<TermEnd> ended = new CompletableFuture<>();
    private volatile boolean over;
    private volatile boolean told;
    private volatile Set<ResourceName> sealed;

    RunningTerm(Stamp stamp, Validity validity, Set<ResourceName> sealed) {
        this.stamp = stamp;
        this.validity = validity;
        this.sealed = sealed;
    }

    @Override
    public Stamp stamp() {
        return stamp;
    }

    @Override
    public boolean isValid() {
        return !over && validity.holds();
    }

    @Override
    public Optional<Reading> validUntil() {
        return over ? Optional.empty() : validity.deadline();
    }

    @Override
    public boolean isSealed(ResourceName resource) {
        return sealed.contains(resource);
    }

    @Override
    public CompletionStage<TermEnd.Reason> draining() {
        return draining.minimalCompletionStage();
    }

    @Override
    public CompletionStage<TermEnd> ended() {
        return ended.minimalCompletionStage();
    }

    void sealed(Set<ResourceName> resources) {
        sealed = resources;
    }

    /** Invalid from here on; the signal follows by {@link #signalEnd}. */
    void invalidate() {
        over = true;
    }

    boolean isOver() {
        return over;
    }

    /** The listener's {@code onElected} is being called. */
    void markTold() {
        told = true;
    }

    boolean wasTold() {
        return told;
    }

    void signalDraining(TermEnd.Reason reason) {
        draining.complete(reason);
    }

    void signalEnd(TermEnd end) {
        ended.complete(end);
    }

    @Override
    public String toString() {
        return "term of role " + role() + " with token " + token();
    }
}
