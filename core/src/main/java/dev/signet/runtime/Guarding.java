package dev.signet.runtime;

import dev.signet.Advertised;
import dev.signet.CandidateId;
import dev.signet.Hint;
import dev.signet.Verdict;
import dev.signet.Verdict.Proceed;
import dev.signet.Verdict.Refuse;
import dev.signet.Verdict.Why;
import dev.signet.lease.LeaseTiming;
import java.time.Duration;
import java.util.Optional;

/** The guard: a plain function of where a role stands. It lets in only while the role leads under a valid term. */
final class Guarding {

    private final CandidateId candidate;
    private final Advertised advertised;
    private final LeaseTiming timing;

    Guarding(CandidateId candidate, Advertised advertised, LeaseTiming timing) {
        this.candidate = candidate;
        this.advertised = advertised;
        this.timing = timing;
    }

    Verdict judge(Standpoint standpoint) {
        return switch (standpoint.phase()) {
            case LEADING ->
                standpoint
                        .term()
                        .filter(RunningTerm::isValid)
                        .<Verdict>map(Proceed::new)
                        .orElseGet(() -> refuse(Why.SUSPENDED, self(standpoint), soon()));
            case FROZEN -> refuse(Why.SUSPENDED, self(standpoint), soon());
            case SEALING, PREPARING -> refuse(Why.NOT_READY, self(standpoint), soon());
            case RESIGNING -> refuse(Why.DRAINING, Optional.empty(), timing.retryPeriod());
            case IDLE, WAITING, ACQUIRING, RELEASING, ENDING, CLOSED ->
                refuse(Why.NOT_LEADING, leader(standpoint), timing.retryPeriod());
        };
    }

    Optional<Hint> leader(Standpoint standpoint) {
        Optional<Hint> self = standpoint.term().isPresent() ? self(standpoint) : Optional.empty();
        return self.or(standpoint::leader);
    }

    private Optional<Hint> self(Standpoint standpoint) {
        return standpoint
                .term()
                .map(term -> new Hint(candidate, term.token(), advertised.publicUri(), advertised.internalUri()));
    }

    private Duration soon() {
        return timing.retryPeriod().dividedBy(4);
    }

    private static Verdict refuse(Why why, Optional<Hint> hint, Duration retryAfter) {
        return new Refuse(why, hint, retryAfter);
    }
}
