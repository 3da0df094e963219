package dev.signet.store.quorum.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.signet.Namespace;
import dev.signet.Role;
import dev.signet.StoreId;
import dev.signet.store.RoleView;
import dev.signet.store.SessionId;
import dev.signet.store.quorum.state.Command;
import dev.signet.store.quorum.state.Reply;
import dev.signet.store.quorum.state.Unreadable;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/** Bytes between candidates and voters: what is read is what was written, and what was not written is unreadable. */
final class MessagesTest {

    private static final Namespace HERE = new Namespace("pr\u00f6d");
    private static final SessionId SESSION = new SessionId("0123");
    private static final Role ROLE = Role.of("r\u00f4le \uD83D\uDC51");
    private static final Address ELSEWHERE = new Address("b.example", 7400);
    private static final Address SIXTH = new Address("[::1]", 65_535);
    private static final Peek PEEK =
            new Peek("2", new UUID(-1, 7), Long.MAX_VALUE, true, Set.of("1", "2", "3"), Optional.of(new StoreId("s")));
    private static final Peek EMPTY = new Peek("", new UUID(0, 0), -1, false, Set.of(), Optional.empty());

    private interface Reads<T> {
        T read(byte[] bytes) throws Unreadable;
    }

    /** What messages of one kind look like, and how they are read. */
    record Codec<T>(String name, List<T> samples, Function<T, byte[]> write, Reads<T> read) {

        Stream<byte[]> written() {
            return samples.stream().map(write);
        }

        @Override
        public String toString() {
            return name;
        }
    }

    private static final Codec<Question> QUESTIONS = new Codec<>(
            "question",
            List.of(
                    new Question.Change(new Command.Close(HERE, SESSION)),
                    new Question.Renew(HERE, SESSION),
                    new Question.Held(HERE, SESSION),
                    new Question.Read(HERE, ROLE),
                    new Question.Roles(HERE),
                    new Question.Candidates(HERE, ROLE)),
            Messages::encode,
            Messages::question);

    private static final Codec<Answered> ANSWERS = new Codec<>(
            "answer",
            List.of(
                    new Answered.Told(new Reply.Renewed(-5)),
                    new Answered.Elsewhere(Optional.empty(), ""),
                    new Answered.Elsewhere(Optional.of(ELSEWHERE), "w\u00ebil"),
                    new Answered.Elsewhere(Optional.of(SIXTH), "why")),
            Messages::encode,
            Messages::answered);

    private static final Codec<News> NEWS = new Codec<>(
            "news",
            List.of(
                    new News.Seen(HERE, List.of()),
                    new News.Seen(HERE, List.of(RoleView.absent(ROLE), RoleView.absent(Role.of("other")))),
                    new News.Quiet(),
                    new News.Over(Optional.empty()),
                    new News.Over(Optional.of(ELSEWHERE))),
            Messages::encode,
            Messages::news);

    static final List<Codec<?>> CODECS = List.of(
            QUESTIONS,
            ANSWERS,
            NEWS,
            new Codec<>(
                    "interest",
                    List.of(
                            new Interest(HERE, List.of(ROLE, Role.of("other")), true),
                            new Interest(HERE, List.of(ROLE), false)),
                    Messages::encode,
                    Messages::interest),
            new Codec<>("peek", List.of(PEEK, EMPTY), Messages::encode, Messages::peek),
            new Codec<>(
                    "status",
                    List.of(
                            new VoterStatus(PEEK, true, false, Optional.of("3"), 9, 8, 7, 6),
                            new VoterStatus(EMPTY, false, true, Optional.empty(), -1, -1, 0, 0)),
                    Messages::encode,
                    Messages::status),
            new Codec<>(
                    "replacement",
                    List.of(new Replacement("1", "4", ELSEWHERE)),
                    Messages::encode,
                    Messages::replacement));

