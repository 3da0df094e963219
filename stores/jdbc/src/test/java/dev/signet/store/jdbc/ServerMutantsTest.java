package dev.signet.store.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.signet.store.jdbc.ServerScenario.Stage;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestReporter;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Each line of the SQL that something safe rests on, changed on its way to the server: a scenario notices. */
@Tag("process")
@Execution(ExecutionMode.CONCURRENT)
class ServerMutantsTest {

    private static final String LOCKING = " FOR UPDATE SKIP LOCKED";

    private enum Mutant {
        ROLE_NOT_LOCKED(ServerScenario.GRANT_NOT_YET_COMMITTED, in("FROM signet_role", LOCKING, "")),
        SESSION_NOT_LOCKED(ServerScenario.RENEWAL_NOT_YET_COMMITTED, in("FROM signet_session", LOCKING, "")),
        DIGEST_NOT_LOCKED(ServerScenario.ONE_SESSION_OVER_TWO_CONNECTIONS, in("FROM signet_holding", LOCKING, "")),
        LOCKS_WAITED_FOR(ServerScenario.SOMEBODY_KEEPS_A_RECORD_LOCKED, in("", LOCKING, " FOR UPDATE")),
        RENEWAL_MEANWHILE_OVERLOOKED(
                ServerScenario.RENEWED_BETWEEN_FINDING_AND_ENDING, in("", "AND renewals = ?", "AND renewals >= 0 * ?")),
        RENEWALS_NOT_COUNTED(
                ServerScenario.RENEWED_BETWEEN_FINDING_AND_ENDING,
                in("", "renewals = renewals + 1", "renewals = renewals")),
        RENEWAL_EXTENDS_NOTHING(
                ServerScenario.RENEWED_BETWEEN_FINDING_AND_ENDING,
                in("UPDATE signet_session", "ends_at_nanos = ?", "ends_at_nanos = ends_at_nanos + 0 * ?")),
        SESSION_NOT_ENDED(
                ServerScenario.OLD_HOLDER_IS_GONE,
                in(
                        "",
                        "DELETE FROM signet_session WHERE number = ?",
                        "DELETE FROM signet_session WHERE number = -1 * ?")),
        END_NOT_REMEMBERED(
                ServerScenario.OPENED_AGAIN_AFTER_ITS_END,
                in("INTO signet_ended_session", "WHERE number = ?", "WHERE number = -1 * ?")),
        RENEWAL_THAT_INSERTS(ServerScenario.ENDED_BETWEEN_FINDING_AND_RENEWING, sql -> sql),
        HOLDERS_SESSION_OVERLOOKED(
                ServerScenario.HOLDER_LIVES, in("", "ON s.number = r.holder", "ON s.number = -r.holder")),
        RECORD_OVERWRITTEN(ServerScenario.RECORD_MADE_BY_ANOTHER, Mutant::overwriting),
        VERSION_STANDS_STILL(
                ServerScenario.DECIDED_ON_AN_OLD_RECORD,
                in("", "version = excluded.version", "version = 1")
                        .andThen(in("", "version = VALUES(version)", "version = 1"))
                        .andThen(in("", "version = ?, holder = NULL", "version = 1 + 0 * ?, holder = NULL"))::apply),
        DIGEST_NOT_NOTED(
                ServerScenario.ONE_SESSION_OVER_TWO_CONNECTIONS,
                in("UPDATE signet_holding", "digest = ?", "digest = 0 * ?")),
        LATE_COMMITS_NOT_ASKED_FOR(
                ServerScenario.COMMITTED_LATE,
                in("SELECT namespace, name, version", "version > ?", "version > ? + 30000000")),
        REPEATABLE_READ(ServerScenario.RECORD_MOVED_IN_THE_MIDST_OF_A_BATCH, sql -> sql),
        RECORD_MADE_IN_THE_TRANSACTION(ServerScenario.STOPPED_AFTER_MAKING_A_RECORD, sql -> sql),
        TIME_OF_THE_TRANSACTION(
                ServerScenario.LEASE_BEGINS_WHEN_THE_CLOCK_IS_READ, in("", "clock_timestamp()", "now()")),
        NOBODY_IS_CALLED(ServerScenario.WAITER_IS_CALLED, in("", "pg_notify('signet', ?)", "'signet' || ?"));

        /** MariaDB's NOW() is that of the statement; and it calls nobody. */
        private static final Set<Mutant> POSTGRESQL_ONLY = EnumSet.of(TIME_OF_THE_TRANSACTION, NOBODY_IS_CALLED);

        private final ServerScenario scenario;
        private final UnaryOperator<String> change;

