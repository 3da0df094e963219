package dev.signet.store.quorum.voter;

import dev.signet.store.quorum.wire.Replacement;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.ratis.protocol.ClientId;
import org.apache.ratis.protocol.RaftPeer;
import org.apache.ratis.protocol.RaftPeerId;
import org.apache.ratis.protocol.SetConfigurationRequest;
import org.apache.ratis.protocol.exceptions.RaftException;
import org.apache.ratis.protocol.exceptions.SetConfigurationException;
import org.apache.ratis.server.RaftConfiguration;
import org.apache.ratis.server.RaftServer;

/** Who votes. One voter at a time is replaced by another, so that the number stays odd and a majority of those who know all stays. */
final class Membership {

    private final OwnRaft raft;
    private final ClientId client = ClientId.randomId();
    private final AtomicLong calls = new AtomicLong();

    Membership(OwnRaft raft) {
        this.raft = raft;
    }

    /** Empty once the other votes; else, why it is not to. Fails where this voter does not lead, or does not know what came of it. */
    CompletableFuture<Optional<String>> replace(Replacement replacement) {
        try {
            RaftServer.Division ours = raft.division();
            RaftConfiguration voters = ours.getRaftConf();
            if (!ours.getInfo().isLeaderReady()) {
                return CompletableFuture.failedFuture(new IOException("this voter does not lead"));
            }
            List<RaftPeer> now = List.copyOf(voters.getCurrentPeers());
            RaftPeer added = RaftPeer.newBuilder()
                    .setId(replacement.id())
                    .setAddress(replacement.address().toString())
                    .build();
            List<RaftPeer> next = new ArrayList<>(now);
            if (!next.removeIf(voter -> voter.getId().equals(RaftPeerId.valueOf(replacement.old())))) {
                return now.stream().anyMatch(voter -> isSame(voter, added))
                        ? CompletableFuture.completedFuture(Optional.empty())
                        : told("voter " + replacement.old() + " is none of " + now);
            }
            Optional<RaftPeer> taken = next.stream()
                    .filter(voter -> voter.getId().equals(added.getId())
                            || voter.getAddress().equals(added.getAddress()))
                    .findFirst();
            if (taken.isPresent()) {
                return told(
                        "voter " + taken.get().getId() + " at " + taken.get().getAddress()
                                + " votes already; the new one needs an id and an address of its own");
            }
            next.add(added);
            return set(now, next);
        } catch (IOException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    /** Raft compares ids only. */
    private static boolean isSame(RaftPeer one, RaftPeer other) {
        return one.getId().equals(other.getId()) && one.getAddress().equals(other.getAddress());
    }

    private CompletableFuture<Optional<String>> set(List<RaftPeer> now, List<RaftPeer> next) throws IOException {
        SetConfigurationRequest request = new SetConfigurationRequest(
                client,
                raft.server().getId(),
                raft.group(),
                calls.incrementAndGet(),
                SetConfigurationRequest.Arguments.newBuilder()
                        .setServersInCurrentConf(now)
                        .setServersInNewConf(next)
                        .setMode(SetConfigurationRequest.Mode.COMPARE_AND_SET)
                        .build());
        return raft.server().setConfigurationAsync(request).thenCompose(reply -> {
            if (reply.isSuccess()) {
                return CompletableFuture.completedFuture(Optional.empty());
            }
            RaftException exception = reply.getException();
            return exception instanceof SetConfigurationException
                    ? told(String.valueOf(exception.getMessage()))
                    : CompletableFuture.failedFuture(exception);
        });
    }

    private static CompletableFuture<Optional<String>> told(String why) {
        return CompletableFuture.completedFuture(Optional.of(why));
    }
}
