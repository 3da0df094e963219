package dev.signet.servers;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** An authority that one server has for itself, and the certificate that it gave that server. Files in the server's folder. */
record Certificates(Path authority, Path certificate, Path key) {

    private static final String PROFILES = """
            [req]
            distinguished_name = name
            [name]
            [authority]
            basicConstraints = critical, CA:TRUE
            [server]
            basicConstraints = critical, CA:FALSE
            extendedKeyUsage = serverAuth
            subjectAltName = IP:127.0.0.1, DNS:localhost
            """;

    static Certificates in(Path folder) {
        return new Certificates(
                folder.resolve("authority.crt"), folder.resolve("server.crt"), folder.resolve("server.key"));
    }

    /** Valid for two days. */
    void make(Server server) {
        Path profiles = server.write("openssl.conf", PROFILES);
        Path authorityKey = server.folder.resolve("authority.key");
        server.run(request(profiles, "authority", authorityKey, authority), Map.of());
        List<String> signed = new ArrayList<>(request(profiles, "server", key, certificate));
        signed.addAll(List.of("-CA", authority.toString(), "-CAkey", authorityKey.toString()));
        server.run(signed, Map.of());
    }

    /** @throws IllegalStateException if that server has none */
    Path ofServer(Transport transport) {
        if (transport != Transport.TLS) {
            throw new IllegalStateException("this server is without TLS");
        }
        return authority;
    }

    private static List<String> request(Path profiles, String profile, Path newKey, Path newCertificate) {
        return List.of(
                Programs.find("openssl", "openssl", List.of()),
                "req",
                "-x509",
                "-config",
                profiles.toString(),
                "-extensions",
                profile,
                "-subj",
                "/CN=" + profile + " of a test",
                "-days",
                "2",
                "-newkey",
                "ec",
                "-pkeyopt",
                "ec_paramgen_curve:P-256",
                "-nodes",
                "-keyout",
                newKey.toString(),
                "-out",
                newCertificate.toString());
    }
}
