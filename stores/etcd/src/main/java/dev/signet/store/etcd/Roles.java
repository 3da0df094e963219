package dev.signet.store.etcd;

import dev.signet.Answer;
import dev.signet.FencingToken;
import dev.signet.store.Acquire;
import dev.signet.store.Grant;
import dev.signet.store.NotGranted;
import dev.signet.store.NotGranted.Reason;
import dev.signet.store.NotReserved;
import dev.signet.store.Release;
import dev.signet.store.Reserve;
import dev.signet.store.RoleView;
import dev.signet.store.SessionGone;
import dev.signet.store.SessionId;
import io.etcd.jetcd.api.Compare;
import io.etcd.jetcd.api.KeyValue;
import io.etcd.jetcd.api.RequestOp;
import io.grpc.Deadline;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * What becomes of roles: each request reads, decides, and writes if all that it decided on is still so; if not, it reads again.
 * Thread-safe.
 */
final class Roles {

    private final Members members;
    private final Keys keys;
    private final Readings readings;

    Roles(Members members, Keys keys, Readings readings) {
        this.members = members;
        this.keys = keys;
        this.readings = readings;
    }

    /** Where several reasons to refuse are true, the first of: session gone, released, held, moved, tokens exhausted. */
    CompletableFuture<Answer<Grant, NotGranted>> acquire(Acquire request, Deadline deadline) {
        return readings.of(request.role(), request.session(), deadline)
                .thenCompose(found -> decide(request, found, deadline));
    }

    private CompletableFuture<Answer<Grant, NotGranted>> decide(Acquire request, Reading found, Deadline deadline) {
        if (found.mine().isEmpty()) {
            return notGranted(Reason.SESSION_GONE, found);
        }
        if (request.attempt() <= found.attempts().value().releasedUpTo()) {
            return notGranted(Reason.RELEASED, found);
        }
        RoleEntry entry = found.entry().value();
        Optional<RoleEntry.Holding> standing = entry.heldBy(request.session()).filter(held -> held.answers(request));
        if (standing.isPresent()) {
            return CompletableFuture.completedFuture(Answer.done(
                    entry.grant(request.role(), standing.get(), found.store().id())));
        }
        SessionEntry mine = found.mine().get();
        if ((!found.isMine() && !found.isClaimable()) || found.isKeptFrom(mine.candidate())) {
            return held(request, mine, found, deadline);
        }
        if (entry.version() != request.expectedVersion()
                || request.attempt() <= found.attempts().value().refusedUpTo()
                || entry.heldBy(request.session())
                        .filter(held -> request.attempt() <= held.attempt())
                        .isPresent()) {
            return notGranted(Reason.MOVED, found);
        }
        return Math.max(entry.lastToken(), request.floor()) >= FencingToken.MAX_VALUE
                ? notGranted(Reason.TOKENS_EXHAUSTED, found)
                : grant(request, mine, found, deadline);
    }

    private static CompletableFuture<Answer<Grant, NotGranted>> notGranted(Reason reason, Reading found) {
        return CompletableFuture.completedFuture(Answer.refused(new NotGranted(reason, found.view())));
    }

    private CompletableFuture<Answer<Grant, NotGranted>> grant(
            Acquire request, SessionEntry mine, Reading found, Deadline deadline) {
        RoleEntry next = found.entry().value().granted(request, mine);
        List<RequestOp> writes = new ArrayList<>();
        writes.add(Ops.put(keys.role(request.role()), next.bytes(), Ops.NO_LEASE));
        if (found.kept().isPresent()) {
            writes.add(Ops.delete(keys.kept(request.role())));
        }
        return members.txn(Ops.when(found.guardsOfAGrant(keys, mine), writes), deadline)
                .thenCompose(written -> written.getSucceeded()
                        ? CompletableFuture.completedFuture(Answer.done(next.grant(
                                request.role(),
                                next.holding().orElseThrow(),
                                found.store().id())))
                        : acquire(request, deadline));
    }

    /**
     * Its holder may end without a write to the record, so a copy of this request could succeed later: it is noted that this
     * attempt was refused, before anybody hears of it. Where the record has moved, no copy can.
     */
    private CompletableFuture<Answer<Grant, NotGranted>> held(
            Acquire request, SessionEntry mine, Reading found, Deadline deadline) {
        AttemptsEntry attempts = found.attempts().value();
        if (found.entry().value().version() != request.expectedVersion()
                || request.attempt() <= attempts.refusedUpTo()) {
            return notGranted(Reason.HELD, found);
        }
        return members.txn(
                        Ops.when(
                                found.guards(keys),
                                List.of(Ops.put(
                                        keys.attempts(request.session(), request.role()),
                                        attempts.refused(request.attempt()).bytes(),
                                        mine.lease()))),
                        deadline)
                .thenCompose(written ->
                        written.getSucceeded() ? notGranted(Reason.HELD, found) : acquire(request, deadline));
    }

