package dev.signet.fence.jdbc;

import static dev.signet.fence.jdbc.Ledger.LATER;
import static dev.signet.fence.jdbc.Ledger.NEW;
import static dev.signet.fence.jdbc.Ledger.OLD;
import static dev.signet.fence.jdbc.Ledger.RESOURCE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.signet.Answer;
import dev.signet.servers.Servers;
import dev.signet.testkit.JavaChild;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.postgresql.ds.PGSimpleDataSource;

/** What the page on this fence tells people to type does what it says, with exactly the rights that it names. */
@Tag("process")
@Execution(ExecutionMode.CONCURRENT)
class PostgresPageTest {

    private final ReferencePage page = ReferencePage.of("fence-postgresql.md");

    PostgresPageTest() throws IOException {}

    private static EnforcedLedger ledger() throws Exception {
        EnforcedLedger ledger = new EnforcedLedger(new PostgresDialect(PostgresSite.LONGEST_IDLE));
        ledger.run("DROP TABLE ledger; CREATE TABLE ledger (amount bigint)");
        ledger.fence.protect("ledger");
        return ledger;
    }

    @Test
    void scriptsRunUnderTheirTermOnly() throws Exception {
        try (EnforcedLedger ledger = ledger()) {
            List<String> scripts = page.blocks("sh");
            assertThat(scripts).hasSize(2);
            for (String script : scripts) {
                assertThat(run(ledger, script)).doesNotContain("ERROR");
            }
            assertThat(ledger.text("SELECT string_agg(amount::text, ' ') FROM ledger"))
                    .isEqualTo("100");
            ledger.sealed(NEW);
            for (String script : scripts) {
                assertThat(run(ledger, script)).contains("ERROR:  signet: STALE: ");
            }
            assertThat(run(ledger, "psql -c 'DELETE FROM ledger'").lines().findFirst())
                    .hasValue(page.line("ERROR:  signet: NO_STAMP"));
        }
    }

    private static String run(EnforcedLedger ledger, String script) throws Exception {
        return Shell.script(ledger.command(OLD, "sh", "-c", script)).output();
    }

    /** A missing psycopg2 fails. It is the distribution's, and so is the Python that has it, whichever else is installed. */
    @Test
    void programInPythonRunsUnderItsTermOnly() throws Exception {
        String path = "PATH=/usr/bin:" + System.getenv("PATH");
        try (EnforcedLedger ledger = ledger()) {
            runsUnderItsTermOnly(
                    ledger,
                    ledger.command(OLD, "env", path, "python3", "-c", only(page.blocks("python"))),
                    page.line("psycopg2.DatabaseError: signet: STALE"));
        }
    }

    @Test
    void programInJavaRunsUnderItsTermOnly(@TempDir Path folder) throws Exception {
        Path source = Files.writeString(folder.resolve("Nightly.java"), only(page.blocks("java")));
        List<String> command = new ArrayList<>(JavaChild.command(PostgresPageTest.class));
        command.remove(PostgresPageTest.class.getName());
        try (EnforcedLedger ledger = ledger()) {
            command.addAll(List.of(source.toString(), ledger.server.jdbcUrl(ledger.database)));
            runsUnderItsTermOnly(
                    ledger, ledger.command(OLD, command.toArray(new String[0])), "dev.signet.WriteRefusedException: ");
        }
    }

    private static String only(List<String> blocks) {
        assertThat(blocks).hasSize(1);
        return blocks.get(0);
    }

    private static void runsUnderItsTermOnly(EnforcedLedger ledger, ProcessBuilder program, String refusal)
            throws Exception {
        assertThat(Shell.script(program)).isEqualTo(new Shell.Ended(0, ""));
        assertThat(ledger.text("SELECT sum(amount) FROM ledger")).isEqualTo("100");
        ledger.sealed(NEW);
        Shell.Ended stale = Shell.script(program);
        assertThat(stale.code()).isNotZero();
        assertThat(stale.output()).contains(refusal, "STALE");
        assertThat(ledger.text("SELECT sum(amount) FROM ledger")).isEqualTo("100");
    }

    @Test
    void rightsThatItNamesSuffice() throws Exception {
        for (String user : List.of("sealer", "job")) {
            Servers.postgres().createUser(user, "pw");
        }
        try (EnforcedLedger ledger = ledger()) {
            for (String grants : page.blocks("sql")) {
                ledger.run(grants);
            }
            try (JdbcFence sealer = fence(ledger, "sealer");
                    JdbcFence job = fence(ledger, "job")) {
                assertThat(sealer.seal(NEW, LATER).toCompletableFuture().join()).isInstanceOf(Answer.Done.class);
                assertThat(sealer.view(LATER).toCompletableFuture().join().toString())
                        .contains("its triggers intact");
                job.inTransaction(NEW, connection -> {
                    EnforcedLedger.execute(connection, "INSERT INTO ledger VALUES (1)");
                    return "";
                });
                try (Connection connection = source(ledger, "job").getConnection()) {
                    connection.setAutoCommit(false);
                    job.check(connection, NEW);
                    EnforcedLedger.execute(connection, "UPDATE ledger SET amount = 2");
                    connection.commit();
                }
                assertThat(job.seal(Ledger.stamp(9), LATER)
                                .toCompletableFuture()
                                .join())
                        .isInstanceOf(Answer.Unknown.class);
                assertThatThrownBy(() -> job.unprotect("ledger")).hasMessageContaining("must be owner");
            }
            for (String user : List.of("sealer", "job")) {
                try (Connection connection = source(ledger, user).getConnection()) {
                    assertThatThrownBy(() -> EnforcedLedger.execute(connection, "SELECT term_id FROM signet_fence"))
                            .hasMessageContaining("permission denied");
                }
            }
        }
    }

    private static PGSimpleDataSource source(EnforcedLedger ledger, String user) {
        PGSimpleDataSource source = new PGSimpleDataSource();
        source.setUrl(ledger.server.jdbcUrl(ledger.database, user, "pw"));
        return source;
    }

    private static JdbcFence fence(EnforcedLedger ledger, String user) {
        return JdbcFence.open(source(ledger, user), RESOURCE);
    }

    @Test
    void namesWhatIsThere() throws Exception {
        page.assertNamesWhatIsThere();
        assertThat(page.scenarios(EnforceTables.ALL)).hasSize(3);
    }
}
