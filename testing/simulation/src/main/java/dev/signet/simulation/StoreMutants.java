package dev.signet.simulation;

import dev.signet.Answer;
import dev.signet.FencingToken;
import dev.signet.Role;
import dev.signet.store.Acquire;
import dev.signet.store.Grant;
import dev.signet.store.NotGranted;
import dev.signet.store.Release;
import dev.signet.store.Renewed;
import dev.signet.store.RoleView;
import dev.signet.store.SessionGone;
import dev.signet.store.SessionId;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.LongUnaryOperator;

/** What a broken store would do. Its own contract kit looks closer; here it must not deceive the machines unseen. */
final class StoreMutants {

    private StoreMutants() {}

    static List<Mutant> all() {
        return List.of(
                new Mutant("token-reused", "R1", "grants the token before", () -> tokens(token -> token - 1)),
                new Mutant("token-skipped", "R1", "grants the token after", () -> tokens(token -> token + 1)),
                new Mutant(
                        "acquire-without-version",
                        "R6",
                        "grants an acquire that was decided on an old record",
                        () -> new Twist() {
                            @Override
                            Acquire acquires(Acquire honest, RoleView record) {
                                return new Acquire(
                                        honest.session(),
                                        honest.role(),
                                        honest.attempt(),
                                        honest.termId(),
                                        honest.floor(),
                                        record.version());
                            }
                        }),
                new Mutant("released-attempt-granted", "C7", "grants an attempt after its release", () -> new Twist() {
                    @Override
                    Acquire acquires(Acquire honest, RoleView record) {
                        return new Acquire(
                                honest.session(),
                                honest.role(),
                                honest.attempt() + 1_000_000,
                                honest.termId(),
                                honest.floor(),
                                record.version());
                    }
                }),
                new Mutant(
                        "release-without-attempt",
                        "R7",
                        "releases a newer grant than was asked for",
                        () -> new Twist() {
                            @Override
                            Release releases(Release honest, RoleView record) {
                                return new Release(
                                        honest.session(),
                                        honest.role(),
                                        honest.attempt() + 1,
                                        honest.expectedVersion());
                            }
                        }),
                new Mutant("release-of-anyone", "R7", "releases whoever holds the role", ReleaseOfAnyone::new),
                new Mutant(
                        "gone-renewed",
                        "C17",
                        "answers the renewal of a session that is gone with done",
                        () -> new Twist() {
                            @Override
                            Answer<Renewed, SessionGone> renewed(
                                    SessionId session, Answer<Renewed, SessionGone> honest) {
                                return Answer.done(Renewed.WITHOUT_DIGEST);
                            }
                        }),
                new Mutant("lease-too-short", "C3", "ends a session two seconds early", () -> new Twist() {
                    @Override
                    long shortensLeasesBy() {
                        return 2 * Agenda.SECOND;
                    }
                }),
                new Mutant(
                        "reservation-forgotten",
                        "C9",
                        "grants a role that was transferred to another",
                        () -> new Twist() {
                            @Override
                            boolean forgetsReservations() {
                                return true;
                            }
                        }));
    }

    private static Twist tokens(LongUnaryOperator lie) {
        return new Twist() {
            @Override
            Answer<Grant, NotGranted> acquired(Acquire request, Answer<Grant, NotGranted> honest) {
                return honest instanceof Answer.Done<Grant, NotGranted> done
                        ? Answer.done(with(
                                done.value(),
                                Math.max(1, lie.applyAsLong(done.value().token().value()))))
                        : honest;
            }
        };
    }

    private static Grant with(Grant grant, long token) {
        return new Grant(
                grant.role(),
                FencingToken.of(token),
                grant.termId(),
                grant.storeId(),
                grant.attempt(),
                grant.version());
    }

    private static final class ReleaseOfAnyone extends Twist {

        private final Map<Role, Acquire> holders = new TreeMap<>();

        @Override
        Answer<Grant, NotGranted> acquired(Acquire request, Answer<Grant, NotGranted> honest) {
            if (honest instanceof Answer.Done<Grant, NotGranted>) {
                holders.put(request.role(), request);
            }
            return honest;
        }

        @Override
        Release releases(Release honest, RoleView record) {
            Acquire holder = holders.get(honest.role());
            return holder == null
                    ? honest
                    : new Release(holder.session(), honest.role(), holder.attempt(), record.version());
        }
    }
}
