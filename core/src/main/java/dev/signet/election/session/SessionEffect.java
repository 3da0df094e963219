package dev.signet.election.session;

import dev.signet.TermEnd;
import dev.signet.observe.Event;
import dev.signet.time.Reading;
import java.time.Duration;

/** What the session machine asks of the runtime, in order. */
public sealed interface SessionEffect {

    /** Open a session under a new secret id; it is {@code epoch} from now on. */
    record SendOpen(long epoch) implements SessionEffect {}

    /** Renew; read both clocks before sending. */
    record SendRenew(long epoch, long seq) implements SessionEffect {}

    /** Ask the store what the session holds, and tell each role. */
    record Reconcile(long epoch) implements SessionEffect {}

    /** All terms of this epoch are valid until then: the one volatile that validity reads. */
    record PublishDeadline(long epoch, Reading deadline) implements SessionEffect {}

    /** No term of this epoch is valid. */
    record WithdrawDeadline(long epoch) implements SessionEffect {}

    record NotifyLive(long epoch) implements SessionEffect {}

    record NotifySuspended(long epoch) implements SessionEffect {}

    record NotifyResumed(long epoch) implements SessionEffect {}

    record NotifyLost(long epoch, TermEnd.Reason reason) implements SessionEffect {}

    /** Close the session at the store. */
    record SendClose(long epoch) implements SessionEffect {}

    /** Tick after {@code delay}, and not at the time asked for before. */
    record ScheduleTick(Duration delay) implements SessionEffect {}

    record Emit(Event event) implements SessionEffect {}

    /** Nothing more will come. */
    record Finished() implements SessionEffect {}
}
