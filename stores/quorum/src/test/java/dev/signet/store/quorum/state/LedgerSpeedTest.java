package dev.signet.store.quorum.state;

import static org.assertj.core.api.Assertions.assertThat;

import dev.signet.Role;
import dev.signet.store.SessionId;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** How long things take, as a line to read: what a machine is busy with beside it decides, so nothing is claimed. */
final class LedgerSpeedTest extends LedgerFixture {

    private static final int ROUNDS = 6;
    private static final int TAKES = 10_000;
    private static final int ROLES = 100_000;

    @Test
    void tenThousandRolesAreTakenAndGivenUpTogether() {
        SessionId session = session("ada");
        List<byte[]> entries = entries(session, TAKES);
        long taking = Long.MAX_VALUE;
        long ending = Long.MAX_VALUE;
        for (int round = 0; round < ROUNDS; round++) {
            Ledger fresh = founded();
            fresh.apply(new Command.Open(HERE, Samples.opening(session, id("ada"))), RAFT_TERM);
            long start = System.nanoTime();
            for (byte[] entry : entries) {
                granted(fresh.apply(entry, RAFT_TERM));
            }
            long taken = System.nanoTime();
            fresh.apply(new Command.Close(HERE, session), RAFT_TERM);
            ending = Math.min(ending, System.nanoTime() - taken);
            taking = Math.min(taking, taken - start);
            assertThat(fresh.takeChanged()).hasSize(TAKES);
        }
        System.out.printf(
                "ledger: %d roles taken in %.1f ms, given up in %.1f ms%n", TAKES, taking / 1e6, ending / 1e6);
    }

    @Test
    void aHundredThousandRolesAreSavedAndRestored() throws Unreadable {
        SessionId session = session("ada");
        open("ada");
        entries(session, ROLES).forEach(entry -> granted(ledger.apply(entry, RAFT_TERM)));
        long start = System.nanoTime();
        byte[] snapshot = ledger.snapshot();
        long saved = System.nanoTime();
        Ledger restored = Ledger.restore(snapshot);
        long end = System.nanoTime();
        System.out.printf(
                "ledger: %d roles are %.1f MB, saved in %.0f ms, restored in %.0f ms%n",
                ROLES, snapshot.length / 1e6, (saved - start) / 1e6, (end - saved) / 1e6);
        assertThat(restored.heldDigest(HERE, session))
                .isEqualTo(ledger.heldDigest(HERE, session))
                .isPresent();
    }

    private static List<byte[]> entries(SessionId session, int count) {
        List<byte[]> entries = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            entries.add(Codec.bytes(new Command.Take(HERE, Samples.acquire(session, Role.of("role-" + i)))));
        }
        return entries;
    }
}
