package dev.signet.servers;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * An authority that one server has for itself, and the certificates that it gave that server and its clients. Files in the server's
 * folder.
 */
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
            [client]
            basicConstraints = critical, CA:FALSE
            extendedKeyUsage = clientAuth, serverAuth
            """;

    static Certificates in(Path folder) {
        return new Certificates(
                folder.resolve("authority.crt"), folder.resolve("server.crt"), folder.resolve("server.key"));
    }

    /** Valid for two days. */
    void make(Server server) {
        Path profiles = server.write("openssl.conf", PROFILES);
        server.run(request(profiles, "authority", "authority of a test", authorityKey(server), authority), Map.of());
        sign(server, request(profiles, "server", "server of a test", key, certificate));
    }

    /** Another certificate of the same authority, of a client. */
    Certificates ofClient(Server server, String name) {
        Certificates client = new Certificates(
                authority, server.folder.resolve(name + ".client.crt"), server.folder.resolve(name + ".client.key"));
        sign(
                server,
                request(server.folder.resolve("openssl.conf"), "client", name, client.key(), client.certificate()));
        return client;
    }

    private static Path authorityKey(Server server) {
        return server.folder.resolve("authority.key");
    }

    private void sign(Server server, List<String> request) {
        List<String> signed = new ArrayList<>(request);
        signed.addAll(List.of(
                "-CA", authority.toString(), "-CAkey", authorityKey(server).toString()));
        server.run(signed, Map.of());
    }

    /** @throws IllegalStateException if that server has none */
    Path ofServer(Transport transport) {
        if (transport != Transport.TLS) {
            throw new IllegalStateException("this server is without TLS");
        }
        return authority;
    }

    private static List<String> request(
            Path profiles, String profile, String subject, Path newKey, Path newCertificate) {
        return List.of(
                Programs.find("openssl", "openssl", List.of()),
                "req",
                "-x509",
                "-config",
                profiles.toString(),
                "-extensions",
                profile,
                "-subj",
                "/CN=" + subject,
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
