package dev.signet.store.quorum.voter;

import dev.signet.store.quorum.wire.Address;
import dev.signet.store.quorum.wire.Tls;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.apache.ratis.conf.Parameters;
import org.apache.ratis.conf.RaftProperties;
import org.apache.ratis.grpc.GrpcConfigKeys;
import org.apache.ratis.protocol.ClientId;
import org.apache.ratis.protocol.GroupManagementRequest;
import org.apache.ratis.protocol.RaftClientReply;
import org.apache.ratis.protocol.RaftGroup;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.protocol.RaftPeer;
import org.apache.ratis.protocol.RaftPeerId;
import org.apache.ratis.server.DivisionInfo;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.server.storage.RaftStorage;
import org.apache.ratis.statemachine.StateMachine;
import org.apache.ratis.thirdparty.io.grpc.ServerServiceDefinition;
import org.apache.ratis.util.ExitUtils;
import org.apache.ratis.util.LifeCycle;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The Raft server of a voter, and what it says of the group. Thread-safe. */
final class OwnRaft {

    private static final Logger LOG = LoggerFactory.getLogger(OwnRaft.class);

    private static final long NO_TERM = -1;

    private final RaftServer server;
    private final RaftGroup group;

    private OwnRaft(RaftServer server, RaftGroup group) {
        this.server = server;
        this.group = group;
    }

    /**
     * Not started yet.
     *
     * @param begins whether it takes part in the group once it is started; else by {@link #begin}
     * @param fresh whether nothing of Raft's is in the folder
     * @param services that are answered on Raft's port
     */
    static OwnRaft build(
            VoterOptions options,
            RaftSettings.Tuning tuning,
            UUID group,
            boolean begins,
            boolean fresh,
            StateMachine stateMachine,
            List<ServerServiceDefinition> services)
            throws IOException {
        ExitUtils.disableSystemExit();
        Address own = options.own();
        RaftProperties properties = RaftSettings.of(
                options.data(), own.host(), own.port(), options.electionMin(), options.electionMax(), tuning);
        Parameters parameters = new Parameters();
        options.tls().ifPresent(tls -> RaftSettings.set(tls, parameters));
        boolean mutual = options.tls().filter(Tls::mutual).isPresent();
        GrpcConfigKeys.Server.setServicesCustomizer(parameters, (builder, types) -> {
            services.forEach(builder::addService);
            return mutual ? builder.intercept(new VotersOnly()) : builder;
        });
        RaftGroup known = RaftGroup.valueOf(RaftGroupId.valueOf(group), known(options, fresh));
        RaftServer.Builder server = RaftServer.newBuilder()
                .setServerId(RaftPeerId.valueOf(options.id()))
                .setStateMachine(stateMachine)
                .setProperties(properties)
                .setParameters(parameters)
                .setOption(fresh ? RaftStorage.StartupOption.FORMAT : RaftStorage.StartupOption.RECOVER);
        if (begins) {
            server.setGroup(known);
        }
        return new OwnRaft(server.build(), known);
    }

    /** Whoever joins does not vote before the leader has told it who does. */
    private static List<RaftPeer> known(VoterOptions options, boolean fresh) {
        if (fresh && options.join()) {
            return List.of();
        }
        return options.voters().entrySet().stream()
                .map(voter -> RaftPeer.newBuilder()
                        .setId(voter.getKey())
                        .setAddress(voter.getValue().toString())
                        .build())
                .toList();
    }

    void start() throws IOException {
        server.start();
    }

    /** Takes part in the group from now on. Blocks until its part of it is there. */
    void begin() throws IOException {
        RaftClientReply reply = server.groupManagement(
                GroupManagementRequest.newAdd(ClientId.randomId(), server.getId(), 0, group, false));
        if (!reply.isSuccess()) {
            throw new IOException(reply.getException());
        }
    }

    /** Else it would apply nothing, for ever. */
    void requireWholeLog(long applied) throws IOException {
        long begins = division().getRaftLog().getStartIndex();
        if (begins > applied + 1) {
            throw new IOException("the log in "
                    + division().getRaftStorage().getStorageDir().getRoot() + " begins at entry " + begins
                    + ", and the snapshots there end at " + applied + ": one is missing");
        }
    }

    /** Raft waits until all that is committed was applied, and without bound if that cannot be. */
    void close(Duration within) {
        Thread closing = new Thread(
                () -> {
                    try {
                        server.close();
                    } catch (IOException | RuntimeException e) {
                        LOG.warn("Raft did not close well; voter={}", server.getId(), e);
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

    RaftServer server() {
        return server;
    }

    RaftGroupId group() {
        return group.getGroupId();
    }

    RaftServer.Division division() throws IOException {
        return server.getDivision(group());
    }

    private Optional<DivisionInfo> info() {
        try {
            return Optional.of(division().getInfo());
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    /** The Raft term that it is in; negative if it is closed. */
    long raftTerm() {
        return info().map(DivisionInfo::getCurrentTerm).orElse(NO_TERM);
    }

    /** Not by the role alone: a server that closed itself goes on to call itself leader. */
    boolean leadsIn(long term) {
        return info().filter(info -> info.getLifeCycleState() == LifeCycle.State.RUNNING
                        && info.isLeaderReady()
                        && info.getCurrentTerm() == term)
                .isPresent();
    }

    /** Where the leader is, as far as this voter knows. */
    Optional<Address> leader() {
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
}
