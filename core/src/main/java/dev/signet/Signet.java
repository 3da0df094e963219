package dev.signet;

import dev.signet.lease.LeaseTiming;
import dev.signet.observe.Observer;
import dev.signet.runtime.CandidateOptions;
import dev.signet.runtime.Candidates;
import dev.signet.store.Store;
import dev.signet.time.EventLoop;
import dev.signet.time.TimeSource;
import java.net.URI;
import java.time.Duration;
import java.util.concurrent.Executor;

/**
 * Where an application begins: describes a candidate, then joins. Not thread-safe; the candidate is.
 *
 * <pre>{@code
 * try (Candidate me = Signet.candidate("node-a", store).join()) {
 *     me.runWhileLeading(Role.of("nightly"), Protection.by(ledger), term -> ledger.inTransaction(term, this::close));
 * }
 * }</pre>
 */
public final class Signet {

    private CandidateOptions options;
    private final Store store;

    private Signet(CandidateOptions options, Store store) {
        this.options = options;
        this.store = store;
    }

    /**
     * @param name the stable name of this process, such as its host's; each joining is a new incarnation of it
     * @throws IllegalArgumentException if the name breaks the rule for names
     */
    public static Signet candidate(String name, Store store) {
        return new Signet(CandidateOptions.defaults(CandidateId.incarnationOf(name)), store);
    }

    /** Where others reach this candidate while it leads; told to them as a {@link Hint}. */
    public Signet advertise(URI uri) {
        options = options.withAdvertised(Advertised.at(uri));
        return this;
    }

    public Signet advertise(Advertised advertised) {
        options = options.withAdvertised(advertised);
        return this;
    }

    public Signet timing(LeaseTiming timing) {
        options = options.withTiming(timing);
        return this;
    }

    /** On what listeners and probes run; they may block. Default: daemon threads made when needed. */
    public Signet executor(Executor executor) {
        options = options.withListeners(executor);
        return this;
    }

    public Signet observer(Observer observer) {
        options = options.withObserver(observer);
        return this;
    }

    public Signet probe(Probe probe) {
        options = options.withProbe(probe);
        return this;
    }

    /** The longest that work may take to end once it was asked to. Default: 30 s. */
    public Signet drain(Duration bound) {
        options = options.withDrain(bound);
        return this;
    }

    /** The longest that the listener of an ended term keeps its role from others. Default: 30 s. */
    public Signet grace(Duration bound) {
        options = options.withGrace(bound);
        return this;
    }

    /** For tests: other clocks and another loop, such as the test kit's manual time. The caller closes the loop. */
    public Signet time(TimeSource time, EventLoop loop) {
        options = options.withTime(time, loop);
        return this;
    }

    /**
     * Opens a session, in the background, and keeps it open until the candidate is closed.
     *
     * @throws IllegalArgumentException if the store cannot keep leases of this timing
     */
    public Candidate join() {
        return Candidates.join(options, store);
    }
}