    @Test
    void thereIsASampleOfEachKind() {
        assertKinds(QUESTIONS.samples(), Question.class);
        assertKinds(ANSWERS.samples(), Answered.class);
        assertKinds(NEWS.samples(), News.class);
    }

    private static void assertKinds(List<?> samples, Class<?> all) {
        assertThat(samples.stream().<Class<?>>map(Object::getClass).distinct())
                .containsExactlyInAnyOrder(all.getPermittedSubclasses());
    }

    @ParameterizedTest
    @FieldSource("CODECS")
    <T> void itIsReadAsItWasWritten(Codec<T> codec) throws Unreadable {
        for (T sample : codec.samples()) {
            assertThat(codec.read().read(codec.write().apply(sample))).isEqualTo(sample);
        }
    }

    @ParameterizedTest
    @FieldSource("CODECS")
    void whatIsCutShortOrGoesOnIsUnreadable(Codec<?> codec) {
        codec.written().forEach(bytes -> {
            for (int length = 0; length < bytes.length; length++) {
                assertUnreadable(codec, Arrays.copyOf(bytes, length));
            }
            assertUnreadable(codec, Arrays.copyOf(bytes, bytes.length + 1));
        });
    }

    /** One day there will be more of them: this version says that it does not know them, and guesses nothing. */
    @ParameterizedTest
    @FieldSource("CODECS")
    void anotherVersionAndAnotherKindAreUnreadable(Codec<?> codec) {
        codec.written().forEach(bytes -> {
            assertUnreadable(codec, changed(bytes, 0, 2));
            assertUnreadable(codec, changed(bytes, 1, 99));
        });
    }

    private static byte[] changed(byte[] bytes, int at, int to) {
        byte[] changed = bytes.clone();
        changed[at] = (byte) to;
        return changed;
    }

    private static void assertUnreadable(Codec<?> codec, byte[] bytes) {
        assertThatThrownBy(() -> codec.read().read(bytes))
                .as("%s of %s", codec, Arrays.toString(bytes))
                .isInstanceOf(Unreadable.class)
                .hasMessageNotContaining("null");
    }

    /** Bytes of chance, and true ones with some of them changed. Anything but {@link Unreadable} fails the test. */
    @ParameterizedTest
    @FieldSource("CODECS")
    void whateverTheBytesNothingElseIsThrown(Codec<?> codec) {
        Random random = new Random(codec.name().hashCode());
        List<byte[]> written = codec.written().toList();
        int read = 0;
        int unreadable = 0;
        for (int round = 0; round < 3_000; round++) {
            byte[] bytes = mutated(random, written.get(random.nextInt(written.size())));
            try {
                read += codec.read().read(bytes) == null ? 0 : 1;
            } catch (Unreadable e) {
                unreadable++;
            }
        }
        assertThat(read).as("read all the same").isPositive();
        assertThat(unreadable).isGreaterThan(300);
    }

    private static byte[] mutated(Random random, byte[] bytes) {
        if (random.nextInt(8) == 0) {
            byte[] chance = new byte[random.nextInt(40)];
            random.nextBytes(chance);
            return chance;
        }
        byte[] mutant = bytes.clone();
        for (int i = 1 + random.nextInt(3); i > 0; i--) {
            mutant[random.nextInt(mutant.length)] = (byte) random.nextInt(256);
        }
        return mutant;
    }

    /** Why a voter cannot say is for people, and may come from anywhere: that it is long must not keep the answer back. */
    @Test
    void aReasonThatIsTooLongIsCutShort() throws Unreadable {
        String endless = "\u20ac".repeat(70_000);

        Answered read = Messages.answered(Messages.encode(new Answered.Elsewhere(Optional.of(ELSEWHERE), endless)));

        assertThat(read).isInstanceOfSatisfying(Answered.Elsewhere.class, elsewhere -> {
            assertThat(elsewhere.leader()).contains(ELSEWHERE);
            assertThat(elsewhere.why()).hasSizeGreaterThan(100);
            assertThat(endless).startsWith(elsewhere.why());
        });
    }
}
