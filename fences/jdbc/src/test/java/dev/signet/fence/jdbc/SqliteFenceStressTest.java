package dev.signet.fence.jdbc;

import static dev.signet.fence.jdbc.Ledger.ROLE;
import static dev.signet.fence.jdbc.Ledger.STORE;
import static dev.signet.fence.jdbc.Ledger.insert;
import static dev.signet.fence.jdbc.Ledger.isDone;
import static dev.signet.fence.jdbc.Ledger.stamp;
import static org.assertj.core.api.Assertions.assertThat;

import dev.signet.FenceException;
import dev.signet.Stamp;
import dev.signet.WriteRefusedException;
import dev.signet.fence.Refusal;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Writers at full speed, each of which goes on under its old term long after it was refused, against forty seals.
 *
 * <p>The oracle has no clock: SQLite commits one transaction at a time, so the ledger's ids are the order of commits.
 * After a seal was answered done the highest id is noted, and a row of a lower token with a higher id is a violation.
 */
@Tag("process")
class SqliteFenceStressTest {

    private static final int STUBBORN = 20;

    @ParameterizedTest
    @CsvSource({"8, wal, 40", "32, wal, 40", "8, delete, 10"})
    void noRowOfAnOldTermLandsAfterASeal(int writers, String journal, int seals) throws Exception {
        try (Race race = new Race(journal, writers, seals, true)) {
            race.run();
            race.print("fenced");
            assertThat(race.violations()).isZero();
            assertThat(race.stale.get()).isGreaterThan(seals);
            assertThat(race.ledger.count()).isGreaterThan(seals);
        }
    }

    @ParameterizedTest
    @CsvSource("8, wal, 10")
    void withoutAFenceTheOracleSeesViolations(int writers, String journal, int seals) throws Exception {
        try (Race race = new Race(journal, writers, seals, false)) {
            race.run();
            race.print("control");
            assertThat(race.violations()).isPositive();
        }
    }

    private static final class Race implements AutoCloseable {

        private final Ledger ledger;
        private final String journal;
        private final int writers;
        private final boolean fenced;
        private final AtomicReference<Stamp> current = new AtomicReference<>(stamp(1));
        private final AtomicLong busy = new AtomicLong();
        private final AtomicLong stale = new AtomicLong();
        private final int seals;
        private final long[] sealNanos;
        private volatile boolean over;

        Race(String journal, int writers, int seals, boolean fenced) throws Exception {
            this.seals = seals;
            this.sealNanos = new long[seals];
            this.journal = journal;
            this.writers = writers;
            this.fenced = fenced;
            ledger = new Ledger(new SqliteDialect(), journal);
            ledger.run("CREATE TABLE sealed (token INTEGER, after_id INTEGER)");
            ledger.fence.init(ROLE, STORE);
            ledger.sealed(current.get());
        }

        void run() throws Exception {
            ExecutorService threads = Executors.newFixedThreadPool(writers);
            List<Future<?>> running = new ArrayList<>();
            for (int i = 0; i < writers; i++) {
                running.add(threads.submit(() -> {
                    write();
                    return null;
                }));
            }
            for (int i = 0; i < seals; i++) {
                Thread.sleep(20);
                Stamp next = stamp(current.get().token().value() + 1);
                long asked = System.nanoTime();
                while (!isDone(ledger.seal(next, Duration.ofSeconds(10)))) {
                    Thread.onSpinWait();
                }
                sealNanos[i] = System.nanoTime() - asked;
                note(next);
                current.set(next);
            }
            Thread.sleep(20);
            over = true;
            threads.shutdown();
            assertThat(threads.awaitTermination(30, TimeUnit.SECONDS)).isTrue();
            for (Future<?> writer : running) {
                writer.get();
            }
        }

        /** One connection and one fence per writer, as from a pool. */
        private void write() throws SQLException {
            try (Connection connection = new Place(ledger.source, JdbcFenceOptions.DEFAULTS, null)
                            .connect(Deadline.in(Duration.ofSeconds(30)));
                    JdbcFence fence = new JdbcFence(
                            new OneConnection(connection),
                            ledger.fence.resource(),
                            JdbcFenceOptions.DEFAULTS,
                            new SqliteDialect())) {
                while (!over) {
                    Stamp stamp = current.get();
                    for (int refused = 0; refused < STUBBORN && !over; ) {
                        if (!writeOne(connection, fence, stamp)) {
                            refused++;
                        }
                        if (!fenced && current.get() != stamp) {
                            refused++; // it has heard of the other leader, and finishes what it began
                        }
                    }
                }
                stale.addAndGet(fence.refusals().getOrDefault(Refusal.STALE, 0L));
            }
        }

        private boolean writeOne(Connection connection, JdbcFence fence, Stamp stamp) throws SQLException {
            try {
                if (fenced) {
                    fence.inTransaction(stamp, inside -> {
                        row(inside, stamp);
                        return "";
                    });
                } else {
                    row(connection, stamp);
                }
                return true;
            } catch (WriteRefusedException e) {
                return false;
            } catch (FenceException e) {
                assertThat(e.outcome()).as(e.getMessage()).isEqualTo(FenceException.Outcome.RETRY);
            } catch (SQLException e) {
                assertThat(Sqlite.isBusy(e)).as(e.getMessage()).isTrue();
            }
            busy.incrementAndGet();
            return true;
        }

        private static void row(Connection connection, Stamp stamp) throws SQLException {
            insert(connection, Thread.currentThread().getId() + "-" + System.nanoTime(), stamp);
        }

        private void note(Stamp sealed) throws SQLException {
            Deadline.in(Duration.ofSeconds(30))
                    .retry(
                            () -> ledger.run(
                                    "INSERT INTO sealed SELECT " + sealed.token() + ", ifnull(max(id), 0) FROM ledger"),
                            Sqlite::isBusy,
                            Deadline.EAGER_NANOS);
        }

        long violations() throws SQLException {
            return ledger.number("SELECT count(*) FROM ledger l WHERE EXISTS (SELECT 1 FROM sealed s"
                    + " WHERE l.signet_token < s.token AND l.id > s.after_id)");
        }

        void print(String what) throws SQLException {
            long[] sorted = sealNanos.clone();
            Arrays.sort(sorted);
            System.out.printf(
                    "FIGURE %s, %d writers, journal %s: %d seals, p50 %.1f ms, p95 %.1f ms, max %.1f ms; %d rows committed,"
                            + " %d refused as stale, %d gave up busy; %d violations%n",
                    what,
                    writers,
                    journal,
                    seals,
                    sorted[seals / 2] / 1e6,
                    sorted[seals * 95 / 100] / 1e6,
                    sorted[seals - 1] / 1e6,
                    ledger.count(),
                    stale.get(),
                    busy.get(),
                    violations());
        }

        @Override
        public void close() throws SQLException, java.io.IOException {
            over = true;
            ledger.close();
        }
    }
}
