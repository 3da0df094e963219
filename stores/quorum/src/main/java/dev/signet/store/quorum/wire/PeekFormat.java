package dev.signet.store.quorum.wire;

import dev.signet.StoreId;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;

/** What a voter says of itself, as part of a message. */
final class PeekFormat {

    private PeekFormat() {}

    static void write(Peek peek, DataOutputStream output) throws IOException {
        output.writeUTF(peek.voter());
        write(peek.group(), output);
        output.writeLong(peek.raftTerm());
        output.writeBoolean(peek.running());
        output.writeByte(peek.voters().size());
        for (String voter : new TreeSet<>(peek.voters())) {
            output.writeUTF(voter);
        }
        output.writeUTF(peek.storeId().map(StoreId::value).orElse(""));
    }

    static Peek peek(DataInputStream input) throws IOException {
        return new Peek(
                input.readUTF(),
                uuid(input),
                input.readLong(),
                input.readBoolean(),
                texts(input),
                Optional.of(input.readUTF()).filter(id -> !id.isEmpty()).map(StoreId::new));
    }

    private static void write(UUID uuid, DataOutputStream output) throws IOException {
        output.writeLong(uuid.getMostSignificantBits());
        output.writeLong(uuid.getLeastSignificantBits());
    }

    private static UUID uuid(DataInputStream input) throws IOException {
        return new UUID(input.readLong(), input.readLong());
    }

    private static Set<String> texts(DataInputStream input) throws IOException {
        Set<String> texts = new TreeSet<>();
        for (int left = input.readUnsignedByte(); left > 0; left--) {
            texts.add(input.readUTF());
        }
        return texts;
    }

    static void write(Map<String, UUID> folders, DataOutputStream output) throws IOException {
        output.writeByte(folders.size());
        for (Map.Entry<String, UUID> folder : new TreeMap<>(folders).entrySet()) {
            output.writeUTF(folder.getKey());
            write(folder.getValue(), output);
        }
    }

    static Map<String, UUID> folders(DataInputStream input) throws IOException {
        Map<String, UUID> folders = new TreeMap<>();
        for (int left = input.readUnsignedByte(); left > 0; left--) {
            folders.put(input.readUTF(), uuid(input));
        }
        return folders;
    }
}
