package dev.signet.store.quorum.wire;

import dev.signet.Namespace;
import dev.signet.Role;
import dev.signet.store.SessionId;
import dev.signet.store.quorum.state.Codec;
import dev.signet.store.quorum.state.Reply;
import dev.signet.store.quorum.state.Unreadable;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Messages as bytes, and back: a version, a kind, and what belongs to it. Commands and replies are as in the log. */
public final class Messages {

    private static final int VERSION = 1;

    private static final int CHANGE = 1;
    private static final int RENEW = 2;
    private static final int HELD = 3;
    private static final int READ = 4;
    private static final int ROLES = 5;
    private static final int CANDIDATES = 6;

    private static final int TOLD = 1;
    private static final int ELSEWHERE = 2;

    private static final int SEEN = 1;
    private static final int QUIET = 2;
    private static final int OVER = 3;

    private static final int UNWATCHED = 0;
    private static final int WATCHED = 1;

    /** Of messages that are of one kind only. */
    private static final int SOLE = 0;

    private static final int LONGEST_REASON = 1_000;

    private Messages() {}

    private interface Writer {
        void write(DataOutputStream output) throws IOException;
    }

    private interface Reader<T> {
        T read(int kind, DataInputStream input) throws IOException, Unreadable;
    }

    private static byte[] written(int kind, Writer writer) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        DataOutputStream output = new DataOutputStream(bytes);
        try {
            output.writeByte(VERSION);
            output.writeByte(kind);
            writer.write(output);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return bytes.toByteArray();
    }

    private static <T> T read(byte[] bytes, Reader<T> reader) throws Unreadable {
        DataInputStream input = new DataInputStream(new ByteArrayInputStream(bytes));
        try {
            int version = input.readUnsignedByte();
            if (version != VERSION) {
                throw new Unreadable("a message of version " + version + "; this is version " + VERSION);
            }
            T value = reader.read(input.readUnsignedByte(), input);
            if (input.read() >= 0) {
                throw new Unreadable("a message with more after its end");
            }
            return value;
        } catch (EOFException e) {
            throw new Unreadable("a message that is cut short", e);
        } catch (IOException | IllegalArgumentException e) {
            throw new Unreadable("a message that cannot be read: " + e.getMessage(), e);
        }
    }

    private interface SoleReader<T> {
        T read(DataInputStream input) throws IOException;
    }

    private static <T> T readSole(byte[] bytes, SoleReader<T> reader) throws Unreadable {
        return read(bytes, (kind, input) -> {
            if (kind != SOLE) {
                throw unknown(kind);
            }
            return reader.read(input);
        });
    }

    private static Unreadable unknown(int kind) {
        return new Unreadable("a message of unknown kind " + kind);
    }

    public static byte[] encode(Question question) {
        if (question instanceof Question.Change change) {
            return written(CHANGE, output -> output.write(Codec.bytes(change.command())));
        }
        if (question instanceof Question.Renew renew) {
            return written(RENEW, output -> {
                output.writeUTF(renew.namespace().name());
                output.writeUTF(renew.session().value());
            });
        }
        if (question instanceof Question.Held held) {
            return written(HELD, output -> {
                output.writeUTF(held.namespace().name());
                output.writeUTF(held.session().value());
            });
        }
        if (question instanceof Question.Read read) {
            return written(READ, output -> {
                output.writeUTF(read.namespace().name());
                output.writeUTF(read.role().name());
            });
        }
        if (question instanceof Question.Candidates candidates) {
            return written(CANDIDATES, output -> {
                output.writeUTF(candidates.namespace().name());
                output.writeUTF(candidates.role().name());
            });
        }
        return written(
                ROLES,
                output ->
                        output.writeUTF(((Question.Roles) question).namespace().name()));
    }

    public static Question question(byte[] bytes) throws Unreadable {
        return read(bytes, (kind, input) -> switch (kind) {
            case CHANGE -> new Question.Change(Codec.command(input.readAllBytes()));
            case RENEW -> new Question.Renew(namespace(input), new SessionId(input.readUTF()));
            case HELD -> new Question.Held(namespace(input), new SessionId(input.readUTF()));
            case READ -> new Question.Read(namespace(input), Role.of(input.readUTF()));
            case ROLES -> new Question.Roles(namespace(input));
            case CANDIDATES -> new Question.Candidates(namespace(input), Role.of(input.readUTF()));
            default -> throw unknown(kind);
        });
    }

    public static byte[] encode(Answered answered) {
        return answered instanceof Answered.Told told
                ? written(TOLD, output -> output.write(Codec.bytes(told.reply())))
                : written(ELSEWHERE, output -> {
                    Answered.Elsewhere elsewhere = (Answered.Elsewhere) answered;
                    write(elsewhere.leader(), output);
                    String why = elsewhere.why();
                    output.writeUTF(why.substring(0, Math.min(why.length(), LONGEST_REASON)));
                });
    }

