package dev.signet.store.quorum;

import dev.signet.Answer;
import dev.signet.CandidateId;
import dev.signet.Namespace;
import dev.signet.Role;
import dev.signet.store.Acquire;
import dev.signet.store.Concluded;
import dev.signet.store.Grant;
import dev.signet.store.NotGranted;
import dev.signet.store.NotReserved;
import dev.signet.store.OpenSession;
import dev.signet.store.Opened;
import dev.signet.store.Release;
import dev.signet.store.Renewed;
import dev.signet.store.Reserve;
import dev.signet.store.RoleView;
import dev.signet.store.SessionGone;
import dev.signet.store.SessionId;
import dev.signet.store.Store;
import dev.signet.store.StoreRefusal;
import dev.signet.store.StoreTraits;
import dev.signet.store.Watch;
import dev.signet.store.WatchObserver;
import dev.signet.store.quorum.state.Command;
import dev.signet.store.quorum.state.Reply;
import dev.signet.store.quorum.voter.Voter;
import dev.signet.store.quorum.wire.Address;
import dev.signet.store.quorum.wire.Channels;
import dev.signet.store.quorum.wire.Question;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.Collectors;
import javax.net.ssl.SSLException;
import org.apache.ratis.thirdparty.io.netty.handler.ssl.SslContext;
import org.jspecify.annotations.Nullable;

/**
 * A store in a quorum of Signet's own voters: a Raft group of three or five, each a {@link dev.signet.store.quorum.voter.Voter}. It
 * needs no preparation; the first leader of the voters makes it.
 *
 * <p>Thread-safe. Closing it leaves sessions to expire.
 */
public final class QuorumStore implements Store {

    private static final Duration WAKE_BOUND = Duration.ofMillis(500);
    private static final String ONE_VOTER =
            "one voter is no quorum: its loss is the loss of the store, so use it for development only";

    private final Namespace namespace;
    private final StoreTraits traits;
    private final ScheduledExecutorService answers = thread("signet-quorum");
    private final ScheduledExecutorService watches = thread("signet-quorum-watches");
    private final RemoteQuorum quorum;
    private final Changes changes;
    private final Feed feed;

    private QuorumStore(QuorumStoreOptions options, Namespace namespace, @Nullable Voter beside) throws SSLException {
        this.namespace = namespace;
        boolean alone = options.voters().size() == 1;
        traits = new StoreTraits(
                options.voters().stream().map(Address::toString).collect(Collectors.joining(",", "quorum://", "")),
                alone ? StoreTraits.Kind.SINGLE_SERVER : StoreTraits.Kind.QUORUM,
                alone ? Optional.of(ONE_VOTER) : Optional.empty(),
                false,
                true,
                WAKE_BOUND);
        @Nullable
        SslContext tls = options.tls().isEmpty() ? null : options.tls().get().forClient();
        quorum = new RemoteQuorum(
                options.voters().stream()
                        .map(address -> new RemoteVoter(
                                address,
                                Channels.open(address, tls, answers),
                                beside != null && beside.address().equals(address) ? beside : null))
                        .toList(),
                answers);
        changes = new Changes(quorum, answers);
        feed = new Feed(quorum, namespace, watches);
    }

    /**
     * Uses the voters that are there, or will be. Returns at once; connecting goes on behind the scenes.
     *
     * @throws IllegalArgumentException if a certificate or key cannot be used
     */
    public static QuorumStore open(QuorumStoreOptions options, Namespace namespace) {
        return open(options, namespace, null);
    }

    /**
     * The same, in the process of one of the voters: while that one leads, it is asked directly.
     *
     * @param beside this process' voter, which is closed after the store
     * @throws IllegalArgumentException if a certificate or key cannot be used
     */
    public static QuorumStore beside(Voter beside, QuorumStoreOptions options, Namespace namespace) {
        return open(options, namespace, beside);
    }

    private static QuorumStore open(QuorumStoreOptions options, Namespace namespace, @Nullable Voter beside) {
        try {
            return new QuorumStore(options, namespace, beside);
        } catch (SSLException e) {
            throw new IllegalArgumentException("TLS cannot be used as it is set: " + e.getMessage(), e);
        }
    }

