package dev.signet.fence.jdbc;

import static dev.signet.testkit.FenceStamps.LEDGER;
import static dev.signet.testkit.FenceStamps.NEW;
import static dev.signet.testkit.FenceStamps.OLD;
import static dev.signet.testkit.FenceStamps.ROLE;
import static dev.signet.testkit.FenceStamps.STORE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.signet.Answer;
import dev.signet.FenceException;
import dev.signet.FenceException.Outcome;
import dev.signet.ResourceName;
import dev.signet.Stamp;
import dev.signet.WriteRefusedException;
import dev.signet.servers.MariaDbServer;
import dev.signet.servers.Servers;
import dev.signet.testkit.FenceClause;
import dev.signet.testkit.FenceWriter;
import dev.signet.testkit.IsolationLevel;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import org.mariadb.jdbc.MariaDbDataSource;

/** What is MariaDB's own, and the limits that the page on this fence states. */
final class MariaDbStories {

    static final List<JdbcStory> ALL = List.of(
            story(FenceClause.F1, "writers of one term go side by side", MariaDbStories::sideBySide),
            story(FenceClause.F2, "limit: DDL ends what a refusal left", MariaDbStories::ddlAfterRefusal),
            story(FenceClause.F3, "who may not make tables seals and checks", MariaDbStories::leastRights),
            story(FenceClause.F3, "a newer layout and foreign tables are refused", MariaDbStories::foreignTables),
            story(FenceClause.F3, "an init that was cut short goes on", MariaDbStories::initCutShort),
            story(FenceClause.F3, "a driver that counts changed rows", MariaDbStories::changedRows),
            story(FenceClause.F5, "a snapshot that is older than the seal is retried", MariaDbStories::snapshot),
            story(FenceClause.F6, "limit: a savepoint after BEGIN in SQL is not seen", MariaDbStories::beginInSql),
            story(FenceClause.F8, "why XA is refused: XA PREPARE gives the lock back", MariaDbStories::xaPrepare),
            story(FenceClause.F14, "the work is told that its DDL would commit", MariaDbStories::ddl),
            story(FenceClause.F14, "after a deadlock the work writes nothing more", MariaDbStories::deadlock),
            story(FenceClause.F14, "limit: tables without transactions keep all", MariaDbStories::withoutTransactions));

    private static final Duration SOON = Duration.ofMillis(300);

    private MariaDbStories() {}

    private interface Body {
        void tell(MariaDbSite site) throws Exception;
    }

    private static JdbcStory story(FenceClause clause, String name, Body body) {
        return new JdbcStory(clause, name, (site, database) -> body.tell((MariaDbSite) site));
    }

    private static Answer<?, ?> answer(JdbcSite site, Stamp stamp) {
        return site.fence.seal(stamp, JdbcSite.LATER).toCompletableFuture().join();
    }

    private static void execute(Connection connection, String sql) {
        JdbcSite.asking(() -> {
            Sql.execute(connection, sql);
            return "";
        });
    }

    private static void sideBySide(MariaDbSite site) {
        site.sealed();
        try (FenceWriter one = site.begin(IsolationLevel.REPEATABLE_READ);
                FenceWriter other = site.begin(IsolationLevel.REPEATABLE_READ)) {
            one.check(OLD);
            other.check(OLD);
            one.write("one", OLD);
            other.write("other", OLD);
            one.check(OLD);
            other.check(OLD);
            one.commit();
            other.commit();
        }
        assertThat(site.rows()).containsExactlyInAnyOrder("one", "other");
    }

    /** For who swallows the refusal. */
    private static void ddlAfterRefusal(MariaDbSite site) {
        site.sealed();
        site.seal(NEW);
        try (JdbcWriter old = (JdbcWriter) site.begin(IsolationLevel.REPEATABLE_READ)) {
            assertThatThrownBy(() -> old.check(OLD)).isInstanceOf(WriteRefusedException.class);
            assertThatThrownBy(() -> old.write("refused", OLD)).hasMessageContaining("READ ONLY");
            old.execute("CREATE TABLE beside (i INT)");
            old.write("stale", OLD);
            old.commit();
        }
        assertThat(site.rows()).containsExactly("stale");
    }

