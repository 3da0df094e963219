package dev.signet.runtime;

import dev.signet.store.SessionId;
import dev.signet.store.Store;
import dev.signet.time.EventLoop;
import dev.signet.time.TimeSource;
import java.util.Optional;
import java.util.concurrent.Executor;

/** What the roles of a candidate share. */
interface CandidateContext {

    TimeSource time();

    EventLoop loop();

    Store store();

    Asking asking();

    EventSink events();

    /** Where signals of terms are given: neither the event loop nor the application's executor. */
    Executor signals();

    /** The session of this epoch, if it is still the present one. */
    Optional<SessionId> session(long epoch);

    /** Of the present session. */
    Validity validity();
}
