package dev.signet.servers;

import java.time.Duration;

/**
 * How an etcd is set up.
 *
 * @param transport of clients
 * @param asksForCertificates whether clients show one of this server's authority; with TLS only
 * @param tokensLast how long a user's token is known that nobody uses; whole seconds
 * @param forcesWrites whether it forces to the disk what it acknowledges, as it does where it is in earnest. Tests end none of its
 *     machines, and do without
 */
public record EtcdOptions(Transport transport, boolean asksForCertificates, Duration tokensLast, boolean forcesWrites) {

    public static EtcdOptions defaults() {
        return new EtcdOptions(Transport.PLAIN, false, Duration.ofMinutes(5), false);
    }

    public EtcdOptions withTransport(Transport other) {
        return new EtcdOptions(other, asksForCertificates, tokensLast, forcesWrites);
    }

    public EtcdOptions askingForCertificates() {
        return new EtcdOptions(transport, true, tokensLast, forcesWrites);
    }

    public EtcdOptions withTokensThatLast(Duration other) {
        return new EtcdOptions(transport, asksForCertificates, other, forcesWrites);
    }

    public EtcdOptions forcingWrites() {
        return new EtcdOptions(transport, asksForCertificates, tokensLast, true);
    }
}