    /** Ends by itself when it has had nothing to do for a while: gRPC goes on to need it after its channels were closed. */
    private static ScheduledExecutorService thread(String name) {
        ScheduledThreadPoolExecutor thread = new ScheduledThreadPoolExecutor(1, task -> {
            Thread daemon = new Thread(task, name);
            daemon.setDaemon(true);
            return daemon;
        });
        thread.setKeepAliveTime(1, TimeUnit.SECONDS);
        thread.allowCoreThreadTimeOut(true);
        thread.setRemoveOnCancelPolicy(true);
        return thread;
    }

    @Override
    public StoreTraits traits() {
        return traits;
    }

    @Override
    public CompletionStage<Answer<Opened, StoreRefusal>> open(OpenSession request, Duration timeout) {
        return change(new Command.Open(namespace, request), Answers::opened, timeout);
    }

    @Override
    public CompletionStage<Answer<Renewed, SessionGone>> renew(SessionId session, Duration timeout) {
        return ask(new Question.Renew(namespace, session), Answers::renewed, timeout);
    }

    @Override
    public CompletionStage<Answer<Concluded, SessionGone>> close(SessionId session, Duration timeout) {
        return change(new Command.Close(namespace, session), Answers::concluded, timeout);
    }

    @Override
    public CompletionStage<Answer<RoleView, SessionGone>> enlist(SessionId session, Role role, Duration timeout) {
        return change(new Command.Enlist(namespace, session, role), Answers::viewed, timeout);
    }

    @Override
    public CompletionStage<Answer<Concluded, SessionGone>> withdraw(SessionId session, Role role, Duration timeout) {
        return change(new Command.Withdraw(namespace, session, role), Answers::concluded, timeout);
    }

    @Override
    public CompletionStage<Answer<Grant, NotGranted>> acquire(Acquire request, Duration timeout) {
        return change(new Command.Take(namespace, request), Answers::granted, timeout);
    }

    @Override
    public CompletionStage<Answer<RoleView, SessionGone>> release(Release request, Duration timeout) {
        return change(new Command.Free(namespace, request), Answers::viewed, timeout);
    }

    @Override
    public CompletionStage<Answer<RoleView, NotReserved>> reserve(Reserve request, Duration timeout) {
        return change(new Command.Keep(namespace, request), Answers::reserved, timeout);
    }

    @Override
    public CompletionStage<Answer<List<Grant>, SessionGone>> held(SessionId session, Duration timeout) {
        return ask(new Question.Held(namespace, session), Answers::held, timeout);
    }

    @Override
    public CompletionStage<Answer<RoleView, StoreRefusal>> read(Role role, Duration timeout) {
        return ask(new Question.Read(namespace, role), Answers::read, timeout);
    }

    @Override
    public CompletionStage<Answer<List<RoleView>, StoreRefusal>> roles(Duration timeout) {
        return ask(new Question.Roles(namespace), Answers::roles, timeout);
    }

    @Override
    public CompletionStage<Answer<List<CandidateId>, StoreRefusal>> candidates(Role role, Duration timeout) {
        return ask(new Question.Candidates(namespace, role), Answers::candidates, timeout);
    }

    private <D, R> CompletionStage<Answer<D, R>> change(
            Command command, Function<Reply, Answer<D, R>> meaning, Duration timeout) {
        return answer(changes.ask(command, timeout), meaning, timeout);
    }

    private <D, R> CompletionStage<Answer<D, R>> ask(
            Question question, Function<Reply, Answer<D, R>> meaning, Duration timeout) {
        return answer(quorum.ask(question, timeout), meaning, timeout);
    }

    private static <D, R> CompletionStage<Answer<D, R>> answer(
            CompletableFuture<Reply> reply, Function<Reply, Answer<D, R>> meaning, Duration timeout) {
        return reply.handle((told, fault) ->
                        fault == null ? meaning.apply(told) : Answer.<D, R>unknown("quorum: " + fault.getMessage()))
                .completeOnTimeout(
                        Answer.unknown("the quorum did not answer within " + timeout.toMillis() + " ms"),
                        timeout.toNanos(),
                        TimeUnit.NANOSECONDS)
                .minimalCompletionStage();
    }

    @Override
    public Watch watch(Role role, WatchObserver observer) {
        return feed.watch(role, observer);
    }

    @Override
    public void close() {
        feed.close();
        quorum.close();
    }
}
