package dev.signet.store.etcd;

import static org.assertj.core.api.Assertions.assertThat;

import dev.signet.Answer;
import dev.signet.Namespace;
import dev.signet.Role;
import dev.signet.StoreException;
import dev.signet.store.StoreRefusal;
import java.net.URI;
import java.time.Duration;

/** The first request of a JVM loads half of gRPC, for which a busy machine takes longer than a test waits. Makes the store, too. */
final class Warm {

    private static final int MOST_TRIES = 20;

    private Warm() {}

    static void up(String endpoint) {
        EtcdStoreOptions options = EtcdStoreOptions.of(URI.create(endpoint));
        makeStore(options);
        try (EtcdStore store = EtcdStore.open(options, Namespace.DEFAULT)) {
            assertThat(store.read(Role.of("first"), Duration.ofSeconds(60))
                            .toCompletableFuture()
                            .join())
                    .isInstanceOf(Answer.Done.class);
        }
    }

    private static void makeStore(EtcdStoreOptions options) {
        for (int tries = 1; ; tries++) {
            try {
                EtcdStore.init(options);
                return;
            } catch (StoreException e) {
                if (e.kind() != StoreRefusal.Kind.UNREACHABLE || tries == MOST_TRIES) {
                    throw e;
                }
            }
        }
    }
}
