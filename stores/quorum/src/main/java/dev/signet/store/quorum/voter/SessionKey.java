package dev.signet.store.quorum.voter;

import dev.signet.Namespace;
import dev.signet.store.SessionId;

/** A session, and where it is. */
record SessionKey(Namespace namespace, SessionId session) {}
