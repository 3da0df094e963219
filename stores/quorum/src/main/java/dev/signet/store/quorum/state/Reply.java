package dev.signet.store.quorum.state;

import dev.signet.CandidateId;
import dev.signet.StoreId;
import dev.signet.store.Grant;
import dev.signet.store.NotGranted;
import dev.signet.store.NotReserved;
import dev.signet.store.RoleView;
import dev.signet.store.StoreRefusal;
import java.util.List;

/** What is answered to a command or a question. Immutable. */
public sealed interface Reply {

    /** The one way to look inside: nobody can forget a kind. */
    <T> T match(Cases<T> cases);

    /** What the store is called, by this command or by the first. */
    record Founded(StoreId storeId) implements Reply {
        @Override
        public <T> T match(Cases<T> cases) {
            return cases.founded(this);
        }
    }

    record Opened(StoreId storeId) implements Reply {
        @Override
        public <T> T match(Cases<T> cases) {
            return cases.opened(this);
        }
    }

    record Refused(StoreRefusal why) implements Reply {
        @Override
        public <T> T match(Cases<T> cases) {
            return cases.refused(this);
        }
    }

    /** It is so now, and there is nothing more to say. */
    record Done() implements Reply {
        @Override
        public <T> T match(Cases<T> cases) {
            return cases.done(this);
        }
    }

    /** There is no such session, for ever. */
    record Gone() implements Reply {
        @Override
        public <T> T match(Cases<T> cases) {
            return cases.gone(this);
        }
    }

    record Viewed(RoleView view) implements Reply {
        @Override
        public <T> T match(Cases<T> cases) {
            return cases.viewed(this);
        }
    }

    record Granted(Grant grant) implements Reply {
        @Override
        public <T> T match(Cases<T> cases) {
            return cases.granted(this);
        }
    }

    record Denied(NotGranted why) implements Reply {
        @Override
        public <T> T match(Cases<T> cases) {
            return cases.denied(this);
        }
    }

    record Unreserved(NotReserved why) implements Reply {
        @Override
        public <T> T match(Cases<T> cases) {
            return cases.unreserved(this);
        }
    }

    /** No command is answered so: a renewal leaves no trace in the ledger. */
    record Renewed(long heldDigest) implements Reply {
        @Override
        public <T> T match(Cases<T> cases) {
            return cases.renewed(this);
        }
    }

    record Holds(List<Grant> grants) implements Reply {
        public Holds {
            grants = List.copyOf(grants);
        }

        @Override
        public <T> T match(Cases<T> cases) {
            return cases.holds(this);
        }
    }

    record Roles(List<RoleView> views) implements Reply {
        public Roles {
            views = List.copyOf(views);
        }

        @Override
        public <T> T match(Cases<T> cases) {
            return cases.roles(this);
        }
    }

    record Candidates(List<CandidateId> candidates) implements Reply {
        public Candidates {
            candidates = List.copyOf(candidates);
        }

        @Override
        public <T> T match(Cases<T> cases) {
            return cases.candidates(this);
        }
    }

    /**
     * The entry is no command that this version knows; nothing has changed.
     *
     * @param why for people
     */
    record Unsupported(String why) implements Reply {
        @Override
        public <T> T match(Cases<T> cases) {
            return cases.unsupported(this);
        }
    }

    /** A {@link Command.Expire} or {@link Command.Lapse} that came too late; nothing has changed. */
    record Ignored() implements Reply {
        @Override
        public <T> T match(Cases<T> cases) {
            return cases.ignored(this);
        }
    }

    /** One for each command of a batch, in its order. */
    record Batched(List<Reply> replies) implements Reply {
        public Batched {
            replies = List.copyOf(replies);
            if (replies.stream().anyMatch(Batched.class::isInstance)) {
                throw new IllegalArgumentException("a batch holds no batch");
            }
        }

        @Override
        public <T> T match(Cases<T> cases) {
            return cases.batched(this);
        }
    }

    /** What there is for each kind. */
    interface Cases<T> {

        T founded(Founded reply);

        T opened(Opened reply);

        T refused(Refused reply);

        T done(Done reply);

        T gone(Gone reply);

        T viewed(Viewed reply);

        T granted(Granted reply);

        T denied(Denied reply);

        T unreserved(Unreserved reply);

        T renewed(Renewed reply);

        T holds(Holds reply);

        T roles(Roles reply);

        T candidates(Candidates reply);

        T unsupported(Unsupported reply);

        T ignored(Ignored reply);

        T batched(Batched reply);
    }
}