    private static void ddl(MariaDbSite site) {
        site.sealed();
        for (String sql : List.of(
                "CREATE TABLE x (i INT)",
                " /* now */ drop table ledger",
                "# note\nTRUNCATE ledger",
                "alter table ledger add y int",
                "SET autocommit = 1",
                "SET SESSION sql_mode = '', autocommit = 1",
                "set @@session.autocommit=1",
                "LOCK TABLES ledger WRITE",
                "XA START 'x'")) {
            assertThatThrownBy(() -> site.fence.inTransaction(OLD, connection -> {
                        Sql.execute(connection, sql);
                        return "";
                    }))
                    .as(sql)
                    .isInstanceOf(SQLException.class)
                    .hasMessageContaining("would end it");
        }
        site.fence.inTransaction(OLD, connection -> {
            execute(connection, "CREATE TEMPORARY TABLE mine (i INT)");
            execute(connection, "INSERT INTO mine VALUES (1)");
            execute(connection, "DROP TEMPORARY TABLE mine");
            return "";
        });
    }

    private static void deadlock(MariaDbSite site) {
        site.sealed();
        site.execute("INSERT INTO ledger (id, what) VALUES (1, 'x'), (2, 'y')");
        JdbcFence patient = JdbcFence.open(site.source, LEDGER);
        Throwable failed = catchThrowable(() -> patient.inTransaction(OLD, connection -> {
            execute(connection, "UPDATE ledger SET amount = 1 WHERE id = 1");
            try (Connection other = site.source.getConnection()) {
                other.setAutoCommit(false);
                // the other has done more, so that InnoDB takes this one back
                execute(other, "INSERT INTO ledger (what) VALUES ('p'), ('q'), ('r'), ('s'), ('t')");
                execute(other, "UPDATE ledger SET amount = 2 WHERE id = 2");
                String session = Sql.text(other, "SELECT CONNECTION_ID()").orElseThrow();
                Thread waits = new Thread(() -> execute(other, "UPDATE ledger SET amount = 2 WHERE id = 1"));
                waits.start();
                untilItWaits(site, session);
                assertThat(catchThrowable(() -> execute(connection, "UPDATE ledger SET amount = 1 WHERE id = 2")))
                        .hasMessageContaining("Deadlock");
                waits.join();
                other.rollback();
            }
            assertThat(catchThrowable(() -> execute(connection, "INSERT INTO ledger (what) VALUES ('late')")))
                    .hasMessageContaining("nothing more is written");
            return "";
        }));
        patient.close();
        assertThat(failed).isInstanceOf(FenceException.class);
        assertThat(site.rows()).containsExactlyInAnyOrder("x", "y");
    }

    private static void untilItWaits(MariaDbSite site, String session) throws SQLException {
        Deadline deadline = Deadline.in(JdbcSite.LATER);
        try (Connection root = new MariaDbDataSource(Servers.mariaDb().jdbcUrl(site.database())).getConnection()) {
            while (!MariaDbLocks.waiting(root).contains(session)) {
                assertThat(deadline.hasPassed()).as("it does not wait").isFalse();
            }
        }
    }

    private static void leastRights(MariaDbSite site) {
        site.sealed();
        MariaDbServer server = Servers.mariaDb();
        String database = site.database();
        String user = "least" + database;
        server.createUser(user, "secret");
        server.execute("GRANT SELECT ON " + database + ".signet_fence_layout TO " + user);
        server.execute("GRANT SELECT, INSERT, UPDATE ON " + database + ".signet_fence TO " + user);
        server.execute("GRANT SELECT, INSERT ON " + database + ".ledger TO " + user);
        MariaDbDataSource source =
                JdbcSite.asking(() -> new MariaDbDataSource(server.jdbcUrl(database, user, "secret")));
        try (JdbcFence fence = site.fence(source, LEDGER);
                JdbcFence more = site.fence(source, ResourceName.of("more"))) {
            fence.init(ROLE, STORE);
            more.init(ROLE, STORE);
            assertThat(fence.seal(NEW, JdbcSite.LATER).toCompletableFuture().join())
                    .isInstanceOf(Answer.Done.class);
            fence.inTransaction(NEW, connection -> {
                new JdbcWriter(fence, connection).write("least", NEW);
                return "";
            });
            assertThat(site.rows()).containsExactly("least");
        }
    }

