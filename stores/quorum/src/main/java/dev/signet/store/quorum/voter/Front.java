package dev.signet.store.quorum.voter;

import dev.signet.Namespace;
import dev.signet.store.NotGranted;
import dev.signet.store.RoleView;
import dev.signet.store.quorum.state.Codec;
import dev.signet.store.quorum.state.Command;
import dev.signet.store.quorum.state.Reply;
import dev.signet.store.quorum.wire.Address;
import dev.signet.store.quorum.wire.Answered;
import dev.signet.store.quorum.wire.Question;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Answers candidates, while this voter leads and is ready to. Changes go through the log. What is only read or renewed is confirmed by a
 * {@linkplain TermRounds term round} that begins after the question arrived: so neither an answer nor a lease is of the past, and a
 * heartbeat costs no write.
 *
 * <p>Never blocks. Thread-safe.
 */
final class Front {

    private final ReplicatedLedger ledger;
    private final TermRounds rounds;
    private final Function<Command, CompletableFuture<Reply>> log;
    private final LeaderCheck leader;
    private final Supplier<Optional<Address>> hint;

    /** Whether this voter leads in this Raft term, as far as it can know by itself. */
    interface LeaderCheck {
        boolean leadsIn(long raftTerm);
    }

    Front(
            ReplicatedLedger ledger,
            TermRounds rounds,
            Function<Command, CompletableFuture<Reply>> log,
            LeaderCheck leader,
            Supplier<Optional<Address>> hint) {
        this.ledger = ledger;
        this.rounds = rounds;
        this.log = log;
        this.leader = leader;
        this.hint = hint;
    }

    CompletableFuture<Answered> answer(Question question) {
        Optional<Long> raftTerm = ledger.raftTerm().filter(leader::leadsIn);
        if (raftTerm.isEmpty()) {
            return CompletableFuture.completedFuture(elsewhere("this voter does not lead"));
        }
        if (ledger.read(all -> all.storeId().isEmpty())) {
            return CompletableFuture.completedFuture(elsewhere("the store is being made"));
        }
        return question instanceof Question.Change change
                ? change(change.command())
                : confirmed(question, raftTerm.get());
    }

    /** Those of a batch go into the log each for itself: what fits into one entry is not for candidates to decide. */
    private CompletableFuture<Answered> change(Command command) {
        return (command instanceof Command.Batch batch ? all(batch) : one(command))
                .handle((reply, fault) -> fault == null ? new Answered.Told(reply) : elsewhere(message(fault)));
    }

    private CompletableFuture<Reply> all(Command.Batch batch) {
        List<CompletableFuture<Reply>> replies =
                batch.commands().stream().map(this::one).toList();
        return CompletableFuture.allOf(replies.toArray(CompletableFuture<?>[]::new))
                .thenApply(done -> new Reply.Batched(
                        replies.stream().map(CompletableFuture::join).toList()));
    }

    private CompletableFuture<Reply> one(Command command) {
        Optional<Namespace> namespace = Asked.namespace(command);
        if (namespace.isEmpty()) {
            return CompletableFuture.completedFuture(new Reply.Unsupported("this is not for candidates to ask"));
        }
        Optional<String> objection = Codec.objectionTo(command);
        if (objection.isPresent()) {
            return CompletableFuture.completedFuture(new Reply.Unsupported(objection.get()));
        }
        return log.apply(command).thenApply(reply -> refined(namespace.get(), reply));
    }

    private CompletableFuture<Answered> confirmed(Question question, long raftTerm) {
        return rounds.confirm(raftTerm)
                .thenApply(yes -> Optional.of(yes)
                        .filter(sure -> sure && leader.leadsIn(raftTerm))
                        .flatMap(sure -> ledger.asLeader(raftTerm, led -> answer(question, led)))
                        .orElseGet(() -> elsewhere("no majority says that this voter still leads")));
    }

    private Answered answer(Question question, ReplicatedLedger.Led led) {
        if (question instanceof Question.Renew renew) {
            return renew(renew, led);
        }
        if (question instanceof Question.Held held) {
            return new Answered.Told(led.ledger().held(held.namespace(), held.session()));
        }
        if (question instanceof Question.Read read) {
            return new Answered.Told(
                    refine(read.namespace(), new Reply.Viewed(led.ledger().view(read.namespace(), read.role())), led));
        }
        if (question instanceof Question.Roles roles) {
            return new Answered.Told(
                    refine(roles.namespace(), new Reply.Roles(led.ledger().roles(roles.namespace())), led));
        }
        if (question instanceof Question.Candidates candidates) {
            return new Answered.Told(
                    new Reply.Candidates(led.ledger().candidates(candidates.namespace(), candidates.role())));
        }
        throw new IllegalArgumentException("no question without a change: " + question);
    }

    private Answered renew(Question.Renew renew, ReplicatedLedger.Led led) {
        var digest = led.ledger().heldDigest(renew.namespace(), renew.session());
        if (digest.isEmpty()) {
            return new Answered.Told(new Reply.Gone());
        }
        SessionKey key = new SessionKey(renew.namespace(), renew.session());
        return led.clock().sessions().renew(key, led.nowNanos()) == Deadlines.Renewal.RENEWED
                ? new Answered.Told(new Reply.Renewed(digest.getAsLong()))
                : elsewhere("whether this session has ended is being decided");
    }

    private Reply refined(Namespace namespace, Reply reply) {
        return ledger.raftTerm()
                .flatMap(term -> ledger.asLeader(term, led -> refine(namespace, reply, led)))
                .orElse(reply);
    }

    /** With what only the leader's clock knows. */
    private static Reply refine(Namespace namespace, Reply reply, ReplicatedLedger.Led led) {
        if (reply instanceof Reply.Viewed viewed) {
            return new Reply.Viewed(refine(namespace, viewed.view(), led));
        }
        if (reply instanceof Reply.Denied denied) {
            return new Reply.Denied(new NotGranted(
                    denied.why().reason(), refine(namespace, denied.why().view(), led)));
        }
        if (reply instanceof Reply.Roles roles) {
            List<RoleView> views = roles.views().stream()
                    .map(view -> refine(namespace, view, led))
                    .toList();
            return new Reply.Roles(views);
        }
        return reply;
    }

    private static RoleView refine(Namespace namespace, RoleView view, ReplicatedLedger.Led led) {
        return led.clock().refine(namespace, view, led.ledger(), led.nowNanos());
    }

    private static String message(Throwable fault) {
        Throwable cause = fault.getCause();
        return String.valueOf((fault instanceof CompletionException && cause != null ? cause : fault).getMessage());
    }

    private Answered elsewhere(String why) {
        return new Answered.Elsewhere(hint.get(), why);
    }
}
