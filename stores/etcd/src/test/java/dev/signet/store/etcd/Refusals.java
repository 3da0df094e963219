package dev.signet.store.etcd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.signet.Answer;
import dev.signet.Namespace;
import dev.signet.Role;
import dev.signet.StoreException;
import dev.signet.store.SessionId;
import dev.signet.store.StoreRefusal;
import java.time.Duration;

/** What a store is answered that may not be used. */
final class Refusals {

    private static final Duration LONG = Duration.ofSeconds(30);

    private Refusals() {}

    /** By what blocks and by what does not; a heartbeat alone is never told no for such a reason. */
    static void notPermitted(EtcdStoreOptions options, String... told) {
        StoreException refused = catchThrowableOfType(StoreException.class, () -> EtcdStore.init(options));
        assertThat(refused).hasMessageContainingAll(told);
        assertThat(refused.kind()).isEqualTo(StoreRefusal.Kind.NOT_PERMITTED);
        try (EtcdStore store = EtcdStore.open(options, Namespace.DEFAULT)) {
            assertThat(store.read(Role.of("r"), LONG).toCompletableFuture().join())
                    .isInstanceOfSatisfying(
                            Answer.Refused.class,
                            answer -> assertThat(answer.why()).isInstanceOfSatisfying(StoreRefusal.class, why -> {
                                assertThat(why.kind()).isEqualTo(StoreRefusal.Kind.NOT_PERMITTED);
                                assertThat(why.message()).contains(told);
                            }));
            assertThat(store.renew(SessionId.random(), LONG)
                            .toCompletableFuture()
                            .join())
                    .isInstanceOf(Answer.Unknown.class);
        }
    }
}
