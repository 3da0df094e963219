package dev.signet.fence.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.signet.ResourceName;
import dev.signet.Stamp;
import dev.signet.fence.Refusal;
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

/** Fences on H2 as one would naively write them: each is wrong in one way, and the clause that it breaks must say so. */
@Tag("process")
@Execution(ExecutionMode.CONCURRENT)
class H2MutantsTest {

    private static final int AT_ONCE = 4;

    private final List<Mutant> mutants = new ArrayList<>();

    private void add(
            String name, FenceClause clause, IsolationLevel level, Function<JdbcFenceOptions, Dialect> dialect) {
        mutants.add(new Mutant("H2: " + name, EnumSet.of(clause), new H2FenceContract(EnumSet.of(level), dialect)));
    }

    private void add(String name, FenceClause clause, Function<JdbcFenceOptions, Dialect> dialect) {
        add(name, clause, IsolationLevel.READ_COMMITTED, dialect);
    }

    @Test
    void everyMutantIsFound() throws Exception {
        for (IsolationLevel level : IsolationLevel.values()) {
            add("plain SELECT at " + level, FenceClause.F4, level, options -> new H2Dialect(options) {
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
        add("check under autocommit", FenceClause.F13, options -> new H2Dialect(options) {
            @Override
            public void requireTransaction(Connection connection) {}
        });
        add("no mark on the transaction", FenceClause.F14, options -> new H2Dialect(options) {
            @Override
            boolean isMarked(Connection connection) {
                return true;
            }
        });
        add("a refusal leaves all as it is", FenceClause.F11, options -> new H2Dialect(options) {
            @Override
            public void undo(Connection connection) {}
        });
        add("the mark stays", FenceClause.F9, options -> new H2Dialect(options) {
            @Override
            public void leave(Connection connection) {}
        });
        add("writers raise the fence", FenceClause.F12, options -> new H2Dialect(options) {
            @Override
            public Verdict admit(Connection connection, ResourceName resource, Stamp stamp) throws SQLException {
                FenceTable.raise(connection, FenceTable.RAISE, resource, stamp, Long.MAX_VALUE);
                return super.admit(connection, resource, stamp);
            }
        });
        add("seal: not idempotent", FenceClause.F3, options -> new H2Dialect(options) {
            @Override
            boolean stands(Optional<FenceRow> now, Stamp stamp) {
                return false;
            }
        });
        NaiveRows.JUDGES.forEach((name, judge) -> add(name, FenceClause.F2, options -> new H2Dialect(options) {
            @Override
            Optional<Refusal> judge(Optional<FenceRow> row, Stamp stamp) {
                return judge.judge(row, stamp);
            }
        }));
        NaiveRows.RAISES.forEach(naive -> add(naive.name(), naive.clause(), options -> new H2Dialect(options) {
            @Override
            int raiseRow(Connection connection, ResourceName resource, Stamp stamp, long maxJump) throws SQLException {
                return FenceTable.raise(connection, naive.change().apply(FenceTable.RAISE), resource, stamp, maxJump);
            }
        }));
        assertThat(Mutant.survivors(mutants, Map.of(), AT_ONCE))
                .as("mutants that no story found")
                .isEmpty();
    }
}
