package dev.signet;

import dev.signet.time.Reading;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/**
 * One uninterrupted leadership of a role by this candidate. A write is decided under a term and carries its
 * {@link #stamp}; no call anywhere returns "the current token". Thread-safe.
 *
 * <p>A valid term does not promise that no other process believes that it leads; only the fence at the resource keeps
 * another's writes out.
 */
public interface Term {

    Stamp stamp();

    default Role role() {
        return stamp().role();
    }

    default FencingToken token() {
        return stamp().token();
    }

    /**
     * Whether, at this moment, the last renewal that succeeded was sent less than {@code renewDeadline} ago and nothing
     * has ended or suspended the term. A volatile read and two clocks; no lock, no allocation. May turn true again
     * after a pause, unless {@link #ended} has completed. It ages as it is returned: it is no fence.
     */
    boolean isValid();

    /**
     * The moment, on this process's clocks, until which the term is valid if no further renewal succeeds: {@code
     * renewDeadline} after the last one that did was sent. Moves on with each; empty while suspended and once ended. For
     * whoever has to stop work from outside this process, such as a guard beside a child.
     */
    Optional<Reading> validUntil();

    /** Whether the resource was sealed for this term. Always true, in a valid term, for what is sealed by default. */
    boolean isSealed(ResourceName resource);

    /** Completes when the term was asked to end and waits for its work, within a bound. The term is still valid. */
    CompletionStage<TermEnd.Reason> draining();

    /** Completes once, when the term is over, before the listener is interrupted or told. Final. */
    CompletionStage<TermEnd> ended();
}
