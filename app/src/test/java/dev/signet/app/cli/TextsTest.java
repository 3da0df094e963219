package dev.signet.app.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.signet.FenceException;
import dev.signet.ResourceName;
import dev.signet.StoreException;
import dev.signet.store.StoreRefusal;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TextsTest {

    @Test
    void durationsNameTheirUnit() {
        assertThat(Readers.duration("15s")).isEqualTo(Duration.ofSeconds(15));
        assertThat(Readers.duration("500ms")).isEqualTo(Duration.ofMillis(500));
        assertThat(Readers.duration("2m")).isEqualTo(Duration.ofMinutes(2));
        assertThat(Readers.duration("1h")).isEqualTo(Duration.ofHours(1));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "15", "s", "-1s", "1.5s", "15S", "1s ", "9999999999999s", "1d", "PT15S"})
    void anythingElseIsNoDuration(String text) {
        assertThatThrownBy(() -> Readers.duration(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("write 15s");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ' ',
            value = {
                "postgresql://ada:geheim@db/x postgresql://ada:***@db/x",
                "postgresql://ada:ge@he:im@db:5432/x#y postgresql://ada:***@db:5432/x#y",
                "redis://:geheim@cache redis://:***@cache",
                "jdbc:postgresql://db/x?user=ada&password=geheim&ssl=true jdbc:postgresql://db/x?user=ada&password=***&ssl=true",
                "jdbc:postgresql://db/x?password=a,b;c#d/e@f&user=ada jdbc:postgresql://db/x?password=***&user=ada",
                "jdbc:mariadb://db/x?keyStorePassword=geheim&Password=geheim jdbc:mariadb://db/x?keyStorePassword=***&Password=***",
                "jdbc:postgresql://ada:ge/heim@db/x jdbc:postgresql://ada:***@db/x",
                "--store-password=ge,heim --store-password=***",
                "jdbc:sqlserver://db;sslPassword=geheim;x=1 jdbc:sqlserver://db;sslPassword=***;x=1",
                "https://ada@host/path https://ada@host/path",
                "sqlite:ledger.db#ledger sqlite:ledger.db#ledger",
            })
    void passwordsAreNotShown(String text, String shown) {
        assertThat(Redaction.of(text)).isEqualTo(shown);
    }

    @Test
    void passwordsWithinATextAreNotShownEither() {
        assertThat(Redaction.of("cannot reach jdbc:postgresql://db/x?user=ada&password=ge;heim,really (refused)"))
                .isEqualTo("cannot reach jdbc:postgresql://db/x?user=ada&password=*** (refused)");
        assertThat(Redaction.of("jdbc:mariadb://db/x?password=ge heim")).isEqualTo("jdbc:mariadb://db/x?password=***");
    }

    @Test
    void everyFaultBecomesOneLineWithItsExitCode() {
        StoreRefusal refusal = new StoreRefusal(StoreRefusal.Kind.NO_SPACE, "the disk is full;\n  free some");
        ResourceName ledger = ResourceName.of("ledger");

        assertThat(Complaint.about(new StoreException(refusal, null)))
                .isEqualTo(new Complaint(ExitCode.CONFIGURATION, "the disk is full;; free some"));
        assertThat(Complaint.about(
                        new StoreException(new StoreRefusal(StoreRefusal.Kind.UNREACHABLE, "no answer"), null)))
                .isEqualTo(new Complaint(ExitCode.UNAVAILABLE, "no answer"));
        assertThat(Complaint.about(new FenceException(ledger, "no rights", null))
                        .exitCode())
                .isEqualTo(ExitCode.CONFIGURATION);
        assertThat(Complaint.about(new FenceException(ledger, "busy", null, FenceException.Outcome.RETRY)))
                .isEqualTo(new Complaint(ExitCode.UNAVAILABLE, "fence of resource 'ledger': busy; try again"));
        assertThat(Complaint.about(new IllegalArgumentException("no")).exitCode())
                .isEqualTo(ExitCode.USAGE);
        assertThat(Complaint.about(new IllegalStateException("a\u001b[31mred://u:geheim@h")))
                .isEqualTo(new Complaint(
                        ExitCode.INTERNAL,
                        "internal fault, please report it with what --verbose shows: IllegalStateException:"
                                + " a\\u001b[31mred://u:***@h"));
    }

    @Test
    void variablesAreNamedAfterOptions() {
        assertThat(Options.variable("--lease-duration")).isEqualTo("SIGNET_LEASE_DURATION");
    }
}