        Mutant(ServerScenario scenario, UnaryOperator<String> change) {
            this.scenario = scenario;
            this.change = change;
        }

        private static UnaryOperator<String> in(String statement, String from, String to) {
            return sql -> sql.contains(statement) ? sql.replace(from, to) : sql;
        }

        private static String insertingRenewal(String sql, boolean postgres) {
            if (!sql.startsWith("UPDATE signet_session SET boot_id = ?, ends_at_nanos = ?")) {
                return sql;
            }
            return "INSERT INTO signet_session (boot_id, ends_at_nanos, number, namespace, id, candidate, lease_nanos,"
                    + " renewals) " + (postgres ? "OVERRIDING SYSTEM VALUE " : "")
                    + "VALUES (?, ?, ?, 'default', 'again', 'nobody', 1000000000, 0) "
                    + (postgres ? "ON CONFLICT (number) DO UPDATE SET" : "ON DUPLICATE KEY UPDATE")
                    + " renewals = signet_session.renewals + 1";
        }

        private static String overwriting(String sql) {
            if (!sql.contains("INTO signet_role (namespace, name, version, token) VALUES")) {
                return sql;
            }
            return sql.replace("INSERT IGNORE", "REPLACE")
                    .replace(
                            "ON CONFLICT DO NOTHING",
                            "ON CONFLICT (namespace, name) DO UPDATE SET version = 0, token = 0, holder = NULL");
        }

        boolean isFor(Product product) {
            return product == Product.POSTGRESQL || !POSTGRESQL_ONLY.contains(this);
        }
    }

    private static final class Mutation implements Disturbance {

        private final Mutant mutant;
        private final Product product;
        private final AtomicInteger changed = new AtomicInteger();

        Mutation(Mutant mutant, Product product) {
            this.mutant = mutant;
            this.product = product;
        }

        @Override
        public String rewritten(String sql) {
            String other = mutant == Mutant.RENEWAL_THAT_INSERTS
                    ? Mutant.insertingRenewal(sql, product == Product.POSTGRESQL)
                    : mutant.change.apply(sql);
            if (!other.equals(sql)) {
                changed.incrementAndGet();
            }
            return other;
        }

        @Override
        public int isolation(int wanted) {
            if (mutant == Mutant.REPEATABLE_READ && wanted == Connection.TRANSACTION_READ_COMMITTED) {
                changed.incrementAndGet();
                return Connection.TRANSACTION_REPEATABLE_READ;
            }
            return wanted;
        }

        @Override
        public boolean ignoresAutoCommit(boolean wanted) {
            boolean ignores = mutant == Mutant.RECORD_MADE_IN_THE_TRANSACTION
                    && StackWalker.getInstance()
                            .walk(frames -> frames.anyMatch(
                                    frame -> frame.getMethodName().equals("insertForLocking")));
            if (ignores) {
                changed.incrementAndGet();
            }
            return ignores;
        }
    }

    @ParameterizedTest
    @EnumSource(Product.class)
    void asItIsAllScenariosPass(Product product) throws SQLException {
        for (ServerScenario scenario : ServerScenario.values()) {
            if (product == Product.MARIADB && scenario == ServerScenario.WAITER_IS_CALLED) {
                continue;
            }
            try (Stage stage = new Stage(product, Disturbance.NONE)) {
                scenario.play(stage);
            } catch (AssertionError e) {
                throw new AssertionError(scenario + ": " + e.getMessage(), e);
            }
        }
    }

    @ParameterizedTest
    @EnumSource(Product.class)
    void eachMutantIsFound(Product product, TestReporter reporter) {
        List<String> survivors = new ArrayList<>();
        StringBuilder table = new StringBuilder();
        for (Mutant mutant : Mutant.values()) {
            if (!mutant.isFor(product)) {
                continue;
            }
            Mutation mutation = new Mutation(mutant, product);
            boolean found = false;
            // more looks, where the host was too busy for the first
            for (int looks = 0; looks < 4 && !found; looks++) {
                try (Stage stage = new Stage(product, mutation)) {
                    mutant.scenario.play(stage);
                } catch (AssertionError | SQLException e) {
                    found = true;
                }
            }
            if (!found || mutation.changed.get() == 0) {
                survivors.add(mutant + (mutation.changed.get() == 0 ? " (changed nothing)" : ""));
            }
            table.append('\n').append(mutant).append(" | ").append(found ? mutant.scenario : "SURVIVED");
        }
        reporter.publishEntry(product + ": mutants of the SQL, and what finds them", table.toString());
        assertThat(survivors).isEmpty();
    }
}
