package dev.signet.store.quorum.state;

import dev.signet.Namespace;
import dev.signet.Role;
import dev.signet.StoreId;
import dev.signet.store.Acquire;
import dev.signet.store.OpenSession;
import dev.signet.store.Release;
import dev.signet.store.Reserve;
import dev.signet.store.SessionId;
import java.util.List;

/**
 * What changes the {@link Ledger}: one entry of the Raft log. Immutable. The constructors refuse what is longer than the quorum
 * takes, with an {@link IllegalArgumentException} that says what and how long it may be.
 */
public sealed interface Command {

    /** The one way to look inside: nobody can forget a kind. */
    <T> T match(Cases<T> cases);

    /** The store is called this from now on. The first one wins; later ones are told its id and change nothing. */
    record Found(StoreId storeId) implements Command {
        @Override
        public <T> T match(Cases<T> cases) {
            return cases.found(this);
        }
    }

    record Open(Namespace namespace, OpenSession request) implements Command {
        public Open {
            Limits.require(request.session());
            Limits.require(request.advertised());
        }

        @Override
        public <T> T match(Cases<T> cases) {
            return cases.open(this);
        }
    }

    record Close(Namespace namespace, SessionId session) implements Command {
        public Close {
            Limits.require(session);
        }

        @Override
        public <T> T match(Cases<T> cases) {
            return cases.close(this);
        }
    }

    record Enlist(Namespace namespace, SessionId session, Role role) implements Command {
        public Enlist {
            Limits.require(session);
        }

        @Override
        public <T> T match(Cases<T> cases) {
            return cases.enlist(this);
        }
    }

    record Withdraw(Namespace namespace, SessionId session, Role role) implements Command {
        public Withdraw {
            Limits.require(session);
        }

        @Override
        public <T> T match(Cases<T> cases) {
            return cases.withdraw(this);
        }
    }

    record Take(Namespace namespace, Acquire request) implements Command {
        public Take {
            Limits.require(request.session());
        }

        @Override
        public <T> T match(Cases<T> cases) {
            return cases.take(this);
        }
    }

    record Free(Namespace namespace, Release request) implements Command {
        public Free {
            Limits.require(request.session());
        }

        @Override
        public <T> T match(Cases<T> cases) {
            return cases.free(this);
        }
    }

    record Keep(Namespace namespace, Reserve request) implements Command {
        public Keep {
            Limits.require(request.session());
        }

        @Override
        public <T> T match(Cases<T> cases) {
            return cases.keep(this);
        }
    }

    /**
     * The lease of a session is over by the clock of the leader of {@code raftTerm}. Ignored in another term, so that one that
     * an earlier leader sent does not end a session which has renewed since. Ignored too if the session was opened again after
     * the leader looked, since that has the lease begin anew.
     *
     * @param openings {@link LiveSession#openings()} as the leader saw it
     */
    record Expire(Namespace namespace, SessionId session, long openings, long raftTerm) implements Command {
        public Expire {
            Limits.require(session);
        }

        @Override
        public <T> T match(Cases<T> cases) {
            return cases.expire(this);
        }
    }

    /**
     * The window of a reservation has passed by the clock of the leader of {@code raftTerm}. Ignored in another term, or if the
     * role is kept by another reservation by now, or by none.
     *
     * @param reservation {@link LiveReservation#number()}
     */
    record Lapse(Namespace namespace, Role role, long reservation, long raftTerm) implements Command {
        @Override
        public <T> T match(Cases<T> cases) {
            return cases.lapse(this);
        }
    }

    /** Several in one entry, taken in their order. Not of batches. */
    record Batch(List<Command> commands) implements Command {
        public Batch {
            commands = List.copyOf(commands);
            if (commands.size() > Limits.MOST_IN_A_BATCH) {
                throw new IllegalArgumentException("a batch of " + commands.size() + " commands; the quorum takes "
                        + Limits.MOST_IN_A_BATCH + " at most");
            }
            if (commands.stream().anyMatch(Batch.class::isInstance)) {
                throw new IllegalArgumentException("a batch holds no batch");
            }
        }

        @Override
        public <T> T match(Cases<T> cases) {
            return cases.batch(this);
        }
    }

    /** What there is for each kind. */
    interface Cases<T> {

        T found(Found command);

        T open(Open command);

        T close(Close command);

        T enlist(Enlist command);

        T withdraw(Withdraw command);

        T take(Take command);

        T free(Free command);

        T keep(Keep command);

        T expire(Expire command);

        T lapse(Lapse command);

        T batch(Batch command);
    }
}
