package dev.signet.fence.jdbc;

import dev.signet.ResourceName;
import dev.signet.Stamp;
import dev.signet.Term;
import dev.signet.TermEnd;
import dev.signet.time.Reading;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** A term that is valid as long as a test says so. */
class FakeTerm implements Term {

    volatile boolean valid = true;
    final CompletableFuture<TermEnd> ended = new CompletableFuture<>();
    private final Stamp stamp;

    FakeTerm(Stamp stamp) {
        this.stamp = stamp;
    }

    @Override
    public Stamp stamp() {
        return stamp;
    }

    @Override
    public boolean isValid() {
        return valid;
    }

    @Override
    public Optional<Reading> validUntil() {
        return Optional.empty();
    }

    @Override
    public boolean isSealed(ResourceName resource) {
        return true;
    }

    @Override
    public CompletionStage<TermEnd.Reason> draining() {
        return new CompletableFuture<>();
    }

    @Override
    public CompletionStage<TermEnd> ended() {
        return ended;
    }
}
