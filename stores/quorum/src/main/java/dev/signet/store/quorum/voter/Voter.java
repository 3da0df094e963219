package dev.signet.store.quorum.voter;

import dev.signet.Namespace;
import dev.signet.Role;
import dev.signet.store.RoleView;
import dev.signet.store.quorum.state.Changed;
import dev.signet.store.quorum.state.Command;
import dev.signet.store.quorum.state.Reply;
import dev.signet.store.quorum.wire.Address;
import dev.signet.store.quorum.wire.Answered;
import dev.signet.store.quorum.wire.Question;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLException;
import org.apache.ratis.protocol.exceptions.ChecksumException;
import org.apache.ratis.thirdparty.io.netty.handler.ssl.SslContext;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One voter of a quorum, running. Thread-safe; closing it is idempotent and bounded.
 *
 * <p>It does not restart itself: what ended is told by {@link #ended}.
 */
public final class Voter implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(Voter.class);

    /** A thousand sessions that renew every two seconds would else keep the voters busy with rounds. */
    private static final Duration BETWEEN_ROUNDS = Duration.ofMillis(20);

    private static final Duration QUIET = Duration.ofSeconds(1);
    private static final Duration CLOSE = Duration.ofSeconds(10);
    private static final Duration CLOSE_UNSTARTED = Duration.ofSeconds(1);

    private final VoterOptions options;
    private final DataFolder folder;
    private final Peers peers;
    private final FirstStart firstStart;
    private final OwnRaft raft;
    private final Handover handover;
    private final Proposer proposer;
    private final ReplicatedLedger ledger;
    private final Watchers watchers;
    private final Front front;
    private final VoterThreads threads = new VoterThreads();
    private final CompletableFuture<Void> begun = new CompletableFuture<>();
    private final CompletableFuture<String> ended = new CompletableFuture<>();
    private volatile boolean closing;

    /** Returns once it listens; for the others, and for a leader, it does not wait. */
    public static Voter start(VoterOptions options) throws VoterException {
        return start(options, RaftSettings.Tuning.DEFAULT);
    }

    static Voter start(VoterOptions options, RaftSettings.Tuning tuning) throws VoterException {
        DataFolder folder = DataFolder.open(options.data());
        try {
            return new Voter(options, folder, tuning);
        } catch (IOException | VoterException | RuntimeException e) {
            folder.close();
            if (e instanceof VoterException told) {
                throw told;
            }
            throw cannotStart(options, e);
        }
    }

    private static VoterException cannotStart(VoterOptions options, Exception fault) {
        return new VoterException(
                "voter " + options.id() + " cannot start in the folder " + options.data() + ": " + reason(fault) + ". "
                        + Preflight.REMEDY,
                fault);
    }

    /** Raft wraps what happened in what it was about. */
    private static String reason(Throwable fault) {
        Throwable cause = fault;
        while (cause.getCause() != null) {
            cause = cause.getCause();
        }
        String message = Optional.ofNullable(cause.getMessage()).orElseGet(cause::toString);
        return cause instanceof ChecksumException ? "a segment of the log is damaged: " + message : message;
    }

    private Voter(VoterOptions options, DataFolder folder, RaftSettings.Tuning tuning)
            throws IOException, VoterException {
        this.options = options;
        this.folder = folder;
        @Nullable SslContext tls = clientTls(options);
        peers = new Peers(tls, threads.rounds());
        firstStart = firstStart();
        UUID group = firstStart.owner().group();
        ledger = new ReplicatedLedger(System::nanoTime, new Told());
        watchers = new Watchers(threads.news(), this::views, () -> raft().leader());
        OtherVoters others = new OtherVoters(this::raft, group, peers);
        TermRounds termRounds = new TermRounds(others, () -> raft().raftTerm(), this::afterPause);
        front = new Front(ledger, termRounds, this::propose, this::leadsIn, () -> raft().leader());
        Standing self = new Standing(firstStart::owner, options.witness(), ledger, () -> raft().division());
        handover = new Handover(self, this::raft, others, peers);
        raft = OwnRaft.build(
                options,
                tuning,
                group,
                firstStart.mayBegin(),
                !folder.hasLog(),
                ledger,
                List.of(
                        new FrontService(front, watchers, self).definition(),
                        new CareService(() -> new Membership(raft())).definition()));
        proposer = new Proposer(raft.server(), raft.group());
        try {
            raft.start();
            if (firstStart.mayBegin()) {
                raft.requireWholeLog(ledger.getLastAppliedTermIndex().getIndex());
                begin();
            } else {
                threads.clock().execute(this::meet);
            }
        } catch (IOException | VoterException | RuntimeException e) {
            stopThreads();
            raft.close(CLOSE_UNSTARTED);
            throw e;
        }
        VoterThreads.repeat(threads.clock(), new Sweep(ledger, this::propose, System::nanoTime), Sweep.INTERVAL);
        VoterThreads.repeat(threads.clock(), handover::stepAside, Handover.INTERVAL);
        VoterThreads.repeat(threads.news(), watchers::tellQuiet, QUIET);
    }

    /** Who is refused leaves nothing behind. */
    private FirstStart firstStart() throws VoterException {
        try {
            return new FirstStart(options, folder, peers, new Preflight(options, folder, peers).owner());
        } catch (VoterException | RuntimeException e) {
            peers.close();
            threads.stop();
            throw e;
        }
    }

    /** The same files serve Raft, so that they are found wanting here. */
    private static @Nullable SslContext clientTls(VoterOptions options) throws VoterException {
        try {
            return options.tls().isEmpty() ? null : options.tls().get().forClient();
        } catch (SSLException e) {
            throw new VoterException("TLS cannot be used as it is set: " + e.getMessage(), e);
        }
    }

    // Its beginning

    /** Again and again until it may begin; Raft has no part in it before. */
    private void meet() {
        try {
            firstStart.ask();
            if (firstStart.mayBegin()) {
                raft.begin();
                begin();
            } else {
                var unused = threads.clock()
                        .schedule(this::meet, FirstStart.BETWEEN_ROUNDS.toMillis(), TimeUnit.MILLISECONDS);
            }
        } catch (VoterException e) {
            refuse(e);
        } catch (IOException | RuntimeException e) {
            refuse(cannotStart(options, e));
        }
    }

    private void begin() throws VoterException {
        firstStart.begun();
        begun.complete(null);
    }

    private void refuse(VoterException why) {
        if (!closing) {
            begun.completeExceptionally(why);
            ended.complete(String.valueOf(why.getMessage()));
        }
    }

    // What it is now

    /**
     * Completed once this voter takes part. At the first start of a quorum that is once all voters have met; fails with a {@link
     * VoterException} if one of them says that this voter must not begin, and then it has {@linkplain #ended ended}, too.
     */
    public CompletableFuture<Void> begun() {
        return begun;
    }

    /** Completed with the reason once this voter takes part no more. */
    public CompletableFuture<String> ended() {
        return ended;
    }

    /** Where it listens. */
    public Address address() {
        return options.own();
    }

    /** What it would say to whoever asked over the network. */
    public CompletableFuture<Answered> answer(Question question) {
        return front.answer(question);
    }

    private Optional<List<RoleView>> views(Namespace namespace, List<Role> roles) {
        return ledger.raftTerm()
                .filter(this::leadsIn)
                .flatMap(term -> ledger.asLeader(
                        term,
                        led -> roles.stream()
                                .map(role -> led.clock()
                                        .refine(
                                                namespace,
                                                led.ledger().view(namespace, role),
                                                led.ledger(),
                                                led.nowNanos()))
                                .toList()));
    }

    /** For what is asked only once it runs. */
    private OwnRaft raft() {
        return raft;
    }

    private void afterPause(Runnable task) {
        try {
            var unused = threads.rounds().schedule(task, BETWEEN_ROUNDS.toMillis(), TimeUnit.MILLISECONDS);
        } catch (RejectedExecutionException closed) {
            task.run();
        }
    }

    private boolean leadsIn(long raftTerm) {
        return raft.leadsIn(raftTerm);
    }

    private CompletableFuture<Reply> propose(Command command) {
        return proposer.propose(command);
    }

    // What happens to it

    private final class Told implements ReplicatedLedger.Listener {

        @Override
        public void changed(List<Changed> roles) {
            watchers.changed(roles);
        }

        @Override
        public void leadsNoMore() {
            watchers.endAll();
        }

        @Override
        public void withoutLeader() {
            LOG.warn("the quorum has no leader; voter={}", options.id());
        }

        @Override
        public void closed() {
            if (!closing) {
                ended.complete("Raft closed this voter");
            }
        }

        @Override
        public void logFailed(Throwable cause) {
            ended.complete("the log cannot be written: " + cause.getMessage());
        }
    }

    // Its end

    /** Hands the leadership of the quorum over first, if it leads; within a few seconds. All of it takes fifteen at most. */
    @Override
    public void close() {
        if (closing) {
            return;
        }
        closing = true;
        if (ledger.raftTerm().filter(this::leadsIn).isPresent()) {
            handover.now();
        }
        stopThreads();
        raft.close(CLOSE);
        folder.close();
        ended.complete("closed");
    }

    private void stopThreads() {
        proposer.close();
        peers.close();
        threads.stop();
    }
}
