package dev.signet.fence.jdbc;

import static dev.signet.fence.jdbc.Ledger.LATER;
import static dev.signet.fence.jdbc.Ledger.NEW;
import static dev.signet.fence.jdbc.Ledger.RESOURCE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.signet.Answer;
import dev.signet.servers.Servers;
import java.io.IOException;
import java.sql.Connection;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.mariadb.jdbc.MariaDbDataSource;

/** What the page on this fence tells people to type does what it says, with exactly the rights that it names. */
@Tag("process")
@Execution(ExecutionMode.CONCURRENT)
class MariaDbPageTest {

    private final ReferencePage page = ReferencePage.of("fence-mariadb.md");

    MariaDbPageTest() throws IOException {}

    private static MariaDbLedger ledger() throws Exception {
        MariaDbLedger ledger = MariaDbLedger.guarded(new MariaDbDialect(MariaDbSite.OPTIONS));
        ledger.fence.unprotect("ledger");
        ledger.run("DROP TABLE ledger");
        ledger.run("CREATE TABLE ledger (amount BIGINT) ENGINE = InnoDB");
        ledger.fence.protect("ledger");
        return ledger;
    }

    @Test
    void scriptsRunUnderTheirTermOnly() throws Exception {
        try (MariaDbLedger ledger = ledger()) {
            List<String> scripts = page.blocks("sh");
            assertThat(scripts).hasSize(2);
            for (String script : scripts) {
                assertThat(run(ledger, script)).doesNotContain("ERROR");
            }
            assertThat(ledger.text("SELECT GROUP_CONCAT(amount) FROM ledger")).isEqualTo("100");
            assertThat(run(ledger, "mariadb bank -e 'DELETE FROM ledger'").lines())
                    .contains(page.line("ERROR 1644 (45000) at line 1: signet: NO_STAMP"));
            ledger.sealed(Ledger.stamp(9));
            for (String script : scripts) {
                assertThat(run(ledger, script)).contains("signet: STALE: ");
            }
        }
    }

    private static String run(MariaDbLedger ledger, String script) throws Exception {
        String here = "mariadb() { command mariadb --no-defaults --protocol=TCP --user=root \"$@\"; }\n"
                + script.replace("bank", ledger.database);
        return Shell.script(ledger.command(NEW, "bash", "-c", here)).output();
    }

    @Test
    void rightsThatItNamesSuffice() throws Exception {
        try (MariaDbLedger ledger = ledger()) {
            for (String user : List.of("sealer", "job")) {
                Servers.mariaDb().createUser(user, "pw");
            }
            for (String grant : page.blocks("sql").stream()
                    .flatMap(block -> Stream.of(block.split(";\\s*")))
                    .toList()) {
                ledger.run(grant);
            }
            try (JdbcFence sealer = fence(ledger, "sealer");
                    JdbcFence job = fence(ledger, "job")) {
                assertThat(sealer.seal(NEW, LATER).toCompletableFuture().join()).isInstanceOf(Answer.Done.class);
                assertThat(sealer.view(LATER).toCompletableFuture().join().toString())
                        .contains("its triggers intact");
                job.inTransaction(NEW, connection -> {
                    GuardedLedger.execute(connection, "INSERT INTO ledger VALUES (1)");
                    return "";
                });
                try (Connection connection = source(ledger, "job").getConnection()) {
                    connection.setAutoCommit(false);
                    job.check(connection, NEW);
                    GuardedLedger.execute(connection, "UPDATE ledger SET amount = 2");
                    GuardedLedger.execute(connection, ledger.check(NEW));
                    connection.commit();
                    assertThatThrownBy(() -> GuardedLedger.execute(connection, "TRUNCATE ledger"))
                            .hasMessageContaining("denied");
                }
                assertThatThrownBy(() -> job.unprotect("ledger")).hasMessageContaining("denied");
            }
        }
    }

    private static MariaDbDataSource source(MariaDbLedger ledger, String user) throws Exception {
        return new MariaDbDataSource(ledger.server.jdbcUrl(ledger.database, user, "pw"));
    }

    private static JdbcFence fence(MariaDbLedger ledger, String user) throws Exception {
        return JdbcFence.open(source(ledger, user), RESOURCE);
    }

    @Test
    void namesWhatIsThere() throws Exception {
        page.assertNamesWhatIsThere();
        assertThat(page.scenarios(MariaDbTableScenarios.ALL)).hasSize(2);
        assertThat(page.scenarios(MariaDbScenarios.ALL)).hasSize(1);
    }
}