    public static Answered answered(byte[] bytes) throws Unreadable {
        return read(bytes, (kind, input) -> switch (kind) {
            case TOLD -> new Answered.Told(Codec.reply(input.readAllBytes()));
            case ELSEWHERE -> new Answered.Elsewhere(address(input), input.readUTF());
            default -> throw unknown(kind);
        });
    }

    public static byte[] encode(News news) {
        if (news instanceof News.Seen seen) {
            return written(SEEN, output -> {
                output.writeUTF(seen.namespace().name());
                output.write(Codec.bytes(new Reply.Roles(seen.views())));
            });
        }
        return news instanceof News.Over over
                ? written(OVER, output -> write(over.leader(), output))
                : written(QUIET, output -> {});
    }

    public static News news(byte[] bytes) throws Unreadable {
        return read(bytes, (kind, input) -> switch (kind) {
            case SEEN -> seen(namespace(input), Codec.reply(input.readAllBytes()));
            case QUIET -> new News.Quiet();
            case OVER -> new News.Over(address(input));
            default -> throw unknown(kind);
        });
    }

    private static News seen(Namespace namespace, Reply reply) throws Unreadable {
        if (reply instanceof Reply.Roles roles) {
            return new News.Seen(namespace, roles.views());
        }
        throw new Unreadable("news that are no views of roles");
    }

    public static byte[] encode(Interest interest) {
        return written(interest.watched() ? WATCHED : UNWATCHED, output -> {
            output.writeUTF(interest.namespace().name());
            output.writeInt(interest.roles().size());
            for (Role role : interest.roles()) {
                output.writeUTF(role.name());
            }
        });
    }

    public static Interest interest(byte[] bytes) throws Unreadable {
        return read(bytes, (kind, input) -> switch (kind) {
            case WATCHED, UNWATCHED -> new Interest(namespace(input), roles(input), kind == WATCHED);
            default -> throw unknown(kind);
        });
    }

    public static byte[] encode(Peek peek) {
        return written(SOLE, output -> PeekFormat.write(peek, output));
    }

    public static Peek peek(byte[] bytes) throws Unreadable {
        return readSole(bytes, PeekFormat::peek);
    }

    public static byte[] encode(Introduction introduction) {
        return written(SOLE, output -> {
            PeekFormat.write(introduction.self(), output);
            output.writeBoolean(introduction.begun());
            PeekFormat.write(introduction.folders(), output);
        });
    }

    public static Introduction introduction(byte[] bytes) throws Unreadable {
        return readSole(
                bytes,
                input -> new Introduction(PeekFormat.peek(input), input.readBoolean(), PeekFormat.folders(input)));
    }

    public static byte[] encode(VoterStatus status) {
        return written(SOLE, output -> {
            PeekFormat.write(status.self(), output);
            output.writeBoolean(status.witness());
            output.writeBoolean(status.leads());
            output.writeUTF(status.leader().orElse(""));
            output.writeLong(status.committedIndex());
            output.writeLong(status.appliedIndex());
            output.writeInt(status.sessions());
            output.writeInt(status.roles());
        });
    }

    public static VoterStatus status(byte[] bytes) throws Unreadable {
        return readSole(
                bytes,
                input -> new VoterStatus(
                        PeekFormat.peek(input),
                        input.readBoolean(),
                        input.readBoolean(),
                        Optional.of(input.readUTF()).filter(id -> !id.isEmpty()),
                        input.readLong(),
                        input.readLong(),
                        input.readInt(),
                        input.readInt()));
    }

    public static byte[] encode(Replacement replacement) {
        return written(SOLE, output -> {
            output.writeUTF(replacement.old());
            output.writeUTF(replacement.id());
            output.writeUTF(replacement.address().toString());
        });
    }

    public static Replacement replacement(byte[] bytes) throws Unreadable {
        return readSole(
                bytes, input -> new Replacement(input.readUTF(), input.readUTF(), Address.parse(input.readUTF())));
    }

    private static List<Role> roles(DataInputStream input) throws IOException {
        List<Role> roles = new ArrayList<>();
        for (int left = input.readInt(); left > 0; left--) {
            roles.add(Role.of(input.readUTF()));
        }
        return roles;
    }

    private static Namespace namespace(DataInputStream input) throws IOException {
        return new Namespace(input.readUTF());
    }

    private static void write(Optional<Address> address, DataOutputStream output) throws IOException {
        output.writeUTF(address.map(Address::toString).orElse(""));
    }

    private static Optional<Address> address(DataInputStream input) throws IOException {
        return Optional.of(input.readUTF()).filter(text -> !text.isEmpty()).map(Address::parse);
    }
}
