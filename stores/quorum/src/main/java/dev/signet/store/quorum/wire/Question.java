package dev.signet.store.quorum.wire;

import dev.signet.Namespace;
import dev.signet.Role;
import dev.signet.store.SessionId;
import dev.signet.store.quorum.state.Command;

/** What a candidate asks of the voter that leads. Immutable. */
public sealed interface Question {

    /** To be put in the log. */
    record Change(Command command) implements Question {}

    record Renew(Namespace namespace, SessionId session) implements Question {}

    record Held(Namespace namespace, SessionId session) implements Question {}

    record Read(Namespace namespace, Role role) implements Question {}

    record Roles(Namespace namespace) implements Question {}

    record Candidates(Namespace namespace, Role role) implements Question {}
}
