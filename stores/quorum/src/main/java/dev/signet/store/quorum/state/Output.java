package dev.signet.store.quorum.state;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/** Bytes on their way out: numbers with the high byte first, texts and lists with their length before them. Mutable. */
final class Output {

    private final Consumer<String> check;
    private ByteBuffer buffer = ByteBuffer.allocate(256);

    Output() {
        this(text -> {});
    }

    /** @param check refuses a text by throwing */
    Output(Consumer<String> check) {
        this.check = check;
    }

    Output u8(int value) {
        room(1).put((byte) value);
        return this;
    }

    Output i32(int value) {
        room(4).putInt(value);
        return this;
    }

    Output i64(long value) {
        room(8).putLong(value);
        return this;
    }

    Output flag(boolean value) {
        return u8(value ? 1 : 0);
    }

    Output text(String text) {
        check.accept(text);
        byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
        i32(utf8.length);
        room(utf8.length).put(utf8);
        return this;
    }

    <T> Output optional(Optional<T> value, BiConsumer<Output, ? super T> write) {
        flag(value.isPresent());
        value.ifPresent(present -> write.accept(this, present));
        return this;
    }

    <T> Output list(Collection<T> values, BiConsumer<Output, ? super T> write) {
        i32(values.size());
        values.forEach(value -> write.accept(this, value));
        return this;
    }

    /** Over what was written before, from that offset on. */
    Output i32At(int offset, int value) {
        buffer.putInt(offset, value);
        return this;
    }

    int size() {
        return buffer.position();
    }

    byte[] bytes() {
        byte[] bytes = new byte[buffer.position()];
        buffer.get(0, bytes);
        return bytes;
    }

    private ByteBuffer room(int more) {
        if (buffer.remaining() < more) {
            ByteBuffer larger = ByteBuffer.allocate(Math.max(2 * buffer.capacity(), buffer.position() + more));
            larger.put(buffer.flip());
            buffer = larger;
        }
        return buffer;
    }
}
