package dev.signet.store.quorum.voter;

import dev.signet.store.RoleView;
import dev.signet.store.quorum.state.Changed;
import dev.signet.store.quorum.state.Command;
import dev.signet.store.quorum.state.Reply;
import dev.signet.store.quorum.wire.Address;
import dev.signet.store.quorum.wire.Answered;
import dev.signet.store.quorum.wire.Question;
import dev.signet.store.quorum.wire.Tls;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import javax.net.ssl.SSLException;
import org.apache.ratis.conf.Parameters;
import org.apache.ratis.conf.RaftProperties;
import org.apache.ratis.grpc.GrpcConfigKeys;
import org.apache.ratis.protocol.ClientId;
import org.apache.ratis.protocol.RaftGroup;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.protocol.RaftPeer;
import org.apache.ratis.protocol.RaftPeerId;
import org.apache.ratis.protocol.TransferLeadershipRequest;
import org.apache.ratis.protocol.exceptions.ChecksumException;
import org.apache.ratis.server.DivisionInfo;
import org.apache.ratis.server.RaftConfiguration;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.server.storage.RaftStorage;
import org.apache.ratis.thirdparty.io.netty.handler.ssl.SslContext;
import org.apache.ratis.util.ExitUtils;
import org.apache.ratis.util.LifeCycle;
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

    private static final Duration PEEK = Duration.ofMillis(500);
    private static final Duration QUIET = Duration.ofSeconds(1);
    private static final Duration HAND_OVER = Duration.ofSeconds(5);
    private static final Duration CLOSE = Duration.ofSeconds(10);
    private static final Duration CLOSE_UNSTARTED = Duration.ofSeconds(1);

    private final VoterOptions options;
    private final DataFolder folder;
    private final UUID group;
    private final Peers peers;
    private final RaftServer raft;
    private final Proposer proposer;
    private final ReplicatedLedger ledger;
    private final Watchers watchers;
    private final Front front;
    private final ScheduledExecutorService clock;
    private final ScheduledExecutorService news;
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
                    "voter " + options.id() + " cannot start: " + reason(e)
                            + "; if the other voters are well, empty the folder " + options.data()
                            + " and start with --join",
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
        clock = thread("signet-voter-clock");
        news = thread("signet-voter-news");
        peers = new Peers(clientTls(options), news);
        group = new Preflight(options, folder, peers).group();
        ledger = new ReplicatedLedger(System::nanoTime, new Told());
        watchers = new Watchers(news, this::view, this::leader);
        TermRounds rounds = new TermRounds(new Others(), this::raftTerm);
        front = new Front(ledger, rounds, this::propose, this::leadsIn, this::leader);
        raft = raft(
                new FrontService(front, watchers, new Standing(options.id(), group, ledger, this::division)), tuning);
        proposer = new Proposer(raft, RaftGroupId.valueOf(group));
        try {
            raft.start();
            requireWholeLog();
        } catch (IOException | RuntimeException e) {
            stopThreads();
            closeRaft(CLOSE_UNSTARTED);
            throw e;
        }
        var unusedSweep = clock.scheduleAtFixedRate(
                guarded(new Sweep(ledger, this::propose, System::nanoTime)),
                Sweep.INTERVAL.toMillis(),
                Sweep.INTERVAL.toMillis(),
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

    private static @Nullable SslContext clientTls(VoterOptions options) throws SSLException {
        return options.tls().isEmpty() ? null : options.tls().get().forClient();
    }

    private RaftServer raft(FrontService service, RaftSettings.Tuning tuning) throws IOException {
        ExitUtils.disableSystemExit();
        Address own = options.own();
        RaftProperties properties = RaftSettings.of(
                options.data(), own.host(), own.port(), options.electionMin(), options.electionMax(), tuning);
        Parameters parameters = new Parameters();
        options.tls().ifPresent(tls -> RaftSettings.set(tls, parameters));
        boolean mutual = options.tls().filter(Tls::mutual).isPresent();
        GrpcConfigKeys.Server.setServicesCustomizer(parameters, (builder, types) -> {
            builder.addService(service.definition());
            builder.addService(new CareService(this::membership).definition());
            return mutual ? builder.intercept(new VotersOnly()) : builder;
        });
        List<RaftPeer> voters = options.voters().entrySet().stream()
                .map(voter -> RaftPeer.newBuilder()
                        .setId(voter.getKey())
                        .setAddress(voter.getValue().toString())
                        .build())
                .toList();
        return RaftServer.newBuilder()
                .setServerId(RaftPeerId.valueOf(options.id()))
                .setGroup(RaftGroup.valueOf(RaftGroupId.valueOf(group), begins() ? voters : List.of()))
                .setStateMachine(ledger)
                .setProperties(properties)
                .setParameters(parameters)
                .setOption(folder.hasLog() ? RaftStorage.StartupOption.RECOVER : RaftStorage.StartupOption.FORMAT)
                .build();
    }

    /** Whoever joins does not vote before the leader has told it who does: what it knew is lost, or it never knew anything. */
    private boolean begins() {
        return folder.hasLog() || !options.join();
    }

    private Membership membership() {
        return new Membership(raft, this::division);
    }

    /** Else it would apply nothing, for ever. */
    private void requireWholeLog() throws IOException {
        long begins = division().getRaftLog().getStartIndex();
        long applied = ledger.getLastAppliedTermIndex().getIndex();
        if (begins > applied + 1) {
            throw new IOException("the log in " + options.data().resolve(DataFolder.LOG) + " begins at entry " + begins
                    + ", and the snapshots there end at " + applied + ": one is missing");
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

    private RaftServer.Division division() throws IOException {
        return raft.getDivision(RaftGroupId.valueOf(group));
    }

    private Optional<DivisionInfo> info() {
        try {
            return Optional.of(division().getInfo());
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    private long raftTerm() {
        return info().map(DivisionInfo::getCurrentTerm).orElse(-1L);
    }

    /** Not by the role alone: a server that closed itself goes on to call itself leader. */
    private boolean leadsIn(long term) {
        return info().filter(info -> info.getLifeCycleState() == LifeCycle.State.RUNNING
                        && info.isLeaderReady()
                        && info.getCurrentTerm() == term)
                .isPresent();
    }

    /** Where the leader is, as far as this voter knows. */
    private Optional<Address> leader() {
        try {
            RaftServer.Division division = division();
            RaftPeerId leader = division.getInfo().getLeaderId();
            return Optional.ofNullable(
                            leader == null ? null : division.getRaftConf().getPeer(leader))
                    .map(peer -> Address.parse(peer.getAddress()));
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    private Optional<RoleView> view(Changed role) {
        return ledger.raftTerm()
                .filter(this::leadsIn)
                .flatMap(term -> ledger.asLeader(
                        term,
                        led -> led.clock()
                                .refine(
                                        role.namespace(),
                                        led.ledger().view(role.namespace(), role.role()),
                                        led.ledger(),
                                        led.nowNanos())));
    }

    private CompletableFuture<Reply> propose(Command command) {
        return proposer.propose(command);
    }

    /** Asked for their Raft term. */
    private final class Others implements TermRounds.Voters {

        /** While the voters are being changed nobody is sure, for the moment that this takes. */
        @Override
        public int majority() {
            try {
                RaftConfiguration voters = division().getRaftConf();
                return voters.getPreviousPeers().isEmpty()
                        ? voters.getCurrentPeers().size() / 2 + 1
                        : Integer.MAX_VALUE;
            } catch (IOException e) {
                return Integer.MAX_VALUE;
            }
        }

        @Override
        public List<CompletableFuture<Long>> peek() {
            try {
                return division().getRaftConf().getCurrentPeers().stream()
                        .filter(peer -> !peer.getId().equals(raft.getId()))
                        .map(peer -> peers.peek(Address.parse(peer.getAddress()), PEEK)
                                .thenApply(
                                        peek -> peek.running() && peek.group().equals(group) ? peek.raftTerm() : -1))
                        .toList();
            } catch (IOException e) {
                return List.of();
            }
        }
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

    /** Hands the leadership of the quorum over first, if it leads; within five seconds. All of it takes fifteen at most. */
    @Override
    public void close() {
        if (closing) {
            return;
        }
        closing = true;
        if (ledger.raftTerm().filter(this::leadsIn).isPresent()) {
            handOver();
        }
        stopThreads();
        closeRaft(CLOSE);
        folder.close();
        ended.complete("closed");
    }

    /** Raft waits until all that is committed was applied, and without bound if that cannot be. */
    private void closeRaft(Duration within) {
        Thread closing = new Thread(
                () -> {
                    try {
                        raft.close();
                    } catch (IOException | RuntimeException e) {
                        LOG.warn("Raft did not close well; voter={}", options.id(), e);
                    }
                },
                "signet-voter-close");
        closing.setDaemon(true);
        closing.start();
        try {
            closing.join(within.toMillis());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void handOver() {
        try {
            RaftServer.Division division = division();
            RaftPeer successor = division.getRaftConf().getCurrentPeers().stream()
                    .filter(peer -> !peer.getId().equals(raft.getId()))
                    .findFirst()
                    .orElse(null);
            if (successor == null) {
                return;
            }
            raft.transferLeadershipAsync(new TransferLeadershipRequest(
                            ClientId.randomId(),
                            raft.getId(),
                            division.getMemberId().getGroupId(),
                            0,
                            successor.getId(),
                            HAND_OVER.toMillis()))
                    .get(HAND_OVER.toMillis(), TimeUnit.MILLISECONDS);
        } catch (IOException | ExecutionException | TimeoutException e) {
            LOG.info("the leadership of the quorum was not handed over; voter={} cause={}", options.id(), e.toString());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void stopThreads() {
        clock.shutdownNow();
        proposer.close();
        peers.close();
        news.shutdownNow();
    }
}
