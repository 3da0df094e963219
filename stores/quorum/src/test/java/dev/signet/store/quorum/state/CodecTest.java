package dev.signet.store.quorum.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.signet.Namespace;
import dev.signet.Role;
import dev.signet.StoreId;
import dev.signet.store.SessionId;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.text.Normalizer;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/** Bytes of commands and replies: what is read is what was written, and what was not written is unreadable. */
final class CodecTest {

    static final List<Command> COMMANDS = Samples.COMMANDS;
    static final List<Reply> REPLIES = Samples.REPLIES;

    @Test
    void thereIsASampleOfEachKind() {
        assertThat(COMMANDS.stream().<Class<?>>map(Object::getClass).distinct())
                .containsExactlyInAnyOrder(Command.class.getPermittedSubclasses());
        assertThat(REPLIES.stream().<Class<?>>map(Object::getClass).distinct())
                .containsExactlyInAnyOrder(Reply.class.getPermittedSubclasses());
    }

    @ParameterizedTest
    @FieldSource("COMMANDS")
    void aCommandIsReadAsItWasWritten(Command command) throws Unreadable {
        byte[] bytes = Codec.bytes(command);

        assertThat(Codec.command(bytes)).isEqualTo(command);
        assertThat(Codec.bytes(Codec.command(bytes))).isEqualTo(bytes);
    }

    @ParameterizedTest
    @FieldSource("REPLIES")
    void aReplyIsReadAsItWasWritten(Reply reply) throws Unreadable {
        assertThat(Codec.reply(Codec.bytes(reply))).isEqualTo(reply);
    }

    @ParameterizedTest
    @FieldSource("COMMANDS")
    void aCommandThatIsCutShortOrGoesOnIsUnreadable(Command command) {
        byte[] bytes = Codec.bytes(command);
        for (int length = 0; length < bytes.length; length++) {
            byte[] cut = Arrays.copyOf(bytes, length);
            assertThatThrownBy(() -> Codec.command(cut)).isInstanceOf(Unreadable.class);
        }
        assertThatThrownBy(() -> Codec.command(Arrays.copyOf(bytes, bytes.length + 1)))
                .isInstanceOf(Unreadable.class)
                .hasMessageContaining("1 bytes too many");
    }

    @ParameterizedTest
    @FieldSource("REPLIES")
    void aReplyThatIsCutShortOrGoesOnIsUnreadable(Reply reply) {
        byte[] bytes = Codec.bytes(reply);
        for (int length = 0; length < bytes.length; length++) {
            byte[] cut = Arrays.copyOf(bytes, length);
            assertThatThrownBy(() -> Codec.reply(cut)).isInstanceOf(Unreadable.class);
        }
        assertThatThrownBy(() -> Codec.reply(Arrays.copyOf(bytes, bytes.length + 1)))
                .isInstanceOf(Unreadable.class);
    }

    @Test
    void anotherVersionAndAnotherKindAreUnreadableByName() {
        assertUnreadable("version 2", 2, 1);
        assertUnreadable("kind 99", 1, 99);
        assertUnreadable("kind 0", 1, 0);
        assertThatThrownBy(() -> Codec.reply(new byte[] {1, 99})).hasMessageContaining("no reply of kind 99");
    }

    @Test
    void aBatchHoldsNoBatch() {
        assertUnreadable("kind 11", 1, 11, 0, 0, 0, 1, 11, 0, 0, 0, 0);
    }

    /** A length of two thousand million, and nothing behind it. */
    @Test
    void aLengthIsNotBelieved() {
        assertUnreadable("a length is 2130706432 where 0 bytes are left", 1, 1, 127, 0, 0, 0);
        assertUnreadable("a length is -1", 1, 1, 255, 255, 255, 255);
        assertUnreadable("a length is 2130706432", 1, 11, 127, 0, 0, 0);
    }

    @Test
    void whatTheDomainRefusesIsUnreadable() {
        assertUnreadable("is empty", 1, 1, 0, 0, 0, 0);
        assertUnreadable("not UTF-8", 1, 1, 0, 0, 0, 1, 0xff);
        assertUnreadable("control character", 1, 1, 0, 0, 0, 1, 7);
        assertUnreadable("form C", 1, 1, 0, 0, 0, 3, 'e', 0xcc, 0x81);
        assertThatThrownBy(() -> Codec.command(withText(Samples.COMMANDS.get(2), "0123", "0".repeat(201))))
                .isInstanceOf(Unreadable.class)
                .hasMessage("the session id has 201 bytes of UTF-8; the quorum takes 1 to 200");
        assertThatThrownBy(() -> Codec.command(withText(Samples.COMMANDS.get(1), "https://ada.example/x?y#z", "a b")))
                .isInstanceOf(Unreadable.class)
                .hasMessage("an address is no URI");
    }

