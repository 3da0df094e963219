package dev.signet.store.quorum.wire;

import java.nio.file.Path;
import java.util.Optional;
import javax.net.ssl.SSLException;
import org.apache.ratis.thirdparty.io.grpc.netty.GrpcSslContexts;
import org.apache.ratis.thirdparty.io.netty.handler.ssl.SslContext;
import org.apache.ratis.thirdparty.io.netty.handler.ssl.SslContextBuilder;

/**
 * Who is believed, and who this side is, as files in PEM. Immutable.
 *
 * @param authority whose certificates are believed
 * @param identity of this side; a voter needs one
 * @param mutual whether a voter refuses whoever has no certificate of that authority
 */
public record Tls(Path authority, Optional<Identity> identity, boolean mutual) {

    /** @param key in PKCS#8, without a password */
    public record Identity(Path certificate, Path key) {}

    public Tls {
        if (mutual && identity.isEmpty()) {
            throw new IllegalArgumentException("mutual TLS needs a certificate and a key of one's own");
        }
    }

    /**
     * As one who calls.
     *
     * @throws SSLException if a file is not there, or not what it should be; it names them
     */
    public SslContext forClient() throws SSLException {
        try {
            SslContextBuilder builder = GrpcSslContexts.forClient().trustManager(authority.toFile());
            identity.ifPresent(own ->
                    builder.keyManager(own.certificate().toFile(), own.key().toFile()));
            return builder.build();
        } catch (IllegalArgumentException e) {
            Throwable cause = e.getCause() == null ? e : e.getCause();
            throw new SSLException(
                    cause.getMessage() + "; check " + authority
                            + identity.map(own -> ", " + own.certificate() + " and " + own.key())
                                    .orElse(""),
                    e);
        }
    }
}
