package dev.signet.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.function.ToLongFunction;

/**
 * What came of a {@link FenceStress}. Immutable.
 *
 * @param sealTimes how long each seal took from when it was first asked for
 * @param unknown seals that were answered unknown, and asked for again
 * @param rows that are in the ledger at the end
 * @param violations rows that were committed after a seal above their token, once for each such seal
 * @param writes what each writer did
 */
public record FenceStressOutcome(SealTimes sealTimes, long unknown, long rows, long violations, List<Writes> writes) {

    /** A seal that takes longer than this is starved. */
    private static final Duration STARVED = Duration.ofSeconds(10);

    /** How a writer writes. */
    public enum Form {
        /** By the adapter's helper. */
        HELPER,
        /** In a transaction of its own, with a check before. */
        BARE,
        /** In a transaction of its own, without. */
        UNCHECKED
    }

    /**
     * What a writer did.
     *
     * @param committed rows
     * @param ofLaterTerms those of them that belong to any term but the first
     * @param stale refused as stale
     * @param retried failed because the database was busy with others
     * @param late committed although a seal above their token was answered before the commit was sent
     */
    public record Writes(Form form, long committed, long ofLaterTerms, long stale, long retried, long late) {}

    /** All seals of a run. */
    public record SealTimes(int seals, Duration p50, Duration p95, Duration p99, Duration longest) {

        static SealTimes of(List<Duration> times) {
            List<Duration> sorted = times.stream().sorted().toList();
            return new SealTimes(
                    sorted.size(),
                    percentile(sorted, 50),
                    percentile(sorted, 95),
                    percentile(sorted, 99),
                    percentile(sorted, 100));
        }

        private static Duration percentile(List<Duration> sorted, int percent) {
            return sorted.get(Math.min(sorted.size() - 1, sorted.size() * percent / 100));
        }
    }

    public FenceStressOutcome {
        writes = List.copyOf(writes);
    }

    public long stale() {
        return sum(Writes::stale);
    }

    public long retried() {
        return sum(Writes::retried);
    }

    /** Rows of whose commit it is known that it was sent after a seal above their token was answered. */
    public long late() {
        return sum(Writes::late);
    }

    private long sum(ToLongFunction<Writes> what) {
        return writes.stream().mapToLong(what).sum();
    }

    /** Fails if a writer got past a seal, or a seal was starved; or if so little happened that this says nothing. */
    public void assertFenced() {
        assertThat(violations).as("rows committed after a seal: %s", this).isZero();
        assertThat(late()).as("commits sent after a seal: %s", this).isZero();
        assertThat(rows).as("rows, of so many commits: %s", this).isEqualTo(sum(Writes::committed));
        assertThat(sealTimes.longest()).as("the slowest seal: %s", this).isLessThan(STARVED);
        for (Form form : List.of(Form.HELPER, Form.BARE)) {
            List<Writes> alike =
                    writes.stream().filter(each -> each.form() == form).toList();
            assertThat(alike).as("%s: rows of later terms: %s", form, this).anyMatch(each -> each.ofLaterTerms() > 0);
            assertThat(alike).as("%s: refused as stale: %s", form, this).anyMatch(each -> each.stale() > 0);
        }
    }

    /** Fails if the oracle has seen nothing; for a control, and for a fence that is wrong on purpose. */
    public void assertSeen() {
        assertThat(violations).as("rows committed after a seal: %s", this).isPositive();
        assertThat(late()).as("commits sent after a seal: %s", this).isPositive();
    }

    /** In one line, for a report. */
    public String figures() {
        return String.format(
                Locale.ROOT,
                "%d seals, p50 %.1f ms, p95 %.1f ms, p99 %.1f ms, max %.1f ms, %d asked again; %d rows committed, %d refused as"
                        + " stale, %d to be retried; %d violations, %d seen by their writer",
                sealTimes.seals(),
                millis(sealTimes.p50()),
                millis(sealTimes.p95()),
                millis(sealTimes.p99()),
                millis(sealTimes.longest()),
                unknown,
                rows,
                stale(),
                retried(),
                violations,
                late());
    }

    private static double millis(Duration time) {
        return time.toNanos() / 1e6;
    }
}
