package dev.signet.fence.jdbc;

import static dev.signet.testkit.FenceStamps.NEW;
import static dev.signet.testkit.FenceStamps.OLD;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.signet.WriteRefusedException;
import dev.signet.servers.PgBouncer;
import dev.signet.servers.PgBouncer.Mode;
import dev.signet.servers.PostgresServer;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import javax.sql.XAConnection;
import javax.transaction.xa.XAException;
import javax.transaction.xa.XAResource;
import javax.transaction.xa.Xid;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.postgresql.ds.PGSimpleDataSource;
import org.postgresql.xa.PGXADataSource;

@Tag("process")
class PostgresFrameworksTest extends Frameworks {

    private final PostgresServer server = PostgresSite.server();

    @Override
    JdbcSite site() {
        return PostgresSite.of(server, new PostgresDialect(PostgresSite.LONGEST_IDLE));
    }

    @Override
    SQLDialect dialect() {
        return SQLDialect.POSTGRES;
    }

    private String database() {
        return ((PGSimpleDataSource) site.source).getDatabaseName();
    }

    /** Its rollback would take the check's lock with it. */
    @Test
    void aCheckInsideWhatIsNestedIsRefused() {
        assertThatThrownBy(
                        () -> transaction.executeWithoutResult(status -> nested.executeWithoutResult(inner -> check())))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("check before the savepoint is set");
        assertThatThrownBy(() -> jooq.transaction(configuration -> DSL.using(configuration)
                        .transaction(
                                deeper -> DSL.using(deeper).connection(connection -> fence.check(connection, OLD)))))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("check before the savepoint is set");
        site.seal(NEW);
    }

    @Test
    void behindAPoolerThatGivesOutAConnectionPerTransactionNothingIsLeft() throws Exception {
        try (PgBouncer pooler = PgBouncer.before(server, Mode.TRANSACTION)) {
            PGSimpleDataSource source = new PGSimpleDataSource();
            source.setUrl(pooler.jdbcUrl(database()) + "&prepareThreshold=0");
            PoolStories.borrowedAgain(site, new PostgresFenceContractTest(), source, 1);
        }
    }

    @Test
    void aDistributedTransactionIsNotPreparedOnceItWasChecked() throws Exception {
        PGXADataSource source = new PGXADataSource();
        source.setUrl(server.jdbcUrl(database()));
        XAConnection distributed = source.getXAConnection();
        try (Connection connection = distributed.getConnection()) {
            XAResource resource = distributed.getXAResource();
            Xid first = new Branch(1);
            resource.start(first, XAResource.TMNOFLAGS);
            site.fence.check(connection, OLD);
            JdbcStories.insert(connection, "prepared");
            resource.end(first, XAResource.TMSUCCESS);
            assertThatThrownBy(() -> resource.prepare(first))
                    .isInstanceOf(XAException.class)
                    .hasRootCauseMessage("ERROR: cannot PREPARE a transaction that has exported snapshots");
            resource.rollback(first);

            Xid second = new Branch(2);
            resource.start(second, XAResource.TMNOFLAGS);
            site.fence.check(connection, OLD);
            JdbcStories.insert(connection, "in one phase");
            resource.end(second, XAResource.TMSUCCESS);
            resource.commit(second, true);

            site.seal(NEW);
            Xid third = new Branch(3);
            resource.start(third, XAResource.TMNOFLAGS);
            assertThatThrownBy(() -> site.fence.check(connection, OLD)).isInstanceOf(WriteRefusedException.class);
            assertThatThrownBy(() -> JdbcStories.insert(connection, "after the refusal"))
                    .isInstanceOf(SQLException.class);
            resource.end(third, XAResource.TMFAIL);
            resource.rollback(third);
            assertThatThrownBy(() -> site.fence.check(connection, NEW)).isInstanceOf(IllegalStateException.class);
        } finally {
            distributed.close();
        }
        assertThat(site.rows()).containsExactly("in one phase");
    }

    private record Branch(int number) implements Xid {

        @Override
        public int getFormatId() {
            return 1;
        }

        @Override
        public byte[] getGlobalTransactionId() {
            return ("signet-" + number).getBytes(StandardCharsets.UTF_8);
        }

        @Override
        public byte[] getBranchQualifier() {
            return new byte[] {1};
        }
    }
}
