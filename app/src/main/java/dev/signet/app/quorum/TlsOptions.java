package dev.signet.app.quorum;

import dev.signet.app.cli.Option;
import dev.signet.app.cli.Options;
import dev.signet.store.quorum.wire.Tls;
import java.nio.file.Path;
import java.util.Optional;

/** {@code --tls-…}: whom a voter believes, and who it is. */
final class TlsOptions {

    private TlsOptions() {}

    /** Empty if none of them is given. */
    static Option<Optional<Tls>> in(Options options) {
        Option<Optional<Path>> authority = file(
                options,
                "--tls-authority",
                "Certificates in PEM of whom to believe. With TLS all voters have it, and these three are given.");
        Option<Optional<Path>> certificate = file(
                options,
                "--tls-certificate",
                "This voter's certificate in PEM, for the host in --voters, and for both serverAuth and clientAuth.");
        Option<Optional<Path>> key = file(options, "--tls-key", "Its key in PKCS#8, without a password.");
        Option<Boolean> mutual = options.flag(
                "--tls-mutual",
                "Refuse whoever has no certificate of that authority. Raft's own requests then take one for serverAuth.");
        return options.combined(() -> tls(
                authority.value(),
                certificate.value(),
                key.value(),
                mutual.value().booleanValue()));
    }

    private static Option<Optional<Path>> file(Options options, String name, String description) {
        return options.optional(name, "FILE", options.surroundings()::path, description);
    }

    private static Optional<Tls> tls(
            Optional<Path> authority, Optional<Path> certificate, Optional<Path> key, boolean mutual) {
        if (authority.isPresent() && certificate.isPresent() && key.isPresent()) {
            return Optional.of(
                    new Tls(authority.get(), Optional.of(new Tls.Identity(certificate.get(), key.get())), mutual));
        }
        if (authority.isPresent() || certificate.isPresent() || key.isPresent() || mutual) {
            throw new IllegalArgumentException("TLS takes --tls-authority, --tls-certificate and --tls-key, all three");
        }
        return Optional.empty();
    }
}