    CompletableFuture<Answer<RoleView, SessionGone>> release(Release request, Deadline deadline) {
        return readings.of(request.role(), request.session(), deadline).thenCompose(found -> {
            RoleEntry entry = found.entry().value();
            RoleEntry next = released(request, found);
            AttemptsEntry attempts = found.attempts().value();
            List<RequestOp> writes = new ArrayList<>();
            if (!next.equals(entry)) {
                writes.add(Ops.put(keys.role(request.role()), next.bytes(), Ops.NO_LEASE));
            }
            found.mine()
                    .filter(mine -> attempts.releasedUpTo() < request.attempt())
                    .ifPresent(mine -> writes.add(Ops.put(
                            keys.attempts(request.session(), request.role()),
                            attempts.released(request.attempt()).bytes(),
                            mine.lease())));
            return writes.isEmpty()
                    ? CompletableFuture.completedFuture(Answer.done(found.view()))
                    : members.txn(Ops.when(found.guards(keys), writes), deadline)
                            .thenCompose(written -> written.getSucceeded()
                                    ? CompletableFuture.completedFuture(Answer.done(found.viewWith(next)))
                                    : release(request, deadline));
        });
    }

    /** As {@link Release} says; the same entry where nothing changes. */
    private static RoleEntry released(Release request, Reading found) {
        RoleEntry entry = found.entry().value();
        boolean standing = found.mine().isPresent()
                && entry.heldBy(request.session())
                        .filter(held -> held.attempt() <= request.attempt())
                        .isPresent();
        if (standing) {
            return entry.freed();
        }
        return entry.version() == request.expectedVersion() ? entry.touched() : entry;
    }

    CompletableFuture<Answer<RoleView, NotReserved>> reserve(Reserve request, Deadline deadline) {
        return readings.of(request.role(), request.session(), deadline).thenCompose(found -> {
            boolean holds = found.mine().isPresent()
                    && found.entry()
                            .value()
                            .heldBy(request.session())
                            .filter(held -> held.attempt() == request.attempt())
                            .isPresent();
            return holds
                    ? campaigning(request, deadline)
                            .thenCompose(target -> target.isEmpty()
                                    ? CompletableFuture.completedFuture(
                                            Answer.refused(NotReserved.TARGET_NOT_CAMPAIGNING))
                                    : keep(request, target.get(), found, deadline))
                    : CompletableFuture.completedFuture(Answer.refused(NotReserved.NOT_HOLDER));
        });
    }

    /** The newest living session of the target that campaigns for the role; older ones it has lost. */
    private CompletableFuture<Optional<SessionId>> campaigning(Reserve request, Deadline deadline) {
        return members.range(
                        Ops.all(keys.campaigns(request.role(), request.target()))
                                .build(),
                        deadline)
                .thenApply(found -> found.getKvsList().stream()
                        .max(Comparator.comparingLong(KeyValue::getCreateRevision))
                        .map(newest -> new SessionId(Keys.name(newest.getKey()))));
    }

    private CompletableFuture<Answer<RoleView, NotReserved>> keep(
            Reserve request, SessionId target, Reading found, Deadline deadline) {
        KeptEntry kept = new KeptEntry(request.target(), target, request.window(), Ops.NO_LEASE);
        RoleEntry next = found.entry().value().touched();
        List<Compare> guards = found.guards(keys);
        guards.add(Ops.exists(keys.session(target)));
        guards.add(Ops.exists(keys.campaign(request.role(), request.target(), target)));
        return members.grantLease(wholeSeconds(request.window()), deadline)
                .thenCompose(lease -> members.txn(
                        Ops.when(
                                guards,
                                List.of(
                                        Ops.put(keys.role(request.role()), next.bytes(), Ops.NO_LEASE),
                                        Ops.put(keys.kept(request.role()), kept.bytes(), lease.getID()))),
                        deadline))
                .thenCompose(written -> written.getSucceeded()
                        ? CompletableFuture.completedFuture(
                                Answer.done(Reading.Views.of(request.role(), next, false, Optional.of(kept))))
                        : reserve(request, deadline));
    }

    private static long wholeSeconds(Duration window) {
        return Math.max(1, window.plusNanos(999_999_999).toSeconds());
    }
}
