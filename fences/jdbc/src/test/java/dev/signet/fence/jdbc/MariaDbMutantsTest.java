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
import dev.signet.testkit.FenceStamps;
import dev.signet.testkit.IsolationLevel;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Fences on MariaDB as one would naively write them: each is wrong in one way, and a story of the contract must say so. */
@Tag("process")
@Execution(ExecutionMode.CONCURRENT)
class MariaDbMutantsTest {

    private static final int AT_ONCE = 6;

    private static final Map<String, String> EQUIVALENT = Map.of(
            "plain SELECT at SERIALIZABLE", "there InnoDB makes each read of a transaction a locking one",
            "seal: waits for the whole innodb_lock_wait_timeout",
                    "its answer is unknown in time all the same, and what it raises later is what it was to raise");

    private final Map<String, SiteContract> mutants = new LinkedHashMap<>();

    private void add(String name, User user, IsolationLevel level, Function<JdbcFenceOptions, Dialect> dialect) {
        mutants.put(name, new SiteContract(() -> MariaDbSite.of(user, dialect), EnumSet.of(level), Map.of()));
    }

    private void add(String name, Function<JdbcFenceOptions, Dialect> dialect) {
        add(name, User.OWNER, READ_COMMITTED, dialect);
    }

    @Test
    void everyMutantIsCaught() throws Exception {
        for (IsolationLevel level : EnumSet.of(READ_COMMITTED, REPEATABLE_READ)) {
            add("plain SELECT at " + level, User.OWNER, level, options -> new MariaDbDialect(options) {
                @Override
                String lockedSelect() {
                    return FenceTable.SELECT;
                }
            });
        }
        add(
                "check: the transaction has no number",
                User.ENDS_BLOCKERS,
                READ_COMMITTED,
                options -> new MariaDbDialect(options) {
                    @Override
                    String lockedSelect() {
                        return FenceTable.SELECT + " LOCK IN SHARE MODE";
                    }
                });
        add("nobody is ended for the seal", User.ENDS_BLOCKERS, READ_COMMITTED, options -> new MariaDbDialect(options) {
            @Override
            public void end(Connection other, Blocker blocker) {}
        });
        add("check under autocommit", options -> new MariaDbDialect(options) {
            @Override
            public void requireTransaction(Connection connection) {}
        });
        add("check in a savepoint that was set first", options -> new MariaDbDialect(options) {
            @Override
            void beginAnew(Connection connection) {}
        });
        add("check in an XA transaction", options -> new MariaDbDialect(options) {
            @Override
            void requireNoXa(Connection connection) {}
        });
        add("no mark on the transaction", options -> new MariaDbDialect(options) {
            @Override
            boolean isMarked(Connection connection) {
                return true;
            }
        });
        add("no idle time-out", options -> new MariaDbDialect(options) {
            @Override
            void boundIdleness(Connection connection) {}
        });
        add("the idle time-out stays", options -> new MariaDbDialect(options) {
            @Override
            public void leave(Connection connection) {}
        });
        add("writers raise the fence", options -> new MariaDbDialect(options) {
            @Override
            Optional<FenceRow> lockedRow(Connection connection, ResourceName resource) throws SQLException {
                FenceTable.raise(connection, FenceTable.RAISE, resource, FenceStamps.NEW, Long.MAX_VALUE);
                return super.lockedRow(connection, resource);
            }
        });
        add("seal: not idempotent", options -> new MariaDbDialect(options) {
            @Override
            boolean stands(Optional<FenceRow> now, Stamp stamp) {
                return false;
            }
        });
        for (String collation : List.of("utf8mb4_general_ci", "utf8mb4_bin")) {
            add("key of collation " + collation, options -> ofCollation(options, collation));
        }
        NaiveRows.judges()
                .forEach((name, judge) -> add(name, options -> new MariaDbDialect(options) {
                    @Override
                    Optional<Refusal> judge(Optional<FenceRow> row, Stamp stamp) {
                        return judge.judge(row, stamp);
                    }
                }));
        NaiveRows.raises()
                .forEach((name, change) -> add(name, options -> new MariaDbDialect(options) {
                    @Override
                    int raiseRow(
                            Connection connection, ResourceName resource, Stamp stamp, long maxJump, Deadline deadline)
                            throws SQLException {
                        String raise = MariaDb.within(deadline) + change.apply(FenceTable.RAISE);
                        return FenceTable.raise(connection, raise, resource, stamp, maxJump);
                    }
                }));
        assertThat(SiteContract.survivors("MariaDB", mutants, EQUIVALENT, AT_ONCE))
                .as("mutants that no story caught")
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
                    MariaDb.execute(connection, sql);
                }
                return super.init(connection, resource, role, storeId, deadline);
            }
        };
    }
}
