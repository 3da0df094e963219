package dev.signet.testkit;

import dev.signet.Answer;
import dev.signet.Role;
import dev.signet.StoreId;
import dev.signet.store.Acquire;
import dev.signet.store.Concluded;
import dev.signet.store.Grant;
import dev.signet.store.Release;
import dev.signet.store.Renewed;
import dev.signet.store.SessionGone;
import dev.signet.store.SessionId;
import dev.signet.testkit.RoleRecord.Kept;
import java.time.Duration;
import java.util.EnumSet;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Function;

/** Stores that break one rule each. Whatever checks a store must find each of them out. */
enum StoreMutant {
    GRANTS_THE_SAME_TOKEN_AGAIN(StoreClause.C2, id -> new StoreModel(id) {
        @Override
        long tokenAfter(long lastToken, long floor) {
            return Math.max(1, Math.max(lastToken, floor));
        }
    }),
    SKIPS_TOKENS(StoreClause.C2, id -> new StoreModel(id) {
        @Override
        long tokenAfter(long lastToken, long floor) {
            return Math.max(lastToken, floor) + 2;
        }
    }),
    IGNORES_THE_FLOOR(StoreClause.C10, id -> new StoreModel(id) {
        @Override
        long tokenAfter(long lastToken, long floor) {
            return lastToken + 1;
        }
    }),
    EXPIRES_EARLY(StoreClause.C3, id -> new StoreModel(id) {
        @Override
        boolean isOver(long deadlineNanos, long nowNanos) {
            return super.isOver(deadlineNanos - Duration.ofSeconds(4).toNanos(), nowNanos);
        }
    }),
    NEVER_EXPIRES(StoreClause.C4, id -> new StoreModel(id) {
        @Override
        boolean isOver(long deadlineNanos, long nowNanos) {
            return false;
        }

        /** Else its server would sweep without end. */
        @Override
        public OptionalLong nextDueNanos() {
            return OptionalLong.empty();
        }
    }),
    DOES_NOT_RECORD_THE_END_OF_A_SESSION(StoreClause.C5, id -> new StoreModel(id) {
        @Override
        void end(SessionId session) {}

        /** Else its server would sweep without end. */
        @Override
        public OptionalLong nextDueNanos() {
            return OptionalLong.empty();
        }
    }),
    RENEWS_AN_ENDED_SESSION(EnumSet.of(StoreClause.C5, StoreClause.C17, StoreClause.C18), id -> new StoreModel(id) {
        @Override
        public Answer<Renewed, SessionGone> renew(SessionId session, long nowNanos) {
            return super.renew(session, nowNanos)
                    .fold(
                            Answer::done,
                            gone -> Answer.done(new Renewed(OptionalLong.of(0))),
                            unknown -> Answer.unknown(""));
        }
    }),
    OPENS_AN_ENDED_SESSION_AGAIN(EnumSet.of(StoreClause.C5, StoreClause.C16), id -> new StoreModel(id) {
        @Override
        boolean isEnded(SessionId session) {
            return false;
        }
    }),
    GRANTS_A_LATE_ACQUIRE(StoreClause.C16, id -> new StoreModel(id) {
        @Override
        boolean hasMoved(RoleRecord record, Acquire request) {
            return false;
        }
    }),
    GRANTS_A_RELEASED_ATTEMPT(StoreClause.C7, id -> new StoreModel(id) {
        @Override
        boolean isReleased(Acquire request, long releasedUpTo) {
            return false;
        }
    }),
    GRANTS_A_COPY_OF_WHAT_IT_REFUSED(StoreClause.C16, id -> new StoreModel(id) {
        @Override
        boolean isAnswered(Acquire request, long answeredUpTo) {
            return false;
        }
    }),
    FORGETS_ITS_OWN_GRANT(StoreClause.C7, id -> new StoreModel(id) {
        @Override
        boolean isAnswerTo(Grant standing, Acquire request) {
            return false;
        }
    }),
    GIVES_A_HOLDER_ITS_OLD_GRANT(StoreClause.C2, id -> new StoreModel(id) {
        @Override
        boolean isAnswerTo(Grant standing, Acquire request) {
            return true;
        }
    }),
    RELEASES_WHATEVER_ATTEMPT(StoreClause.C6, id -> new StoreModel(id) {
        @Override
        boolean isOf(Grant standing, Release release) {
            return true;
        }
    }),
    RELEASES_NOTHING(StoreClause.C6, id -> new StoreModel(id) {
        @Override
        boolean isOf(Grant standing, Release release) {
            return false;
        }
    }),
    LEAVES_THE_RECORD_OF_A_LOST_ACQUIRE(StoreClause.C16, id -> new StoreModel(id) {
        @Override
        void outdate(RoleRecord record) {}
    }),
    IGNORES_RESERVATIONS(StoreClause.C9, id -> new StoreModel(id) {
        @Override
        boolean isKept(Kept kept, long nowNanos) {
            return false;
        }
    }),
    KEEPS_A_ROLE_FOR_A_SESSION_THAT_ENDED(StoreClause.C9, id -> new StoreModel(id) {
        @Override
        boolean isKept(Kept kept, long nowNanos) {
            return kept.untilNanos() - nowNanos > 0;
        }

        @Override
        boolean endsWith(Kept kept, SessionId session) {
            return false;
        }
    }),
    RESERVES_FOR_WHO_HAS_WITHDRAWN(StoreClause.C9, id -> new StoreModel(id) {
        @Override
        public Answer<Concluded, SessionGone> withdraw(SessionId session, Role role) {
            return Answer.done(Concluded.CONCLUDED);
        }
    }),
    TELLS_NOBODY_OF_AN_EXPIRY(StoreClause.C8, id -> new StoreModel(id) {
        @Override
        public void sweep(long nowNanos) {
            super.sweep(nowNanos);
            takeChanged();
        }
    });

    private final Set<StoreClause> breaks;
    private final Function<StoreId, StoreModel> rules;

    StoreMutant(StoreClause breaks, Function<StoreId, StoreModel> rules) {
        this(EnumSet.of(breaks), rules);
    }

    StoreMutant(Set<StoreClause> breaks, Function<StoreId, StoreModel> rules) {
        this.breaks = breaks;
        this.rules = rules;
    }

    /** The clauses whose tests must find it. */
    Set<StoreClause> breaks() {
        return breaks;
    }

    StoreModel model(StoreId id) {
        return rules.apply(id);
    }
}
