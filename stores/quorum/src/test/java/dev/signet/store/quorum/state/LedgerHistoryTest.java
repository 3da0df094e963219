package dev.signet.store.quorum.state;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * A ledger answers as the reference store does, whatever it is asked, and so does its replica, from the same bytes of a log, also
 * when it was restored from a snapshot on the way.
 */
final class LedgerHistoryTest {

    private static final int SEEDS = 100;
    private static final int STEPS = 400;

    private static final List<String> ALL = List.of(
            "opened",
            "opened again",
            "refused SESSION_ENDED",
            "refused LEASE_OUT_OF_RANGE",
            "renewed",
            "closed",
            "expired",
            "enlisted",
            "withdrawn",
            "granted",
            "granted again",
            "denied HELD",
            "denied MOVED",
            "denied SESSION_GONE",
            "denied RELEASED",
            "denied TOKENS_EXHAUSTED",
            "released",
            "not released",
            "reserved",
            "refused NOT_HOLDER",
            "refused TARGET_NOT_CAMPAIGNING",
            "lapsed",
            "lapsed too late",
            "stale");

    @Test
    void noHistoryTellsItFromTheReferenceStore() {
        Tally tally = new Tally();
        for (int seed = 0; seed < SEEDS; seed++) {
            LedgerHistory.run(seed, STEPS, tally);
        }
        System.out.println("ledger histories: " + tally);
        assertThat(ALL).allSatisfy(what -> assertThat(tally.of(what)).as(what).isGreaterThan(10));
    }
}
