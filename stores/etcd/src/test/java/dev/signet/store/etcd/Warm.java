package dev.signet.store.etcd;

import static org.assertj.core.api.Assertions.assertThat;

import dev.signet.Answer;
import dev.signet.Namespace;
import dev.signet.Role;
import java.net.URI;
import java.time.Duration;

/** The first request of a JVM loads half of gRPC, for which a busy machine takes longer than a test waits. */
final class Warm {

    private Warm() {}

    static void up(String endpoint) {
        try (EtcdStore store = EtcdStore.open(EtcdStoreOptions.of(URI.create(endpoint)), Namespace.DEFAULT)) {
            assertThat(store.read(Role.of("first"), Duration.ofSeconds(60))
                            .toCompletableFuture()
                            .join())
                    .isInstanceOf(Answer.Done.class);
        }
    }
}
