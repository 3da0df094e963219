package dev.signet.store.quorum.voter;

import dev.signet.store.quorum.wire.Address;
import dev.signet.store.quorum.wire.Introduction;
import dev.signet.store.quorum.wire.Peek;
import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/**
 * Whether a voter may start here: with this list of voters, in this folder, beside those that run already. What it cannot ask, since a
 * voter does not answer, it cannot refuse; but whoever has not begun yet does not {@linkplain FirstStart begin} before it could.
 */
final class Preflight {

    private static final Duration ASK = Duration.ofSeconds(2);

    static final String REMEDY = "A voter whose data are lost comes back under another id: start it with --id NEW"
            + " --join in an empty folder, and have it take the place of the old one with signet quorum replace";

    private final VoterOptions options;
    private final DataFolder folder;
    private final Peers peers;

    Preflight(VoterOptions options, DataFolder folder, Peers peers) {
        this.options = options;
        this.folder = folder;
        this.peers = peers;
    }

    /** Whose the folder is from now on. */
    Owner owner() throws VoterException {
        requirePort(options.own());
        Map<String, Introduction> others = peers.introductions(options.others(), ASK);
        for (Map.Entry<String, Introduction> other : others.entrySet()) {
            requireVoter(options, other.getKey(), other.getValue().self());
        }
        Optional<Owner> before = folder.owner();
        Owner owner = before.filter(this::isOfUse).isPresent() ? returning(before.get()) : beginning(others);
        if (!owner.begun() && !folder.hasLog()) {
            owner = Meeting.of(options, owner).hear(others).owner();
        }
        for (Map.Entry<String, Introduction> other : others.entrySet()) {
            if (other.getValue().begun() || !owner.begun()) {
                requireGroup(
                        options, owner.group(), other.getKey(), other.getValue().self());
            }
        }
        if (before.isEmpty() || !owner.equals(before.get())) {
            folder.belongTo(owner);
        }
        return owner;
    }

    /** Of a voter that was given another list before it had begun, nothing is to be kept: it never had a part in anything. */
    private boolean isOfUse(Owner before) {
        if (before.begun() || folder.hasLog() || !before.voter().equals(options.id())) {
            return true;
        }
        return !options.join() && before.group().equals(Owner.group(options));
    }

    private Owner returning(Owner owner) throws VoterException {
        if (!owner.voter().equals(options.id())) {
            throw new VoterException("the folder " + options.data() + " is that of voter " + owner.voter() + ", not of "
                    + options.id() + ": a voter has a folder of its own");
        }
        if (owner.begun() && !folder.hasLog(owner.group())) {
            throw new VoterException(
                    "the folder " + options.data() + " has no log: it was lost, or never begun. " + REMEDY);
        }
        return owner;
    }

    private Owner beginning(Map<String, Introduction> others) throws VoterException {
        if (folder.hasLog()) {
            throw new VoterException("the folder " + options.data() + " has a log, and nothing says whose");
        }
        return options.join() ? joining(others) : Owner.fresh(options);
    }

    private Owner joining(Map<String, Introduction> others) throws VoterException {
        if (others.values().stream().anyMatch(other -> other.self().voters().contains(options.id()))) {
            throw new VoterException("the others know a voter " + options.id() + " that votes already. " + REMEDY);
        }
        UUID group = others.values().stream()
                .map(Introduction::self)
                .filter(other -> other.storeId().isPresent())
                .findFirst()
                .map(Peek::group)
                .orElseThrow(() -> new VoterException("no voter of " + options.list()
                        + " answered that has a store: whoever joins needs the others to run"));
        return Owner.joining(options.id(), group);
    }

    static void requireVoter(VoterOptions options, String id, Peek answer) throws VoterException {
        if (!id.equals(answer.voter())) {
            throw new VoterException("at " + options.voters().get(id) + " is voter " + answer.voter() + ", not " + id
                    + ": give every voter the same list");
        }
    }

    static void requireGroup(VoterOptions options, UUID group, String id, Peek answer) throws VoterException {
        if (!answer.group().equals(group)) {
            throw new VoterException("voter " + id + " at " + options.voters().get(id)
                    + " is of another quorum, or was given another list of voters than this one: " + options.list());
        }
    }

    /** Raft would end the process. */
    private static void requirePort(Address own) throws VoterException {
        try (ServerSocket socket = new ServerSocket()) {
            socket.setReuseAddress(true);
            socket.bind(new InetSocketAddress(InetAddress.getByName(own.host()), own.port()));
        } catch (BindException e) {
            throw new VoterException("cannot listen at " + own + ": " + e.getMessage()
                    + "; another process has the port, or the address is not of this machine");
        } catch (IOException e) {
            throw new VoterException("cannot listen at " + own + ": " + e);
        }
    }
}
