package dev.signet.runtime;

import dev.signet.store.Store;
import dev.signet.time.EventLoop;
import dev.signet.time.TimeSource;
import java.util.concurrent.Executor;

/** What the roles of a candidate share. */
interface CandidateContext {

    /** A role of it is in another state now. */
    void roleChanged();

    TimeSource time();

    EventLoop loop();

    Store store();

    /** For what is asked of the store for a role. */
    RoleRequests requests();

    /** For what is asked of others. */
    Asking asking();

    EventSink events();

    /** Where signals of terms are given: neither the event loop nor the application's executor. */
    Executor signals();

    /** Of the present session. */
    Validity validity();
}