    private static void foreignTables(MariaDbSite site) {
        site.execute("CREATE TABLE signet_fence (mine INT)");
        assertThatThrownBy(() -> site.fence.init(ROLE, STORE)).hasMessageContaining("that Signet did not make");
        site.execute("DROP TABLE signet_fence");
        site.sealed();
        site.execute("UPDATE signet_fence_layout SET version = 2");
        assertThatThrownBy(() -> site.fence.init(ROLE, STORE)).hasMessageContaining("version 2");
        assertThat(answer(site, NEW).toString()).contains("version 2");
        site.execute("UPDATE signet_fence_layout SET version = 1");
        site.execute("ALTER TABLE signet_fence ENGINE = Aria");
        assertThat(answer(site, NEW).toString()).contains("engine aria");
    }

    private static void initCutShort(MariaDbSite site) {
        site.execute("CREATE TABLE signet_fence_layout (version BIGINT NOT NULL PRIMARY KEY) ENGINE = InnoDB");
        site.sealed();
    }

    private static void changedRows(MariaDbSite site) {
        site.sealed();
        for (String options : List.of("useAffectedRows=true", "useServerPrepStmts=true")) {
            MariaDbDataSource source = JdbcSite.asking(() -> new MariaDbDataSource(site.url() + "&" + options));
            JdbcFence fence = site.fence(source, LEDGER);
            for (int i = 0; i < 2; i++) {
                assertThat(fence.seal(NEW, JdbcSite.LATER).toCompletableFuture().join())
                        .as(options)
                        .isInstanceOf(Answer.Done.class);
            }
            fence.inTransaction(NEW, connection -> "");
        }
    }

    /** Snapshot isolation, as newer servers have it by default: a check behind a seal is to be made again. */
    private static void snapshot(MariaDbSite site) {
        site.sealed();
        try (JdbcWriter old = (JdbcWriter) site.begin(IsolationLevel.REPEATABLE_READ)) {
            old.execute("SET SESSION innodb_snapshot_isolation = ON");
            old.read();
            site.seal(NEW);
            FenceException retry = catchThrowableOfType(FenceException.class, () -> old.check(OLD));
            assertThat(retry.outcome()).isEqualTo(Outcome.RETRY);
            old.rollback();
            assertThatThrownBy(() -> old.check(OLD)).isInstanceOf(WriteRefusedException.class);
        }
    }

    /** Its lock is shared, and does not outlive the preparation. */
    private static void xaPrepare(MariaDbSite site) {
        site.sealed();
        JdbcWriter old = (JdbcWriter) site.beginToPrepare(IsolationLevel.REPEATABLE_READ);
        old.execute(new MariaDbDialect(MariaDbSite.OPTIONS).lockedSelect().replace("?", "'ledger'"));
        old.write("stale", OLD);
        assertThat(site.fence.seal(NEW, SOON).toCompletableFuture().join()).isInstanceOf(Answer.Unknown.class);
        Runnable commit = old.prepare();
        old.close();
        site.seal(NEW);
        commit.run();
        assertThat(site.rows()).containsExactly("stale");
        JdbcWriter late = (JdbcWriter) site.beginToPrepare(IsolationLevel.REPEATABLE_READ);
        assertThatThrownBy(() -> late.check(OLD))
                .as("whatever the stamp is")
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("XA");
    }

    private static void withoutTransactions(MariaDbSite site) {
        site.sealed();
        site.execute("CREATE TABLE journal (what VARCHAR(100)) ENGINE = Aria");
        site.seal(NEW);
        try (JdbcWriter old = (JdbcWriter) site.begin(IsolationLevel.REPEATABLE_READ)) {
            old.execute("INSERT INTO journal VALUES ('stale')");
            assertThatThrownBy(() -> old.check(OLD)).isInstanceOf(WriteRefusedException.class);
        }
        assertThat(JdbcSite.asking(() -> {
                    try (Connection connection = site.source.getConnection()) {
                        return Sql.text(connection, "SELECT what FROM journal");
                    }
                }))
                .contains("stale");
    }

    /** On a connection whose autocommit is off already. */
    private static void beginInSql(MariaDbSite site) {
        site.sealed();
        try (JdbcWriter old = (JdbcWriter) site.begin(IsolationLevel.REPEATABLE_READ)) {
            old.execute("BEGIN");
            old.execute("SAVEPOINT first");
            old.check(OLD);
            old.execute("ROLLBACK TO first");
            site.seal(NEW);
            old.write("stale", OLD);
            old.commit();
        }
        assertThat(site.rows()).containsExactly("stale");
    }
}
