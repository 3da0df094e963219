package dev.signet.store.etcd;

import java.net.URI;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Where an {@link EtcdStore} lies. Immutable.
 *
 * @param members where clients of the cluster connect, such as {@code http://etcd-1:2379}; one suffices, all are better: when one
 *     does not answer, the next is asked
 * @param prefix of all keys. Whoever shares a prefix shares a store
 * @param name of the store, for people; good to be given to {@code signet --store}
 */
public record EtcdStoreOptions(List<URI> members, String prefix, String name) {

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
        return of(List.of(members), DEFAULT_PREFIX);
    }

    private static EtcdStoreOptions of(List<URI> members, String prefix) {
        String hosts = members.stream()
                .map(member -> member.getHost() + ":" + port(member))
                .collect(Collectors.joining(","));
        return new EtcdStoreOptions(members, prefix, "etcd://" + hosts + "/" + prefix);
    }

    /** Names it anew, too. */
    public EtcdStoreOptions withPrefix(String other) {
        return of(members, other);
    }

    public EtcdStoreOptions withName(String other) {
        return new EtcdStoreOptions(members, prefix, other);
    }

    static int port(URI member) {
        return member.getPort() < 0 ? DEFAULT_PORT : member.getPort();
    }
}
