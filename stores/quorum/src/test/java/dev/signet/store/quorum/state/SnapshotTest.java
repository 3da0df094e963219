package dev.signet.store.quorum.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.signet.Namespace;
import dev.signet.Role;
import dev.signet.store.Release;
import dev.signet.store.SessionId;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A snapshot holds all of a ledger, and only a whole one is taken. */
final class SnapshotTest extends LedgerFixture {

    private static final Namespace ELSEWHERE = new Namespace("elsewhere");

    /** Something of everything: two namespaces, a holder, one whose session ended, a reservation, attempts. */
    @BeforeEach
    void fill() {
        open("eve");
        open("ada");
        open("bob");
        open("bob");
        enlist("bob");
        take("ada", 1);
        keep("ada", 1, "bob", Duration.ofSeconds(5));
        take("eve", 3);
        tell(new Command.Free(HERE, new Release(session("eve"), LEDGER, 4, 0)));
        tell(new Command.Take(HERE, Samples.acquire(session("eve"), Role.of("a\u00e9"))));
        tell(new Command.Open(ELSEWHERE, Samples.opening(new SessionId("x"), id("zoe"))));
        tell(new Command.Take(ELSEWHERE, Samples.acquire(new SessionId("x"), LEDGER)));
        tell(new Command.Close(ELSEWHERE, new SessionId("x")));
        close("z");
        close("y");
    }

    @Test
    void whatIsRestoredIsWhatWas() throws Unreadable {
        Ledger restored = Ledger.restore(ledger.snapshot());

        assertThat(restored.snapshot()).isEqualTo(ledger.snapshot());
        assertThat(restored.storeId()).isEqualTo(ledger.storeId());
        assertThat(restored.sessions()).isEqualTo(ledger.sessions()).hasSize(3);
        assertThat(restored.reservations()).isEqualTo(ledger.reservations()).hasSize(1);
        for (Namespace namespace : List.of(HERE, ELSEWHERE)) {
            assertThat(restored.roles(namespace))
                    .isEqualTo(ledger.roles(namespace))
                    .isNotEmpty();
        }
        for (LiveSession live : ledger.sessions()) {
            assertThat(restored.held(HERE, live.session())).isEqualTo(ledger.held(HERE, live.session()));
            assertThat(restored.heldDigest(HERE, live.session())).isEqualTo(ledger.heldDigest(HERE, live.session()));
        }
        assertThat(restored.takeChanged()).isEmpty();
    }

    @Test
    void anEmptyLedgerIsRestoredToo() throws Unreadable {
        Ledger empty = new Ledger();
        empty.apply(new Command.Withdraw(HERE, session("ada"), LEDGER), 1);

        assertThat(empty.snapshot()).isEqualTo(new Ledger().snapshot());
        assertThat(Ledger.restore(empty.snapshot()).snapshot()).isEqualTo(empty.snapshot());
    }

    @Test
    void everyTruncationIsRefused() {
        byte[] snapshot = ledger.snapshot();
        for (int length = 0; length < snapshot.length; length++) {
            byte[] cut = Arrays.copyOf(snapshot, length);
            assertThatThrownBy(() -> Ledger.restore(cut))
                    .isInstanceOf(Unreadable.class)
                    .hasMessageContaining("cut short");
        }
        assertRefused("says that it has " + snapshot.length, Arrays.copyOf(snapshot, snapshot.length + 1));
    }

    @Test
    void everyFlippedBitIsRefused() {
        byte[] snapshot = ledger.snapshot();
        for (int bit = 0; bit < 8 * snapshot.length; bit++) {
            byte[] flipped = snapshot.clone();
            flipped[bit / 8] ^= (byte) (1 << (bit % 8));
            assertRefused("damaged", flipped);
        }
    }

    @Test
    void aNewerVersionIsRefusedByName() {
        byte[] newer = ledger.snapshot();
        ByteBuffer.wrap(newer).putInt(4, 2);

        assertRefused("version 2 and this program reads 1: it was written by a newer program", sealed(newer));
    }

    @Test
    void whatIsNoSnapshotIsRefusedByName() {
        assertRefused("no snapshot of a ledger", utf8("{\"ledger\": \"of another kind\"}"));
    }

    @Test
    void aSessionThatIsThereTwiceIsRefused() {
        assertRefused("a session is there twice", with("bob-session", "ada-session"));
        assertRefused("a session that ended is there twice", with("z-session", "y-session"));
        close("xyz");
        assertRefused("a session that ended is there twice", with("xyz-session", "ada-session"));
        assertRefused("names a session that does not live", with("ada-session", "AdA-session"));
    }

    /** Else the next grant could be refused by the words of the domain, in every voter at once. */
    @Test
    void aRoleWithNumbersThatNobodyReachesIsRefused() {
        ByteBuffer record = ByteBuffer.allocate(27)
                .putInt(6)
                .put(utf8("ledger"))
                .putLong(view().version())
                .putLong(view().lastToken())
                .put((byte) 1);
        int at = latin(ledger.snapshot()).indexOf(latin(record.array()));
        assertThat(at).isPositive();
        for (int number : new int[] {at + 10, at + 18}) {
            for (int highByte : new int[] {0x80, 0x7f}) {
                byte[] mutant = ledger.snapshot();
                mutant[number] = (byte) highByte;
                assertRefused("a role's number is", sealed(mutant));
            }
        }
    }

    /** The first text of this kind, which is in the list of sessions, becomes the other, which is as long. */
    private byte[] with(String session, String other) {
        String bytes = latin(ledger.snapshot());
        int at = bytes.indexOf(session);
        assertThat(at).as("where %s is", session).isPositive();
        String replaced = bytes.substring(0, at) + other + bytes.substring(at + other.length());
        return sealed(replaced.getBytes(StandardCharsets.ISO_8859_1));
    }

    private static String latin(byte[] bytes) {
        return new String(bytes, StandardCharsets.ISO_8859_1);
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    /** Whatever has the right checksum all the same: it is refused, or is the one snapshot of what it is read to. */
    @Test
    void whateverTheContentNothingElseIsThrown() {
        Random random = new Random(3);
        byte[] snapshot = ledger.snapshot();
        int read = 0;
        for (int round = 0; round < 20_000; round++) {
            byte[] mutant = snapshot.clone();
            for (int i = random.nextInt(3); i >= 0; i--) {
                int at = 12 + random.nextInt(snapshot.length - 16);
                mutant[at] =
                        (byte) (random.nextBoolean() ? mutant[at] ^ (1 << random.nextInt(8)) : random.nextInt(256));
            }
            sealed(mutant);
            Ledger restored;
            try {
                restored = Ledger.restore(mutant);
            } catch (Unreadable refused) {
                assertThat(refused.getMessage()).isNotEmpty();
                continue;
            }
            read++;
            assertThat(restored.snapshot()).isEqualTo(mutant);
            Samples.COMMANDS.forEach(command -> restored.apply(command, RAFT_TERM));
        }
        assertThat(read).as("read all the same").isBetween(1_000, 19_000);
    }

    private static void assertRefused(String why, byte[] snapshot) {
        assertThatThrownBy(() -> Ledger.restore(snapshot))
                .isInstanceOf(Unreadable.class)
                .hasMessageContaining(why);
    }

    private static byte[] sealed(byte[] snapshot) {
        CRC32C crc = new CRC32C();
        crc.update(snapshot, 0, snapshot.length - 4);
        ByteBuffer.wrap(snapshot).putInt(snapshot.length - 4, (int) crc.getValue());
        return snapshot;
    }
}
