package dev.signet.store.quorum.state;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What {@link Output} wrote, on its way in. It believes no length: nothing is set aside for what is not there, and there is one
 * way only to write each thing. Mutable.
 */
final class Input {

    private final ByteBuffer buffer;

    Input(byte[] bytes) {
        buffer = ByteBuffer.wrap(bytes);
    }

    /** What to read with. It may also refuse by an {@link IllegalArgumentException}. */
    interface Part<T> {
        T read(Input in) throws Unreadable;
    }

    /** The whole of the bytes, and nothing but that. */
    static <T> T whole(byte[] bytes, Part<T> part) throws Unreadable {
        Input in = new Input(bytes);
        T value;
        try {
            value = part.read(in);
        } catch (IllegalArgumentException refused) {
            throw new Unreadable(String.valueOf(refused.getMessage()), refused);
        }
        if (in.buffer.hasRemaining()) {
            throw new Unreadable(in.buffer.remaining() + " bytes too many");
        }
        return value;
    }

    int u8() throws Unreadable {
        return need(1).get() & 0xff;
    }

    int i32() throws Unreadable {
        return need(4).getInt();
    }

    long i64() throws Unreadable {
        return need(8).getLong();
    }

    boolean flag() throws Unreadable {
        int value = u8();
        if (value > 1) {
            throw new Unreadable("a flag is " + value + ", neither 0 nor 1");
        }
        return value == 1;
    }

    String text() throws Unreadable {
        byte[] utf8 = new byte[length()];
        buffer.get(utf8);
        String text = new String(utf8, StandardCharsets.UTF_8);
        return text.indexOf('\uFFFD') < 0 ? text : strictly(utf8);
    }

    /** Malformed bytes read as U+FFFD, but so do those of U+FFFD. */
    private static String strictly(byte[] utf8) throws Unreadable {
        try {
            CharBuffer text = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(utf8));
            return text.toString();
        } catch (CharacterCodingException malformed) {
            throw new Unreadable("a text is not UTF-8", malformed);
        }
    }

    <T> Optional<T> optional(Part<T> part) throws Unreadable {
        return flag() ? Optional.of(part.read(this)) : Optional.empty();
    }

    /** Each element takes a byte at least. */
    <T> List<T> list(Part<T> part) throws Unreadable {
        int count = length();
        List<T> values = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            values.add(part.read(this));
        }
        return values;
    }

    private int length() throws Unreadable {
        int length = i32();
        if (length < 0 || length > buffer.remaining()) {
            throw new Unreadable("a length is " + length + " where " + buffer.remaining() + " bytes are left");
        }
        return length;
    }

    private ByteBuffer need(int bytes) throws Unreadable {
        if (buffer.remaining() < bytes) {
            throw new Unreadable("it ends too soon");
        }
        return buffer;
    }
}
