package dev.signet.fence.jdbc;

import static dev.signet.testkit.IsolationLevel.READ_COMMITTED;
import static dev.signet.testkit.IsolationLevel.REPEATABLE_READ;
import static org.assertj.core.api.Assertions.assertThat;

import dev.signet.ResourceName;
import dev.signet.Role;
import dev.signet.Stamp;
import dev.signet.StoreId;
import dev.signet.fence.FenceView;
import dev.signet.fence.Refusal;
import dev.signet.fence.jdbc.MariaDbSite.User;
import dev.signet.testkit.FenceClause;
import dev.signet.testkit.IsolationLevel;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Fences on MariaDB as one would naively write them: each is wrong in one way, and the clause that it breaks must say so. */
@Tag("process")
@Execution(ExecutionMode.CONCURRENT)
class MariaDbMutantsTest {

    private static final int AT_ONCE = 6;

    private static final Map<String, String> EQUIVALENT = Map.of(
            "plain SELECT at SERIALIZABLE", "there InnoDB makes each read of a transaction a locking one",
            "seal: waits for the whole innodb_lock_wait_timeout",
                    "its answer is unknown in time all the same, and what it raises later is what it was to raise");

    private final List<Mutant> mutants = new ArrayList<>();

    private void add(
            String name,
            FenceClause clause,
            User user,
            IsolationLevel level,
            Function<JdbcFenceOptions, Dialect> dialect) {
        mutants.add(new Mutant(
                "MariaDB: " + name, EnumSet.of(clause), new MariaDbFenceContract(user, EnumSet.of(level), dialect)));
    }

    private void add(String name, FenceClause clause, Function<JdbcFenceOptions, Dialect> dialect) {
        add(name, clause, User.OWNER, READ_COMMITTED, dialect);
    }

    @Test
    void everyMutantIsFound() throws Exception {
        Map<IsolationLevel, FenceClause> plain =
                Map.of(READ_COMMITTED, FenceClause.F4, REPEATABLE_READ, FenceClause.F5);
        plain.forEach((level, clause) -> {
            add("plain SELECT at " + level, clause, User.OWNER, level, options -> new MariaDbDialect(options) {
                @Override
                String lockedSelect() {
                    return FenceTable.SELECT;
                }
            });
        });
        add(
                "check: the transaction has no number",
                FenceClause.F7,
                User.ENDS_BLOCKERS,
                READ_COMMITTED,
                options -> new MariaDbDialect(options) {
                    @Override
                    String lockedSelect() {
                        return FenceTable.SELECT + " LOCK IN SHARE MODE";
                    }
                });
        add(
                "nobody is ended for the seal",
                FenceClause.F7,
                User.ENDS_BLOCKERS,
                READ_COMMITTED,
                options -> new MariaDbDialect(options) {
                    @Override
                    public void end(Connection other, Blocker blocker) {}
                });
        add("check under autocommit", FenceClause.F13, options -> new MariaDbDialect(options) {
            @Override
            public void requireTransaction(Connection connection) {}
        });
        add("check in a savepoint that was set first", FenceClause.F6, options -> new MariaDbDialect(options) {
            @Override
            void beginAnew(Connection connection) {}
        });
        add("check in an XA transaction", FenceClause.F8, options -> new MariaDbDialect(options) {
            @Override
            void requireNoXa(Connection connection) {}
        });
        add("no mark on the transaction", FenceClause.F14, options -> new MariaDbDialect(options) {
            @Override
            boolean isMarked(Connection connection) {
                return true;
            }
        });
        add("no idle time-out", FenceClause.F7, options -> new MariaDbDialect(options) {
            @Override
            void boundIdleness(Connection connection) {}
        });
        add("the idle time-out stays", FenceClause.F9, options -> new MariaDbDialect(options) {
            @Override
            public void leave(Connection connection) {}
        });
        add("a refusal is only rolled back", FenceClause.F2, options -> new MariaDbDialect(options) {
            @Override
            public void undo(Connection connection) throws SQLException {
                connection.rollback();
            }
        });
        add("writers raise the fence", FenceClause.F12, options -> new MariaDbDialect(options) {
            @Override
            public Verdict admit(Connection connection, ResourceName resource, Stamp stamp) throws SQLException {
                FenceTable.raise(connection, FenceTable.RAISE, resource, stamp, Long.MAX_VALUE);
                return super.admit(connection, resource, stamp);
            }
        });
        add("seal: not idempotent", FenceClause.F3, options -> new MariaDbDialect(options) {
            @Override
            boolean stands(Optional<FenceRow> now, Stamp stamp) {
                return false;
            }
        });
        for (String collation : List.of("utf8mb4_general_ci", "utf8mb4_bin")) {
            add("key of collation " + collation, FenceClause.F3, options -> ofCollation(options, collation));
        }
        NaiveRows.JUDGES.forEach((name, judge) -> add(name, FenceClause.F2, options -> new MariaDbDialect(options) {
            @Override
            Optional<Refusal> judge(Optional<FenceRow> row, Stamp stamp) {
                return judge.judge(row, stamp);
            }
        }));
        NaiveRows.RAISES.forEach(naive -> add(naive.name(), naive.clause(), options -> new MariaDbDialect(options) {
            @Override
            int raiseRow(Connection connection, ResourceName resource, Stamp stamp, long maxJump, Deadline deadline)
                    throws SQLException {
                String raise = MariaDb.within(deadline) + naive.change().apply(FenceTable.RAISE);
                return FenceTable.raise(connection, raise, resource, stamp, maxJump);
            }
        }));
        assertThat(Mutant.survivors(mutants, EQUIVALENT, AT_ONCE))
                .as("mutants that no story found")
                .isEmpty();
    }

    /** With what is compared as texts, too. */
    private static Dialect ofCollation(JdbcFenceOptions options, String collation) {
        return new MariaDbDialect(options) {
            @Override
            public FenceView init(
                    Connection connection, ResourceName resource, Role role, StoreId storeId, Deadline deadline)
                    throws SQLException {
                String text = " VARCHAR(200) CHARACTER SET utf8mb4 COLLATE " + collation;
                for (String sql : List.of(
                        "CREATE TABLE IF NOT EXISTS signet_fence_layout (version BIGINT NOT NULL PRIMARY KEY) ENGINE = InnoDB",
                        "INSERT IGNORE INTO signet_fence_layout VALUES (1)",
                        "CREATE TABLE IF NOT EXISTS signet_fence"
                                + FenceTable.COLUMNS.replaceFirst(" VARBINARY\\(200\\)", text) + " ENGINE = InnoDB")) {
                    Sql.execute(connection, sql);
                }
                return super.init(connection, resource, role, storeId, deadline);
            }
        };
    }
}
