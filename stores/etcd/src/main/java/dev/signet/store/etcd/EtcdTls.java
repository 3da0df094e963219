package dev.signet.store.etcd;

import java.nio.file.Path;
import java.util.Optional;

/**
 * How members of a cluster prove who they are, and how this program does. The files are in PEM, and read when the store is opened:
 * whoever replaces them opens it anew. Immutable.
 *
 * @param authority of the members' certificates; empty for those that Java trusts
 * @param certificate of this program, for a cluster that asks for one
 * @param key of that certificate, in PKCS#8 without a password
 */
public record EtcdTls(Optional<Path> authority, Optional<Path> certificate, Optional<Path> key) {

    /** @throws IllegalArgumentException if there is a certificate without a key, or a key without a certificate */
    public EtcdTls {
        if (certificate.isPresent() != key.isPresent()) {
            throw new IllegalArgumentException("a certificate and its key go together; there is only the "
                    + (key.isPresent() ? "key" : "certificate"));
        }
    }

    /** Trusts whom Java trusts, and shows no certificate. */
    public static EtcdTls defaults() {
        return new EtcdTls(Optional.empty(), Optional.empty(), Optional.empty());
    }

    /** Trusts those alone whose certificates are of this authority. */
    public EtcdTls withAuthority(Path file) {
        return new EtcdTls(Optional.of(file), certificate, key);
    }

    public EtcdTls withCertificate(Path file, Path itsKey) {
        return new EtcdTls(authority, Optional.of(file), Optional.of(itsKey));
    }
}
