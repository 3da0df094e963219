package dev.signet.fence.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.signet.ResourceName;
import dev.signet.Stamp;
import dev.signet.fence.Refusal;
import dev.signet.testkit.FenceStamps;
import dev.signet.testkit.IsolationLevel;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Fences on H2 as one would naively write them: each is wrong in one way, and a story of the contract must say so. */
@Tag("process")
@Execution(ExecutionMode.CONCURRENT)
class H2MutantsTest {

    private static final int AT_ONCE = 4;

    private final Map<String, SiteContract> mutants = new LinkedHashMap<>();

    private void add(String name, IsolationLevel level, Function<JdbcFenceOptions, Dialect> dialect) {
        mutants.put(name, new SiteContract(() -> H2Site.of(dialect), EnumSet.of(level), H2FenceContractTest.LIMITS));
    }

    private void add(String name, Function<JdbcFenceOptions, Dialect> dialect) {
        add(name, IsolationLevel.READ_COMMITTED, dialect);
    }

    @Test
    void everyMutantIsCaught() throws Exception {
        for (IsolationLevel level : IsolationLevel.values()) {
            add("plain SELECT at " + level, level, options -> new H2Dialect(options) {
                @Override
                Optional<FenceRow> lockedRow(Connection connection, ResourceName resource) throws SQLException {
                    return row(connection, resource);
                }

                /** Without a lock there is no number. */
                @Override
                boolean isMarked(Connection connection) {
                    return true;
                }
            });
        }
        add("check under autocommit", options -> new H2Dialect(options) {
            @Override
            public void requireTransaction(Connection connection) {}
        });
        add("no mark on the transaction", options -> new H2Dialect(options) {
            @Override
            boolean isMarked(Connection connection) {
                return true;
            }
        });
        add("writers raise the fence", options -> new H2Dialect(options) {
            @Override
            Optional<FenceRow> lockedRow(Connection connection, ResourceName resource) throws SQLException {
                FenceTable.raise(connection, FenceTable.RAISE, resource, FenceStamps.NEW, Long.MAX_VALUE);
                return super.lockedRow(connection, resource);
            }
        });
        add("seal: not idempotent", options -> new H2Dialect(options) {
            @Override
            boolean stands(Optional<FenceRow> now, Stamp stamp) {
                return false;
            }
        });
        NaiveRows.judges()
                .forEach((name, judge) -> add(name, options -> new H2Dialect(options) {
                    @Override
                    Optional<Refusal> judge(Optional<FenceRow> row, Stamp stamp) {
                        return judge.judge(row, stamp);
                    }
                }));
        NaiveRows.raises()
                .forEach((name, change) -> add(name, options -> new H2Dialect(options) {
                    @Override
                    int raiseRow(Connection connection, ResourceName resource, Stamp stamp, long maxJump)
                            throws SQLException {
                        return FenceTable.raise(connection, change.apply(FenceTable.RAISE), resource, stamp, maxJump);
                    }
                }));
        assertThat(SiteContract.survivors("H2", mutants, Map.of(), AT_ONCE))
                .as("mutants that no story caught")
                .isEmpty();
    }
}
