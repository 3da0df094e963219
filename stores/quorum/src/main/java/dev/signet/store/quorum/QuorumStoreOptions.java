package dev.signet.store.quorum;

import dev.signet.store.quorum.wire.Address;
import dev.signet.store.quorum.wire.Tls;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Which quorum, and how it is reached. Immutable.
 *
 * @param voters all of them; one would do to find the others, but not while that one is away
 * @param tls empty for none
 */
public record QuorumStoreOptions(List<Address> voters, Optional<Tls> tls) {

    public QuorumStoreOptions {
        voters = List.copyOf(voters);
        if (voters.isEmpty()) {
            throw new IllegalArgumentException("no voters; list them as host:port,host:port,host:port");
        }
        if (voters.stream().distinct().count() < voters.size()) {
            throw new IllegalArgumentException("a voter is listed twice: " + voters);
        }
    }

    /** @param voters as {@code host:port} */
    public static QuorumStoreOptions of(String... voters) {
        return new QuorumStoreOptions(Stream.of(voters).map(Address::parse).toList(), Optional.empty());
    }

    public QuorumStoreOptions withTls(Tls now) {
        return new QuorumStoreOptions(voters, Optional.of(now));
    }
}
