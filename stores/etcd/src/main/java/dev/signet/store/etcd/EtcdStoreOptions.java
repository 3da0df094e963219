package dev.signet.store.etcd;

import java.net.URI;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Where an {@link EtcdStore} lies. Immutable.
 *
 * @param members where clients of the cluster connect, such as {@code https://etcd-1:2379}; one suffices, all are better: when one
 *     does not answer, the next is asked. All of them by {@code https}, or none
 * @param prefix of all keys. Whoever shares a prefix shares a store
 * @param tls for members by {@code https}, and for no others
 * @param user empty for a cluster that asks for none, or tells by the certificate who comes
 * @param name of the store, for people; good to be given to {@code signet --store}
 */
public record EtcdStoreOptions(
        List<URI> members, String prefix, Optional<EtcdTls> tls, Optional<EtcdUser> user, String name) {

    public static final String DEFAULT_PREFIX = "signet";

    private static final int DEFAULT_PORT = 2379;

    /**
     * @throws IllegalArgumentException if there is no member, one has no host, TLS is for some of them only, or the prefix is empty
     *     or ends with a slash
     */
    public EtcdStoreOptions {
        members = List.copyOf(members);
        if (members.isEmpty()) {
            throw new IllegalArgumentException(
                    "a store in etcd needs the address of a member, such as https://etcd-1:2379");
        }
        for (URI member : members) {
            if (member.getHost() == null || !(isSecure(member) || "http".equals(member.getScheme()))) {
                throw new IllegalArgumentException(
                        "'" + member + "' is no address of a member, such as https://etcd-1:2379");
            }
            if (isSecure(member) != tls.isPresent()) {
                throw new IllegalArgumentException("'" + member + "' is to be used "
                        + (tls.isPresent() ? "with TLS: write https" : "without TLS, and says https"));
            }
        }
        if (prefix.isEmpty() || prefix.endsWith("/")) {
            throw new IllegalArgumentException("prefix '" + prefix + "' is empty or ends with a slash");
        }
    }

    /** With TLS if they say {@code https}. */
    public static EtcdStoreOptions of(URI... members) {
        List<URI> all = List.of(members);
        Optional<EtcdTls> tls =
                all.stream().anyMatch(EtcdStoreOptions::isSecure) ? Optional.of(EtcdTls.defaults()) : Optional.empty();
        return new EtcdStoreOptions(all, DEFAULT_PREFIX, tls, Optional.empty(), name(all, DEFAULT_PREFIX));
    }

    private static boolean isSecure(URI member) {
        return "https".equals(member.getScheme());
    }

    private static String name(List<URI> members, String prefix) {
        String scheme = members.stream().anyMatch(EtcdStoreOptions::isSecure) ? "etcds" : "etcd";
        return members.stream()
                .map(member -> member.getHost() + ":" + port(member))
                .collect(Collectors.joining(",", scheme + "://", "/" + prefix));
    }

    /** Names it anew, too. */
    public EtcdStoreOptions withPrefix(String other) {
        return new EtcdStoreOptions(members, other, tls, user, name(members, other));
    }

    /** @throws IllegalArgumentException if its members do not say {@code https} */
    public EtcdStoreOptions withTls(EtcdTls other) {
        return new EtcdStoreOptions(members, prefix, Optional.of(other), user, name);
    }

    public EtcdStoreOptions withUser(EtcdUser other) {
        return new EtcdStoreOptions(members, prefix, tls, Optional.of(other), name);
    }

    public EtcdStoreOptions withName(String other) {
        return new EtcdStoreOptions(members, prefix, tls, user, other);
    }

    static int port(URI member) {
        return member.getPort() < 0 ? DEFAULT_PORT : member.getPort();
    }
}
