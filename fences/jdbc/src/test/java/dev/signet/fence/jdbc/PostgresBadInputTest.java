package dev.signet.fence.jdbc;

import static dev.signet.testkit.FenceStamps.LEDGER;
import static dev.signet.testkit.FenceStamps.NEW;
import static dev.signet.testkit.FenceStamps.OLD;
import static dev.signet.testkit.FenceStamps.ROLE;
import static dev.signet.testkit.FenceStamps.STORE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.signet.FenceException;
import dev.signet.WriteRefusedException;
import dev.signet.fence.Refusal;
import dev.signet.servers.PostgresServer;
import java.sql.Connection;
import java.sql.SQLException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.postgresql.ds.PGSimpleDataSource;

/** What is wrong from outside is said in one line, with what to do, and nothing is half done. */
@Tag("process")
class PostgresBadInputTest {

    private final PostgresServer server = PostgresSite.server();
    private JdbcSite site;

    @BeforeAll
    static void makeGuest() {
        PostgresSite.server().createUser("guest", "secret");
    }

    @BeforeEach
    void open() {
        site = PostgresSite.of(server, new PostgresDialect(PostgresSite.LONGEST_IDLE));
    }

    @AfterEach
    void close() {
        site.close();
    }

    private JdbcFence by(String url) {
        PGSimpleDataSource source = new PGSimpleDataSource();
        source.setUrl(url);
        return site.fence(source, LEDGER);
    }

    private String database() {
        return ((PGSimpleDataSource) site.source).getDatabaseName();
    }

    private static String write(JdbcFence fence) throws SQLException {
        return fence.inTransaction(OLD, connection -> {
            JdbcStories.insert(connection, "a");
            return "written";
        });
    }

    private static String sealed(JdbcFence fence) {
        return fence.seal(NEW, JdbcSite.LATER).toCompletableFuture().join().toString();
    }

    @Test
    void whoMayNotCallTheFunctionsIsToldSo() {
        site.sealed();
        JdbcFence guest = by(server.jdbcUrl(database(), "guest", "secret"));
        assertThatThrownBy(() -> write(guest))
                .isInstanceOf(FenceException.class)
                .hasMessageContaining("permission denied for function signet_admit")
                .hasMessageContaining("grant");
        assertThat(sealed(guest))
                .contains("permission denied for function signet_raise")
                .contains("grant");
        assertThatThrownBy(() -> guest.init(ROLE, STORE))
                .isInstanceOf(FenceException.class)
                .hasMessageContaining("permission denied");
        assertThat(site.rows()).isEmpty();
        site.seal(NEW);
    }

    /** The functions suffice: no right on the tables is needed. */
    @Test
    void whoMayCallThemNeedsNothingElse() throws Exception {
        site.sealed();
        site.execute("GRANT EXECUTE ON ALL FUNCTIONS IN SCHEMA public TO guest");
        site.execute("GRANT INSERT ON ledger TO guest");
        JdbcFence guest = by(server.jdbcUrl(database(), "guest", "secret"));
        assertThat(write(guest)).isEqualTo("written");
        assertThat(sealed(guest)).contains("Done");
        assertThat(site.rows()).containsExactly("a");
    }

    @Test
    void aRowThatIsGoneRefusesAndIsNotTokenZero() {
        site.sealed();
        site.execute("DELETE FROM signet_fence");
        assertThatThrownBy(() -> write(site.fence))
                .isInstanceOfSatisfying(
                        WriteRefusedException.class,
                        refused -> assertThat(refused.refusal()).isEqualTo(Refusal.NOT_INITIALISED));
        assertThat(sealed(site.fence)).contains("NOT_INITIALISED", "signet fence init");
        assertThat(site.rows()).isEmpty();
    }

    @Test
    void aConnectionThatIsClosedOrBrokenSaysSo() throws Exception {
        site.sealed();
        Connection closed = site.source.getConnection();
        closed.setAutoCommit(false);
        closed.close();
        assertThatThrownBy(() -> site.fence.check(closed, OLD))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("closed");
        try (Connection broken = site.source.getConnection()) {
            broken.setAutoCommit(false);
            JdbcStories.insert(broken, "a");
            site.execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid()"
                    + " AND datname = current_database()");
            assertThatThrownBy(() -> site.fence.check(broken, OLD))
                    .isInstanceOfSatisfying(
                            FenceException.class,
                            failed -> assertThat(failed.outcome()).isEqualTo(FenceException.Outcome.FAILED));
        }
        assertThat(site.rows()).isEmpty();
    }

    @Test
    void autocommitIsRefusedAndWhatIsOpenBesideItStaysSo() throws Exception {
        site.sealed();
        try (Connection each = site.source.getConnection()) {
            assertThatThrownBy(() -> site.fence.check(each, OLD))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("setAutoCommit(false)");
            assertThat(each.getAutoCommit()).isTrue();
        }
        site.seal(NEW);
    }

    @Test
    void aServerThatIsAwayIsUnknownToASealAndAFailureToAWrite() {
        JdbcFence nowhere = by("jdbc:postgresql://127.0.0.1:1/none?user=x");
        assertThat(sealed(nowhere)).contains("Unknown", "refused");
        assertThatThrownBy(() -> write(nowhere))
                .isInstanceOf(FenceException.class)
                .hasMessageContaining("refused");
    }
}
