package dev.signet.runtime;

import dev.signet.Role;
import dev.signet.TermEnd;
import dev.signet.store.Grant;
import java.util.Map;

/** What a session says to, and asks of, the roles that hang on it. */
interface SessionRoles {

    void live(long epoch);

    void suspended(long epoch);

    void resumed(long epoch);

    void lost(long epoch, TermEnd.Reason reason);

    /** What the roles believe that the session holds. */
    Holdings holdings();

    Map<Role, Long> grantedAttempts();

    void reconcile(long epoch, Map<Role, Long> grantedAttempts, Map<Role, Grant> held);
}
