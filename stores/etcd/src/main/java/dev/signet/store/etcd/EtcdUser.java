package dev.signet.store.etcd;

import java.util.function.Supplier;

/**
 * As whom etcd is used, where it asks. Its text does not show the password.
 *
 * @param password asked for each time that etcd wants to know, on a thread of its own; so it may be changed while a leader runs
 */
public record EtcdUser(String name, Supplier<String> password) {

    /** @throws IllegalArgumentException if the name is empty */
    public EtcdUser {
        if (name.isEmpty()) {
            throw new IllegalArgumentException("a user of etcd has a name");
        }
    }

    @Override
    public String toString() {
        return name;
    }
}
