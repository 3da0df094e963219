package dev.signet.store.quorum;

import dev.signet.store.quorum.wire.Tls;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** An authority of a test, and the certificates that it gives. Valid for two days. */
final class Authority {

    private final Path folder;
    private final Path profiles;

    /** @param folder that is there already and has nothing of another authority in it */
    Authority(Path folder) throws IOException, InterruptedException {
        this.folder = folder;
        profiles = Files.writeString(folder.resolve("openssl.conf"), """
                [req]
                distinguished_name = name
                [name]
                [authority]
                basicConstraints = critical, CA:TRUE
                [voter]
                basicConstraints = critical, CA:FALSE
                extendedKeyUsage = serverAuth, clientAuth
                subjectAltName = IP:127.0.0.1, DNS:localhost
                [candidate]
                basicConstraints = critical, CA:FALSE
                extendedKeyUsage = clientAuth
                """);
        make("authority", List.of());
    }

    Path certificate() {
        return folder.resolve("authority.crt");
    }

    /** Who believes this authority, and is nobody. */
    Tls stranger() {
        return new Tls(certificate(), Optional.empty(), false);
    }

    Tls voter() throws IOException, InterruptedException {
        return signed("voter");
    }

    Tls candidate() throws IOException, InterruptedException {
        return signed("candidate");
    }

    private Tls signed(String profile) throws IOException, InterruptedException {
        if (!Files.exists(folder.resolve(profile + ".crt"))) {
            make(
                    profile,
                    List.of(
                            "-CA",
                            certificate().toString(),
                            "-CAkey",
                            folder.resolve("authority.key").toString()));
        }
        Tls.Identity identity = new Tls.Identity(folder.resolve(profile + ".crt"), folder.resolve(profile + ".key"));
        return new Tls(certificate(), Optional.of(identity), true);
    }

    private void make(String profile, List<String> signedBy) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(
                "openssl",
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
                folder.resolve(profile + ".key").toString(),
                "-out",
                folder.resolve(profile + ".crt").toString()));
        command.addAll(signedBy);
        Process openssl = new ProcessBuilder(command).redirectErrorStream(true).start();
        String said = new String(openssl.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (openssl.waitFor() != 0) {
            throw new IOException("openssl: " + said);
        }
    }
}
