package dev.signet.store.etcd;

import com.google.protobuf.ByteString;
import dev.signet.CandidateId;
import dev.signet.Role;
import dev.signet.store.SessionId;
import dev.signet.store.etcd.Reading.Versioned;
import io.etcd.jetcd.api.KeyValue;
import io.etcd.jetcd.api.TxnResponse;
import io.grpc.Deadline;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;

/** Reads what requests are decided on. Every read is linearizable. Thread-safe. */
final class Readings {

    /** In an answer of etcd's, which is limited in bytes. */
    private static final int MOST_IN_A_PAGE = 1_000;

    private static final SessionId NOBODY = new SessionId("");

    private final Members members;
    private final Keys keys;
    private final String name;
    private volatile SessionId lastHolder = NOBODY;

    /** @param name of the store, for people */
    Readings(Members members, Keys keys, String name) {
        this.members = members;
        this.keys = keys;
        this.name = name;
    }

    CompletableFuture<Reading> of(Role role, Deadline deadline) {
        return of(role, NOBODY, deadline);
    }

    /**
     * In two steps where another's session matters, whose name the first tells; the second counts if the first still holds. In one
     * where it is guessed: whoever takes over takes many roles of one session.
     */
    CompletableFuture<Reading> of(Role role, SessionId session, Deadline deadline) {
        SessionId guess = lastHolder;
        return members.txn(
                        Ops.read(
                                Ops.get(keys.store()),
                                Ops.get(keys.role(role)),
                                Ops.get(keys.kept(role)),
                                Ops.get(keys.session(session)),
                                Ops.get(keys.attempts(session, role)),
                                Ops.get(keys.session(guess))),
                        deadline)
                .thenCompose(found -> {
                    Reading first = first(role, session, guess, found);
                    return first.kept().isEmpty()
                                    && first.holder()
                                            .filter(who -> !who.equals(guess))
                                            .isEmpty()
                            ? CompletableFuture.completedFuture(first)
                            : withOthers(first, deadline);
                });
    }

    private Reading first(Role role, SessionId session, SessionId guess, TxnResponse found) {
        Versioned<RoleEntry> entry =
                versioned(found, 1, kv -> RoleEntry.parse(kv.getValue())).orElse(new Versioned<>(RoleEntry.ABSENT, 0));
        return new Reading(
                role,
                store(found),
                entry,
                one(found, 5)
                        .filter(holder -> entry.value().heldBy(guess).isPresent())
                        .map(KeyValue::getLease),
                versioned(found, 2, KeptEntry::of),
                false,
                session,
                one(found, 3).map(SessionEntry::of),
                versioned(found, 4, kv -> AttemptsEntry.parse(kv.getValue()))
                        .orElse(new Versioned<>(AttemptsEntry.NONE, 0)));
    }

    private CompletableFuture<Reading> withOthers(Reading first, Deadline deadline) {
        SessionId holder = first.holder().orElse(NOBODY);
        lastHolder = holder;
        SessionId target = first.kept().map(kept -> kept.value().session()).orElse(NOBODY);
        return members.txn(
                        Ops.read(
                                Ops.get(keys.role(first.role())),
                                Ops.get(keys.kept(first.role())),
                                Ops.get(keys.session(holder)),
                                Ops.get(keys.session(target))),
                        deadline)
                .thenCompose(found -> revision(found, 0) == first.entry().revision()
                                && revision(found, 1)
                                        == first.kept().map(Versioned::revision).orElse(0L)
                        ? CompletableFuture.completedFuture(new Reading(
                                first.role(),
                                first.store(),
                                first.entry(),
                                one(found, 2).map(KeyValue::getLease),
                                first.kept(),
                                one(found, 3).isPresent(),
                                first.session(),
                                first.mine(),
                                first.attempts()))
                        : of(first.role(), first.session(), deadline));
    }

    private static long revision(TxnResponse found, int number) {
        return one(found, number).map(KeyValue::getModRevision).orElse(0L);
    }

    /**
     * What a transaction read first.
     *
     * @throws Unusable if there is no store, or none for us
     */
    StoreEntry store(TxnResponse found) {
        return StoreEntry.of(one(found, 0), name);
    }

    /** Of the n-th operation of a transaction, a read of one key. */
    static Optional<KeyValue> one(TxnResponse found, int number) {
        List<KeyValue> all = found.getResponses(number).getResponseRange().getKvsList();
        return all.isEmpty() ? Optional.empty() : Optional.of(all.get(0));
    }

    private static <T> Optional<Versioned<T>> versioned(TxnResponse found, int number, Function<KeyValue, T> parse) {
        return one(found, number).map(kv -> new Versioned<>(parse.apply(kv), kv.getModRevision()));
    }

    /** All that a namespace has, as it was at one revision. */
    CompletableFuture<Census> census(Deadline deadline) {
        return wholly(() -> censusOnce(deadline));
    }

    /** Whose sessions campaign for the role: their keys go with the sessions' leases. */
    CompletableFuture<List<CandidateId>> candidates(Role role, Deadline deadline) {
        return wholly(() -> {
            Set<CandidateId> found = new LinkedHashSet<>();
            return members.txn(Ops.read(Ops.get(keys.store())), deadline)
                    .thenApply(this::store)
                    .thenCompose(store -> page(
                            keys.campaigns(role), 0, deadline, entry -> found.add(Keys.campaigner(entry.getKey()))))
                    .thenApply(revision -> List.copyOf(found));
        });
    }

    /** Anew as often as etcd throws away what it was reading of. Each time is bounded by its deadline. */
    static <T> CompletableFuture<T> wholly(Supplier<CompletableFuture<T>> reading) {
        return reading.get()
                .exceptionallyCompose(fault -> Faults.isCompacted(fault)
                        ? wholly(reading)
                        : CompletableFuture.failedFuture(Faults.cause(fault)));
    }

    private CompletableFuture<Census> censusOnce(Deadline deadline) {
        Census census = new Census();
        return members.txn(Ops.read(Ops.get(keys.store())), deadline)
                .thenApply(this::store)
                .thenCompose(store -> page(keys.roles(), 0, deadline, census::put))
                .thenCompose(revision -> page(keys.sessions(), revision, deadline, census::put))
                .thenCompose(revision -> page(keys.allKept(), revision, deadline, census::put))
                .thenApply(revision -> {
                    census.at(revision);
                    return census;
                });
    }

    /** What begins so, as it was at {@code revision} or, for 0, is now; page by page. Tells the revision. */
    CompletableFuture<Long> page(ByteString prefix, long revision, Deadline deadline, Consumer<KeyValue> each) {
        return pageFrom(prefix, prefix, revision, deadline, each);
    }

    private CompletableFuture<Long> pageFrom(
            ByteString prefix, ByteString from, long revision, Deadline deadline, Consumer<KeyValue> each) {
        return members.range(
                        Ops.all(prefix)
                                .setKey(from)
                                .setLimit(MOST_IN_A_PAGE)
                                .setRevision(revision)
                                .build(),
                        deadline)
                .thenCompose(found -> {
                    found.getKvsList().forEach(each);
                    long at = revision == 0 ? found.getHeader().getRevision() : revision;
                    if (!found.getMore()) {
                        return CompletableFuture.completedFuture(at);
                    }
                    ByteString last = found.getKvs(found.getKvsCount() - 1).getKey();
                    return pageFrom(prefix, last.concat(ByteString.copyFrom(new byte[1])), at, deadline, each);
                });
    }
}
