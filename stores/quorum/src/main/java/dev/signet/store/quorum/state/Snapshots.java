package dev.signet.store.quorum.state;

import java.util.Arrays;
import java.util.zip.CRC32C;

/**
 * The envelope of a snapshot: four letters, a version, the length of the whole, the body, and the CRC-32C of all that. What was
 * cut short, damaged, or written in a newer version is refused, and the message says which of these it is.
 */
final class Snapshots {

    /** "SGNL": Signet's ledger. */
    private static final int MAGIC = 0x53474E4C;

    private static final int VERSION = 1;
    private static final int LENGTH_AT = 8;
    private static final int HEAD = 12;
    private static final int TAIL = 4;

    private Snapshots() {}

    static byte[] seal(LedgerFormat body) {
        Output out = new Output().i32(MAGIC).i32(VERSION).i32(0);
        body.write(out);
        out.i32At(LENGTH_AT, out.size() + TAIL);
        return out.i32(crc(out.bytes())).bytes();
    }

    static Ledger open(byte[] snapshot) throws Unreadable {
        if (snapshot.length < HEAD + TAIL) {
            throw new Unreadable("a snapshot of " + snapshot.length + " bytes is cut short");
        }
        Input head = new Input(snapshot);
        if (head.i32() != MAGIC) {
            throw new Unreadable("this is no snapshot of a ledger, or its head is damaged");
        }
        int version = head.i32();
        int length = head.i32();
        if (version != VERSION) {
            throw new Unreadable("the snapshot has version " + version + " and this program reads " + VERSION
                    + ": it was written by a newer program, or its head is damaged");
        }
        if (length != snapshot.length) {
            throw new Unreadable("the snapshot has " + snapshot.length + " bytes and says that it has " + length
                    + ": it was cut short, or its head is damaged");
        }
        byte[] sealed = Arrays.copyOf(snapshot, snapshot.length - TAIL);
        int crc = new Input(Arrays.copyOfRange(snapshot, snapshot.length - TAIL, snapshot.length)).i32();
        if (crc != crc(sealed)) {
            throw new Unreadable("the snapshot is damaged: its checksum is not that of its content");
        }
        return Input.whole(Arrays.copyOfRange(sealed, HEAD, sealed.length), LedgerFormat::read);
    }

    private static int crc(byte[] bytes) {
        CRC32C crc = new CRC32C();
        crc.update(bytes, 0, bytes.length);
        return (int) crc.getValue();
    }
}
