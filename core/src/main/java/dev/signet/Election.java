package dev.signet;

import dev.signet.fence.Refusal;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/** This candidate's campaign for one role. Thread-safe; no call blocks, but for {@link #close}. */
public interface Election extends AutoCloseable {

    Role role();

    /** Whether a privileged request may be served here now, and if not, where. */
    Verdict guard();

    /** Who leads, by the last that was seen, this candidate included. A hint: nothing safe rests on it. */
    Optional<Hint> leader();

    /** Gives the role up after its work has drained, or stops campaigning for it. Idempotent. */
    void resign();

    /** Campaigns again after {@link #resign}. An election campaigns from its beginning; idempotent. */
    void campaign();

    /**
     * Hands the role over to a named candidate that campaigns for it: reserves it, drains, releases. Only that
     * candidate is granted the role within {@code window} of the reservation, unless its session ends.
     *
     * @return completes when the role was released; exceptionally with {@link TransferRefusedException} if nothing
     *     changed and this candidate goes on leading, if it did; with {@link TransferUnknownException} if the store did
     *     not say, or the term or its session ended meanwhile. It campaigns on, and is granted the role again only after
     *     the window, or the end of the successor's session
     */
    CompletionStage<Void> transfer(CandidateId successor, Duration window);

    /**
     * What the fence adapters call when a resource refused a write of this term: somebody sealed it for another. Ends
     * the term at once if the refusal says that it is over.
     */
    void refused(Stamp stamp, ResourceName resource, Refusal refusal);

    /** Resigns, drains within the bound, releases, and waits for that. Idempotent. */
    @Override
    void close();
}
