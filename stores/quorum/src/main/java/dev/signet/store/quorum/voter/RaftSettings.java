package dev.signet.store.quorum.voter;

import dev.signet.store.quorum.wire.Tls;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.ratis.RaftConfigKeys;
import org.apache.ratis.conf.Parameters;
import org.apache.ratis.conf.RaftProperties;
import org.apache.ratis.grpc.GrpcConfigKeys;
import org.apache.ratis.grpc.GrpcTlsConfig;
import org.apache.ratis.rpc.SupportedRpcType;
import org.apache.ratis.server.RaftServerConfigKeys;
import org.apache.ratis.util.SizeInBytes;
import org.apache.ratis.util.TimeDuration;

/** How Ratis is set, where its own choice would not do. */
final class RaftSettings {

    /** Raft asks for a majority within this, or the leader gives up. */
    private static final Duration REQUEST = Duration.ofSeconds(2);

    private static final Duration NO_LEADER = Duration.ofSeconds(5);

    private static final int SNAPSHOTS_KEPT = 3;
    private static final long MOST_KEPT_BESIDE = 1_024;

    private static final int PREALLOCATED_BYTES = 64 << 10;
    private static final String APPENDED_AT_ONCE = "1MB";
    private static final String WRITE_BUFFER = "2MB";
    private static final String MESSAGE = "64MB";

    private RaftSettings() {}

    /**
     * What tests want otherwise.
     *
     * @param longestPause a pause of the process of more than this closes the voter for good
     * @param stepDown after a pause of more than this a leader is none, even if it hears of no other
     * @param snapshotEvery so many entries of the log, of which the segments up to there are then deleted
     */
    record Tuning(Duration longestPause, Duration stepDown, long snapshotEvery, int segmentBytes) {

        /** Ratis' minute would end a voter on a machine that was asleep: no pause may do that. */
        static final Tuning DEFAULT = new Tuning(Duration.ofDays(1), Duration.ofSeconds(2), 20_000, 8 << 20);
    }

    static RaftProperties of(
            Path data, String host, int port, Duration electionMin, Duration electionMax, Tuning tuning) {
        RaftProperties raft = new RaftProperties();
        RaftConfigKeys.Rpc.setType(raft, SupportedRpcType.GRPC);
        GrpcConfigKeys.Server.setHost(raft, host);
        GrpcConfigKeys.Server.setPort(raft, port);
        GrpcConfigKeys.setMessageSizeMax(raft, SizeInBytes.valueOf(MESSAGE));

        RaftServerConfigKeys.setStorageDir(
                raft, List.of(data.resolve(DataFolder.LOG).toFile()));
        RaftServerConfigKeys.setRemovedGroupsDir(
                raft, data.resolve(DataFolder.REMOVED).toFile());
        RaftServerConfigKeys.setCloseThreshold(raft, time(tuning.longestPause()));

        RaftServerConfigKeys.Rpc.setTimeoutMin(raft, time(electionMin));
        RaftServerConfigKeys.Rpc.setTimeoutMax(raft, time(electionMax));
        RaftServerConfigKeys.Rpc.setFirstElectionTimeoutMin(raft, time(electionMin.dividedBy(3)));
        RaftServerConfigKeys.Rpc.setFirstElectionTimeoutMax(raft, time(electionMax.dividedBy(3)));
        RaftServerConfigKeys.Rpc.setRequestTimeout(raft, time(REQUEST));
        RaftServerConfigKeys.LeaderElection.setPreVote(raft, true);
        RaftServerConfigKeys.LeaderElection.setLeaderStepDownWaitTime(raft, time(tuning.stepDown()));
        RaftServerConfigKeys.Notification.setNoLeaderTimeout(raft, time(NO_LEADER));

        RaftServerConfigKeys.Snapshot.setAutoTriggerEnabled(raft, true);
        RaftServerConfigKeys.Snapshot.setAutoTriggerThreshold(raft, tuning.snapshotEvery());
        RaftServerConfigKeys.Snapshot.setRetentionFileNum(raft, SNAPSHOTS_KEPT);

        RaftServerConfigKeys.Log.setPurgeUptoSnapshotIndex(raft, true);
        RaftServerConfigKeys.Log.setPurgeGap(raft, (int) Math.min(MOST_KEPT_BESIDE, tuning.snapshotEvery()));
        RaftServerConfigKeys.Log.setSegmentSizeMax(raft, SizeInBytes.valueOf(tuning.segmentBytes()));
        RaftServerConfigKeys.Log.setPreallocatedSize(
                raft, SizeInBytes.valueOf(Math.min(PREALLOCATED_BYTES, tuning.segmentBytes())));
        RaftServerConfigKeys.Log.setWriteBufferSize(raft, SizeInBytes.valueOf(WRITE_BUFFER));
        RaftServerConfigKeys.Log.Appender.setBufferByteLimit(raft, SizeInBytes.valueOf(APPENDED_AT_ONCE));
        RaftServerConfigKeys.Log.setUnsafeFlushEnabled(raft, false);
        RaftServerConfigKeys.Log.setAsyncFlushEnabled(raft, false);
        RaftServerConfigKeys.Log.setCorruptionPolicy(raft, RaftServerConfigKeys.Log.CorruptionPolicy.EXCEPTION);
        return raft;
    }

    /** For all that Raft sends and takes. */
    static void set(Tls tls, Parameters parameters) {
        Tls.Identity own = tls.identity()
                .orElseThrow(() -> new IllegalArgumentException("a voter with TLS needs a certificate and a key"));
        GrpcConfigKeys.TLS.setConf(
                parameters,
                new GrpcTlsConfig(
                        own.key().toFile(),
                        own.certificate().toFile(),
                        tls.authority().toFile(),
                        tls.mutual()));
    }

    private static TimeDuration time(Duration duration) {
        return TimeDuration.valueOf(duration.toMillis(), TimeUnit.MILLISECONDS);
    }
}
