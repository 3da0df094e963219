package dev.signet.app.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.signet.app.run.SignetProcess.Wait;
import dev.signet.servers.PostgresOptions;
import dev.signet.servers.PostgresServer;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** A program that knows nothing of Signet, and writes to a PostgreSQL that refuses whoever does not lead. */
@Tag("process")
@Execution(ExecutionMode.CONCURRENT)
final class ServerFenceTest {
    private static final String PASSWORD = "ge-heim";

    /** What was there at the start, in the words of the page on this fence. */
    private static final String WRITER =
            "export PGOPTIONS=\"-c signet.token=$SIGNET_TOKEN -c signet.term_id=$SIGNET_TERM_ID\"; while :; do"
                    + " psql -q -c \"INSERT INTO ledger VALUES ('$0', $SIGNET_TOKEN)\" 2>> $0.refused; sleep 0.2; done";

    @TempDir
    Path folder;

    private Terminal terminal;
    private PostgresServer server;
    private Map<String, String> environment;

    @BeforeEach
    void open() throws IOException {
        terminal = new Terminal(folder);
        server = PostgresServer.start(
                PostgresOptions.defaults().withAuthentication(PostgresOptions.Authentication.SCRAM));
        server.createUser("ada", PASSWORD);
        server.createUser("writer", "of-writer");
        server.createDatabase("bank");
        server.execute("ALTER DATABASE bank OWNER TO ada");
        environment = Map.of(
                "SIGNET_STORE", "local:store.db",
                "SIGNET_PROTECT", "jdbc:postgresql://127.0.0.1:" + server.port() + "/bank#ledger",
                "SIGNET_RESOURCE_USER", "ada",
                "SIGNET_RESOURCE_PASSWORD", PASSWORD,
                "PGHOST", "127.0.0.1",
                "PGPORT", "" + server.port(),
                "PGDATABASE", "bank",
                "PGUSER", "writer",
                "PGPASSWORD", "of-writer");
        query("CREATE TABLE ledger (writer text, token bigint)");
        query("ALTER TABLE ledger OWNER TO ada");
        query("ALTER SCHEMA public OWNER TO ada");
        query("GRANT INSERT ON ledger TO writer");
        done("init");
        done("fence", "init", "--role", Terminal.ROLE);
        done("fence", "protect", "--table", "ledger");
    }

    @AfterEach
    void close() {
        terminal.close();
        server.close();
    }

    private void done(String... words) throws IOException {
        SignetProcess process = terminal.signet(String.join("-", words), environment, words);
        assertThat(process.exitCode()).as(process.err()).isZero();
    }

    private String query(String sql) {
        try (Connection connection = DriverManager.getConnection(server.jdbcUrl("bank"));
                Statement statement = connection.createStatement()) {
            if (!statement.execute(sql)) {
                return "";
            }
            try (ResultSet rows = statement.getResultSet()) {
                return rows.next() ? rows.getString(1) : "";
            }
        } catch (SQLException e) {
            throw new AssertionError(e);
        }
    }

    private SignetProcess campaign(String name) throws IOException {
        return terminal.signet(name, environment, "run", "--role", Terminal.ROLE, "--", "sh", "-c", WRITER, name);
    }

    @Test
    void aChildWritesWhileItsCandidateLeadsAndWhatItLeavesBehindIsRefused() throws IOException {
        SignetProcess first = campaign("first");
        first.awaitLeading(1);
        awaitRowsOf("first");
        assertThat(proc(first.childPid(), "environ"))
                .contains("SIGNET_TOKEN=1")
                .doesNotContain(PASSWORD)
                .doesNotContain("SIGNET_RESOURCE");
        assertThat(proc(first.pid(), "cmdline") + proc(terminal.guardPid(first), "environ"))
                .doesNotContain(PASSWORD);
        String stolen =
                Shell.text(folder, "tr '\\0' '\\n' < /proc/" + first.childPid() + "/environ | grep SIGNET_TERM_ID=");

        first.signal("TERM");
        assertThat(first.exitCode()).isEqualTo(143);
        SignetProcess second = campaign("second");
        second.awaitLeading(2);
        awaitRowsOf("second");

        String zombie =
                "export PGPASSWORD=of-writer; SIGNET_TOKEN=1; " + stolen + "; export PGOPTIONS=\"-c signet.token=1"
                        + " -c signet.term_id=$SIGNET_TERM_ID\"; psql -h 127.0.0.1 -p " + server.port()
                        + " -U writer bank -c \"INSERT INTO ledger VALUES ('zombie', 1)\" 2>&1 || true";
        assertThat(Shell.text(folder, zombie)).contains("signet: STALE: ", "with token 2");
        assertThat(query("SELECT count(*) FROM ledger WHERE writer = 'zombie'")).isEqualTo("0");
        assertThat(first.err() + second.err()).doesNotContain(PASSWORD);
    }

    private void awaitRowsOf(String writer) {
        Wait.until(
                () -> !query("SELECT count(*) FROM ledger WHERE writer = '" + writer + "'")
                        .equals("0"),
                () -> "rows of " + writer + "\n" + terminal.read(writer + ".refused"));
    }

    private static String proc(long pid, String file) throws IOException {
        return Files.readString(Path.of("/proc", Long.toString(pid), file), StandardCharsets.ISO_8859_1);
    }
}
