package dev.signet.servers;

import java.time.Duration;

/**
 * How an etcd is set up.
 *
 * @param transport of clients
 * @param asksForCertificates whether clients show one of this server's authority; with TLS only
 * @param tokensLast how long a user's token is known that nobody uses; whole seconds
 */
public record EtcdOptions(Transport transport, boolean asksForCertificates, Duration tokensLast) {

    public static EtcdOptions defaults() {
        return new EtcdOptions(Transport.PLAIN, false, Duration.ofMinutes(5));
    }

    public EtcdOptions withTransport(Transport other) {
        return new EtcdOptions(other, asksForCertificates, tokensLast);
    }

    public EtcdOptions askingForCertificates() {
        return new EtcdOptions(transport, true, tokensLast);
    }

    public EtcdOptions withTokensThatLast(Duration other) {
        return new EtcdOptions(transport, asksForCertificates, other);
    }
}
