package dev.signet.store.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.signet.store.StoreRefusal.Kind;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Addresses as people write them, of servers that nobody has to run. */
class DriverDataSourceTest {

    private static final String SECRETS = "?user=ada&password=geheim";

    @ParameterizedTest
    @ValueSource(
            strings = {
                "jdbc:nosuch://db.example.org/signet",
                "jdbc:mysql://db.example.org/signet",
                "postgres://db.example.org/signet",
                "jdbc:postgresql://db.example.org:port/signet",
                "jdbc:postgresql:/signet",
                "jdbc:mariadb:signet",
                "jdbc:mariadb://db.example.org:port/signet"
            })
    void whatNoDriverUnderstandsIsRefusedWithoutItsSecrets(String url) {
        DriverDataSource written = DriverDataSource.of(url + SECRETS);

        assertThat(Verdicts.refused(Kind.UNSUITABLE_PLACE, () -> JdbcStore.id(written), "the address " + url))
                .hasMessageNotContaining("geheim")
                .hasNoCause();
        Verdicts.refused(Kind.UNSUITABLE_PLACE, () -> JdbcStore.init(written), url);
        Verdicts.of(written).areRefusedAddresses(url);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "jdbc:mariadb://127.0.0.1:1/x?socketTimeout=soon",
                "jdbc:mariadb://127.0.0.1:1/x?sslMode=bogus",
                "jdbc:postgresql://127.0.0.1:1/x?sslmode=bogus",
                "jdbc:postgresql://127.0.0.1:1/x?targetServerType=boss"
            })
    void parametersThatAreNoneAreNamed(String url) {
        Verdicts.refused(
                Kind.UNSUITABLE_PLACE,
                () -> JdbcStore.id(DriverDataSource.of(url)),
                url.replaceFirst("[?].*", ""),
                url.replaceFirst(".*=", ""));
    }

    @Test
    void whoIsAwayIsNotBlamedOnTheAddress() {
        Verdicts.refused(
                Kind.UNREACHABLE,
                () -> JdbcStore.id(DriverDataSource.of("jdbc:postgresql://127.0.0.1:1/x?sslmode=Verify-Full")),
                "refused");
    }

    @Test
    void itsTextHasNoSecrets() {
        assertThat(DriverDataSource.of("jdbc:postgresql://ada:geheim@db.example.org/signet" + SECRETS))
                .hasToString("jdbc:postgresql://db.example.org/signet");
    }
}
