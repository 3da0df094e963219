package dev.signet.fence.jdbc;

import static dev.signet.testkit.FenceStamps.LEDGER;
import static dev.signet.testkit.FenceStamps.NEW;
import static dev.signet.testkit.FenceStamps.OLD;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import dev.signet.WriteRefusedException;
import java.sql.Connection;
import java.time.Duration;
import org.jooq.DSLContext;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.core.ConnectionCallback;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.TransactionTemplate;

/** The bare check in transactions that a framework opens and ends, on connections of a pool. */
abstract class Frameworks {

    JdbcSite site;
    JdbcFence fence;
    JdbcTemplate jdbc;
    TransactionTemplate transaction;
    TransactionTemplate nested;
    DSLContext jooq;
    private HikariDataSource pool;

    abstract JdbcSite site();

    abstract SQLDialect dialect();

    @BeforeEach
    void open() {
        site = site().sealed();
        pool = new HikariDataSource();
        pool.setDataSource(site.source);
        pool.setMaximumPoolSize(2);
        fence = site.fence(pool, LEDGER);
        jdbc = new JdbcTemplate(pool);
        JdbcTransactionManager manager = new JdbcTransactionManager(pool);
        manager.setNestedTransactionAllowed(true);
        transaction = new TransactionTemplate(manager);
        nested = new TransactionTemplate(manager);
        nested.setPropagationBehavior(TransactionDefinition.PROPAGATION_NESTED);
        jooq = DSL.using(pool, dialect());
    }

    @AfterEach
    void close() {
        pool.close();
        site.close();
    }

    /** On the connection of the transaction that Spring has bound to this thread. */
    void check() {
        jdbc.execute((ConnectionCallback<Boolean>) connection -> {
            fence.check(connection, OLD);
            return true;
        });
    }

    void insert(String what) {
        jdbc.update(
                "INSERT INTO ledger (what, amount, signet_token, signet_term) VALUES (?, 1, ?, ?)",
                what,
                OLD.token().value(),
                OLD.termId().secret());
    }

    boolean sealedSoon() {
        return fence.seal(NEW, Duration.ofMillis(300)).toCompletableFuture().join() instanceof dev.signet.Answer.Done;
    }

    @Test
    void inATransactionOfSprings() {
        transaction.executeWithoutResult(status -> {
            check();
            insert("a");
            assertThat(sealedSoon()).isFalse();
        });
        assertThatThrownBy(() -> transaction.executeWithoutResult(status -> {
                    check();
                    insert("b");
                    throw new IllegalStateException("by the service");
                }))
                .hasMessage("by the service");
        site.seal(NEW);
        assertThatThrownBy(() -> transaction.executeWithoutResult(status -> {
                    insert("c");
                    check();
                }))
                .isInstanceOf(WriteRefusedException.class);
        assertThat(site.rows()).containsExactly("a");
    }

    @Test
    void withoutATransactionOfSpringsItIsRefused() {
        assertThatThrownBy(this::check)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("setAutoCommit(false)");
    }

    @Test
    void whatIsNestedBehindTheCheckMayBeRolledBack() {
        transaction.executeWithoutResult(status -> {
            check();
            insert("a");
            nested.executeWithoutResult(inner -> insert("b"));
            nested.executeWithoutResult(inner -> {
                insert("undone");
                inner.setRollbackOnly();
            });
            assertThat(sealedSoon()).isFalse();
            insert("c");
        });
        assertThat(site.rows()).containsExactly("a", "b", "c");
        site.seal(NEW);
    }

    @Test
    void inATransactionOfJooqs() {
        jooq.transaction(configuration -> {
            DSLContext inner = DSL.using(configuration);
            inner.connection(connection -> fence.check(connection, OLD));
            row(inner, "a");
            assertThat(sealedSoon()).isFalse();
            assertThatThrownBy(() -> inner.transaction(deeper -> {
                        row(DSL.using(deeper), "undone");
                        throw new IllegalStateException("by the service");
                    }))
                    .hasMessageContaining("by the service");
            row(inner, "b");
        });
        site.seal(NEW);
        assertThatThrownBy(() -> jooq.transaction(configuration -> {
                    row(DSL.using(configuration), "late");
                    DSL.using(configuration).connection(connection -> fence.check(connection, OLD));
                }))
                .isInstanceOf(WriteRefusedException.class);
        assertThat(site.rows()).containsExactly("a", "b");
    }

    static void row(DSLContext inner, String what) {
        inner.execute("INSERT INTO ledger (what, amount, signet_token) VALUES (?, 1, 7)", what);
    }

    @Test
    void inATransactionOfItsOwnFromThePool() throws Exception {
        fence.inTransaction(OLD, connection -> {
            JdbcStories.insert(connection, "a");
            return "";
        });
        try (Connection connection = pool.getConnection()) {
            connection.setAutoCommit(false);
            fence.check(connection, OLD);
            JdbcStories.insert(connection, "b");
            connection.commit();
        }
        assertThat(site.rows()).containsExactly("a", "b");
    }
}
