package dev.signet.store.etcd;

import java.net.URI;
import java.util.List;

/**
 * Where an {@link EtcdStore} lies. Immutable.
 *
 * @param members where clients of the cluster connect, such as {@code http://etcd-1:2379}; one suffices, all are better: when one
 *     does not answer, the next is asked
 * @param prefix of all keys. Whoever shares a prefix shares a store
 */
public record EtcdStoreOptions(List<URI> members, String prefix) {

    public static final String DEFAULT_PREFIX = "signet";

    private static final int DEFAULT_PORT = 2379;

    /** @throws IllegalArgumentException if there is no member, one has no host, or the prefix is empty or ends with a slash */
    public EtcdStoreOptions {
        members = List.copyOf(members);
        if (members.isEmpty()) {
            throw new IllegalArgumentException(
                    "a store in etcd needs the address of a member, such as http://etcd-1:2379");
        }
        for (URI member : members) {
            if (member.getHost() == null || !"http".equals(member.getScheme())) {
                throw new IllegalArgumentException(
                        "'" + member + "' is no address of a member, such as http://etcd-1:2379");
            }
        }
        if (prefix.isEmpty() || prefix.endsWith("/")) {
            throw new IllegalArgumentException("prefix '" + prefix + "' is empty or ends with a slash");
        }
    }

    public static EtcdStoreOptions of(URI... members) {
        return new EtcdStoreOptions(List.of(members), DEFAULT_PREFIX);
    }

    public EtcdStoreOptions withPrefix(String other) {
        return new EtcdStoreOptions(members, other);
    }

    static int port(URI member) {
        return member.getPort() < 0 ? DEFAULT_PORT : member.getPort();
    }
}
