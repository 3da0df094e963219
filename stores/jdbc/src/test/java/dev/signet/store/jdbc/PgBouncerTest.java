package dev.signet.store.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.signet.Namespace;
import dev.signet.Role;
import dev.signet.servers.PgBouncer;
import dev.signet.servers.Servers;
import dev.signet.store.Grant;
import dev.signet.store.StoreRefusal.Kind;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A pooler between store and server: refused where it gives each transaction another connection, and only there. */
@Tag("process")
class PgBouncerTest {

    @Test
    void inTransactionModeItIsRefused() {
        String url = Product.POSTGRESQL.newStore();
        try (PgBouncer pooler = PgBouncer.before(Servers.postgres(), PgBouncer.Mode.TRANSACTION)) {
            DriverDataSource through = DriverDataSource.of(pooler.jdbcUrl(Product.nameOfDatabase(url)));

            Verdicts.of(through).areRefusals(Kind.UNSUITABLE_PLACE, "pooler", "transaction mode", "session mode");
            Verdicts.refused(
                    Kind.UNSUITABLE_PLACE, () -> JdbcStore.id(through, Verdicts.OPTIONS), "pooler", "transaction mode");
            // whoever has its connections next finds nothing of ours
            assertThat(Product.rows(pooler.jdbcUrl(Product.nameOfDatabase(url)), "SHOW statement_timeout"))
                    .containsExactly("0");
        }
    }

    @Test
    void inSessionModeItIsAsGoodAsTheServer() {
        String url = Product.POSTGRESQL.newStore();
        Role role = Role.of("ledger");
        try (PgBouncer pooler = PgBouncer.before(Servers.postgres(), PgBouncer.Mode.SESSION);
                JdbcStore store = JdbcStore.open(
                        DriverDataSource.of(pooler.jdbcUrl(Product.nameOfDatabase(url))),
                        Namespace.DEFAULT,
                        Verdicts.OPTIONS.withPollInterval(Duration.ofMinutes(1)));
                JdbcStore direct = JdbcStore.open(DriverDataSource.of(url), Namespace.DEFAULT, Verdicts.OPTIONS)) {
            Seen seen = Seen.by(store, role);
            seen.awaitVersion(0);
            Grant grant = new Ask(direct).open(Duration.ofSeconds(30)).acquire(role);

            // told by the server, long before the poll
            seen.awaitVersion(grant.version());
            assertThat(new Ask(store).open(Duration.ofSeconds(30)).tryAcquire(role))
                    .isEmpty();
        }
    }
}
