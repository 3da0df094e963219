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
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
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
    private final UUID group;
    private final Peers peers;
    private final OwnRaft raft;
    private final Handover handover;
    private final Proposer proposer;
    private final ReplicatedLedger ledger;
    private final Watchers watchers;
    private final Front front;
    private final ScheduledExecutorService clock;
    private final ScheduledExecutorService news;

    /** Of its own: what many watchers are told must not hold up whether this voter still leads. */
    private final ScheduledExecutorService rounds;

    private final CompletableFuture<String> ended = new CompletableFuture<>();
    private volatile boolean closing;

    /** Returns once it takes part; that there is a leader it does not wait for. */
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
            throw new VoterException(
                    "voter " + options.id() + " cannot start in the folder " + options.data() + ": " + reason(e) + ". "
                            + Preflight.REMEDY,
                    e);
        }
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
        clock = thread("signet-voter-clock");
        news = thread("signet-voter-news");
        rounds = thread("signet-voter-rounds");
        peers = new Peers(tls, rounds);
        group = group();
        ledger = new ReplicatedLedger(System::nanoTime, new Told());
        watchers = new Watchers(news, this::views, () -> raft().leader());
        OtherVoters others = new OtherVoters(this::raft, group, peers);
        TermRounds termRounds = new TermRounds(others, () -> raft().raftTerm(), this::afterPause);
        front = new Front(ledger, termRounds, this::propose, this::leadsIn, () -> raft().leader());
        Standing self = new Standing(options.id(), options.witness(), group, ledger, () -> raft().division());
        handover = new Handover(self, this::raft, others, peers);
        raft = OwnRaft.build(
                options,
                tuning,
                group,
                !folder.hasLog(),
                ledger,
                List.of(
                        new FrontService(front, watchers, self).definition(),
                        new CareService(() -> new Membership(raft())).definition()));
        proposer = new Proposer(raft.server(), raft.group());
        try {
            raft.start();
            raft.requireWholeLog(ledger.getLastAppliedTermIndex().getIndex());
        } catch (IOException | RuntimeException e) {
            stopThreads();
            raft.close(CLOSE_UNSTARTED);
            throw e;
        }
        var unusedSweep = clock.scheduleAtFixedRate(
                guarded(new Sweep(ledger, this::propose, System::nanoTime)),
                Sweep.INTERVAL.toMillis(),
                Sweep.INTERVAL.toMillis(),
                TimeUnit.MILLISECONDS);
        var unusedWitness = clock.scheduleAtFixedRate(
                guarded(handover::stepAside),
                Handover.INTERVAL.toMillis(),
                Handover.INTERVAL.toMillis(),
                TimeUnit.MILLISECONDS);
        var unusedQuiet = news.scheduleAtFixedRate(
                guarded(watchers::tellQuiet), QUIET.toMillis(), QUIET.toMillis(), TimeUnit.MILLISECONDS);
    }

    private static ScheduledExecutorService thread(String name) {
        return Executors.newSingleThreadScheduledExecutor(task -> {
            Thread thread = new Thread(task, name);
            thread.setDaemon(true);
            return thread;
        });
    }

    /** A task that throws is never run again by its scheduler. */
    private static Runnable guarded(Runnable task) {
        return () -> {
            try {
                task.run();
            } catch (RuntimeException e) {
                LOG.error("a task of the voter failed", e);
            }
        };
    }

    /** Who is refused leaves nothing behind. */
    private UUID group() throws VoterException {
        try {
            return new Preflight(options, folder, peers).group();
        } catch (VoterException | RuntimeException e) {
            peers.close();
            List.of(clock, news, rounds).forEach(ScheduledExecutorService::shutdownNow);
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

    // What it is now

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
            var unused = rounds.schedule(task, BETWEEN_ROUNDS.toMillis(), TimeUnit.MILLISECONDS);
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
        clock.shutdownNow();
        proposer.close();
        peers.close();
        news.shutdownNow();
        rounds.shutdownNow();
    }
}
