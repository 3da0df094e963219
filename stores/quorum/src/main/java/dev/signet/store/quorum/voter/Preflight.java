package dev.signet.store.quorum.voter;

import dev.signet.store.quorum.wire.Address;
import dev.signet.store.quorum.wire.Peek;
import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Comparator;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;

/**
 * Whether a voter may start here: with this list of voters, in this folder, beside those that run already. What it cannot ask, since a
 * voter does not answer, it cannot refuse.
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

    /** The quorum that this voter is of. */
    UUID group() throws VoterException {
        requirePort(options.own());
        Map<String, Peek> others = others();
        for (Map.Entry<String, Peek> other : others.entrySet()) {
            if (!other.getKey().equals(other.getValue().voter())) {
                throw new VoterException("at " + options.voters().get(other.getKey()) + " is voter "
                        + other.getValue().voter() + ", not " + other.getKey() + ": give every voter the same list");
            }
        }
        Optional<DataFolder.Owner> owner = folder.owner();
        UUID group = owner.isPresent() ? returning(owner.get()) : beginning(others);
        for (Map.Entry<String, Peek> other : others.entrySet()) {
            if (!other.getValue().group().equals(group)) {
                throw new VoterException("voter " + other.getKey() + " at "
                        + options.voters().get(other.getKey())
                        + " is of another quorum, or was given another list of voters than this one: " + text());
            }
        }
        if (owner.isEmpty()) {
            folder.belongTo(new DataFolder.Owner(options.id(), group));
        }
        return group;
    }

    private UUID returning(DataFolder.Owner owner) throws VoterException {
        if (!owner.voter().equals(options.id())) {
            throw new VoterException("the folder " + options.data() + " is that of voter " + owner.voter() + ", not of "
                    + options.id() + ": a voter has a folder of its own");
        }
        if (!folder.hasLog()) {
            throw new VoterException(
                    "the folder " + options.data() + " has no log: it was lost, or never begun. " + REMEDY);
        }
        return owner.group();
    }

    /**
     * A voter that lost its disk has forgotten for whom it voted and what it said it has. Under its old id it would be taken at its
     * word still, and could help to elect a leader that lacks what it had confirmed; so it comes back as another.
     */
    private UUID beginning(Map<String, Peek> others) throws VoterException {
        if (folder.hasLog()) {
            throw new VoterException("the folder " + options.data() + " has a log, and nothing says whose");
        }
        Optional<Peek> founded = others.values().stream()
                .filter(peek -> peek.storeId().isPresent())
                .findFirst();
        if (founded.isPresent() && !options.join()) {
            throw new VoterException("the others have a store already, "
                    + founded.get().storeId().get() + ", and the folder " + options.data() + " is empty. " + REMEDY);
        }
        if (!options.join()) {
            return UUID.nameUUIDFromBytes(("signet quorum " + text()).getBytes(StandardCharsets.UTF_8));
        }
        if (others.values().stream().anyMatch(peek -> peek.voters().contains(options.id()))) {
            throw new VoterException("the others know a voter " + options.id() + " that votes already. " + REMEDY);
        }
        return founded.map(Peek::group)
                .orElseThrow(() -> new VoterException(
                        "no voter of " + text() + " answered that has a store: whoever joins needs the others to run"));
    }

    private String text() {
        return options.voters().entrySet().stream()
                .map(voter -> voter.getKey() + "=" + voter.getValue())
                .sorted(Comparator.naturalOrder())
                .collect(Collectors.joining(","));
    }

    private Map<String, Peek> others() {
        Map<String, CompletableFuture<Peek>> asked = new TreeMap<>();
        options.voters().forEach((id, address) -> {
            if (!id.equals(options.id())) {
                asked.put(id, peers.peek(address, ASK));
            }
        });
        Map<String, Peek> answers = new TreeMap<>();
        asked.forEach((id, answer) -> {
            var unused = answer.handle((peek, fault) -> peek == null ? null : answers.put(id, peek))
                    .join();
        });
        return answers;
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
