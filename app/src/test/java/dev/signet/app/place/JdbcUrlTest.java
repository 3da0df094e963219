package dev.signet.app.place;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class JdbcUrlTest {

    @ParameterizedTest
    @ValueSource(
            strings = {
                "postgresql://db/signet",
                "postgresql://db.example:5433/signet?user=ada&sslmode=verify-full",
                "postgresql://[::1]:5432/signet",
                "postgresql://one:1,two/signet?targetServerType=primary",
                "mariadb://127.0.0.1/signet?sslMode=verify-full",
                "mariadb://db/signet?sessionVariables=a=1",
            })
    void withoutSecretsItStaysAsItIs(String rest) {
        assertThat(JdbcUrl.of(rest, JdbcUrl.Use.STORE)).isEqualTo(new JdbcUrl("jdbc:" + rest, Map.of()));
    }

    @Test
    void secretsAreTakenOutAsTheDriverOfTheProductReadsThem() {
        assertThat(JdbcUrl.of("postgresql://db/x?password=a%26b%20c&user=ada&sslpassword=d", JdbcUrl.Use.STORE))
                .isEqualTo(new JdbcUrl(
                        "jdbc:postgresql://db/x?user=ada", Map.of("password", "a&b c", "sslpassword", "d")));
        assertThat(JdbcUrl.of("mariadb://db/x?Password=a%26b&keyStorePassword=c", JdbcUrl.Use.STORE))
                .isEqualTo(new JdbcUrl("jdbc:mariadb://db/x", Map.of("password", "a%26b", "keyStorePassword", "c")));
        assertThat(JdbcUrl.of("postgresql://db/x?password=geheim", JdbcUrl.Use.STORE)
                        .toString())
                .doesNotContain("geheim");
    }

    @Test
    void noFaultTellsASecret() {
        for (String rest : new String[] {
            "postgresql://db/x?password=ge%zzheim", "postgresql://db:0/x?password=geheim", "mariadb://u:geheim@db/x"
        }) {
            assertThatThrownBy(() -> JdbcUrl.of(rest, JdbcUrl.Use.STORE))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageNotContaining("heim");
        }
    }

    @Test
    void anotherUserTakesThePlaceOfTheOneInIt() {
        assertThat(JdbcUrl.of("postgresql://db/x?user=ada&ssl=true&password=p", JdbcUrl.Use.STORE)
                        .withoutUser())
                .isEqualTo(new JdbcUrl("jdbc:postgresql://db/x?ssl=true", Map.of("password", "p")));
        assertThat(JdbcUrl.of("mariadb://db/x?user=ada", JdbcUrl.Use.STORE)
                        .withoutUser()
                        .shown())
                .isEqualTo("jdbc:mariadb://db/x");
    }
}