    @Test
    void whatIsTooLongIsRefusedBeforeItIsWritten() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Command.Close(Namespace.DEFAULT, new SessionId("x".repeat(201))))
                .withMessageContaining("201 bytes");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Command.Close(Namespace.DEFAULT, new SessionId("\uD83D")))
                .withMessageContaining("well-formed");
        Command one = new Command.Found(new StoreId("s"));
        assertThat(new Command.Batch(Collections.nCopies(1_000, one)).commands())
                .hasSize(1_000);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Command.Batch(Collections.nCopies(1_001, one)))
                .withMessageContaining("1001 commands");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Command.Batch(List.of(new Command.Batch(List.of()))))
                .withMessageContaining("no batch");
    }

    /**
     * A noncharacter is unknown to every Java. U+10EFD is unknown to Java 17, to which this name is in form C, and a mark that stands
     * in the wrong place to Java 25.
     */
    @Test
    void aCharacterThatThisJavaDoesNotKnowIsObjectedToButRead() throws Unreadable {
        Command command = new Command.Lapse(Namespace.DEFAULT, Role.of("a\uFFFF"), 1, 1);

        assertThat(Codec.objectionTo(command)).get().asString().contains("U+FFFF");
        assertThat(Codec.objectionTo(new Command.Batch(List.of(command)))).isPresent();
        assertThat(Codec.command(Codec.bytes(command))).isEqualTo(command);
        assertThat(COMMANDS)
                .allSatisfy(known -> assertThat(Codec.objectionTo(known)).isEmpty());
        String mark = "b\u0300\uD803\uDEFD";
        if (Normalizer.isNormalized(mark, Normalizer.Form.NFC)) {
            assertThat(Codec.objectionTo(new Command.Lapse(Namespace.DEFAULT, Role.of(mark), 1, 1)))
                    .isPresent();
        }
    }

    /** Bytes of chance, and true ones with some of them changed: read to what gives the same bytes again, or unreadable. */
    @Test
    void whateverTheBytesNothingElseIsThrown() {
        Random random = new Random(1);
        Ledger ledger = new Ledger();
        int read = 0;
        int supported = 0;
        int unsupported = 0;
        for (int round = 0; round < 60_000; round++) {
            byte[] bytes = mutated(random, Codec.bytes(COMMANDS.get(random.nextInt(COMMANDS.size()))));
            try {
                assertSame(bytes, Codec.bytes(Codec.command(bytes)));
                read++;
            } catch (Unreadable refused) {
                unsupported += ledger.apply(bytes, 1) instanceof Reply.Unsupported ? 1 : 0;
                continue;
            }
            supported += ledger.apply(bytes, 1) instanceof Reply.Unsupported ? 0 : 1;
        }
        assertThat(read).as("read all the same").isBetween(3_000, 57_000).isEqualTo(supported);
        assertThat(unsupported).as("answered that it cannot be read").isEqualTo(60_000 - read);
        assertThat(ledger.snapshot()).isNotEmpty();
    }

    @Test
    void whateverTheBytesOfAReplyNothingElseIsThrown() {
        Random random = new Random(2);
        int read = 0;
        for (int round = 0; round < 40_000; round++) {
            byte[] bytes = mutated(random, Codec.bytes(REPLIES.get(random.nextInt(REPLIES.size()))));
            try {
                assertSame(bytes, Codec.bytes(Codec.reply(bytes)));
                read++;
            } catch (Unreadable refused) {
                assertThat(refused.getMessage()).isNotEmpty();
            }
        }
        assertThat(read).as("read all the same").isBetween(2_000, 38_000);
    }

    /** As AssertJ does it, but often. */
    private static void assertSame(byte[] expected, byte[] actual) {
        if (!Arrays.equals(expected, actual)) {
            assertThat(actual).isEqualTo(expected);
        }
    }

    private static byte[] mutated(Random random, byte[] bytes) {
        int kind = random.nextInt(8);
        if (kind == 0) {
            byte[] chance = new byte[random.nextInt(40)];
            random.nextBytes(chance);
            return chance;
        }
        byte[] mutant = kind == 1 ? Arrays.copyOf(bytes, random.nextInt(bytes.length + 8)) : bytes.clone();
        for (int i = random.nextInt(3); i > 0 && mutant.length > 0; i--) {
            int at = random.nextInt(mutant.length);
            mutant[at] = (byte) (random.nextBoolean() ? mutant[at] ^ (1 << random.nextInt(8)) : random.nextInt(256));
        }
        return mutant;
    }

    private static void assertUnreadable(String why, int... bytes) {
        byte[] command = new byte[bytes.length];
        for (int i = 0; i < bytes.length; i++) {
            command[i] = (byte) bytes[i];
        }
        assertThatThrownBy(() -> Codec.command(command))
                .isInstanceOf(Unreadable.class)
                .hasMessageContaining(why);
        assertThat(new Ledger().apply(command, 1))
                .isInstanceOfSatisfying(
                        Reply.Unsupported.class,
                        reply -> assertThat(reply.why()).contains(why));
    }

    /** The command with another text in the place of the one that it has. */
    private static byte[] withText(Command command, String text, String other) {
        String bytes = latin(Codec.bytes(command));
        return bytes.replace(prefixed(text), prefixed(other)).getBytes(StandardCharsets.ISO_8859_1);
    }

    private static String prefixed(String text) {
        byte[] length = ByteBuffer.allocate(4).putInt(text.length()).array();
        return latin(length) + text;
    }

    private static String latin(byte[] bytes) {
        return new String(bytes, StandardCharsets.ISO_8859_1);
    }
}
