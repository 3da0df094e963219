package dev.signet.store.quorum.state;

import java.util.Optional;

/**
 * Commands and replies as bytes, and back: a byte for the version of the format, one for the kind, then what belongs to it. What
 * is read is exactly what was written: whatever is cut short, too long, or not what the words of the domain allow is {@link
 * Unreadable}, and nothing else is ever thrown.
 *
 * <p>A voter must not write a kind, or a version, before all voters can read it: to the others it is an {@linkplain
 * Reply.Unsupported unsupported} command that changes nothing, and they come to differ. A new kind is therefore a new version, and
 * has to bring with it how the voters tell each other what they read.
 */
public final class Codec {

    /** The version that is written, and the only one that is read. */
    public static final int VERSION = 1;

    private Codec() {}

    public static byte[] bytes(Command command) {
        return written(command, new Output());
    }

    /**
     * Why a command must not be put into the log, for people; empty where nothing stands against it. To be asked of what
     * candidates send, on the voter that they send it to.
     *
     * <p>Voters may run on different versions of Java, and these know different characters. Whether a name with one that is new
     * is in normalization form C, a new Java may deny where an old one does not: one voter would then take a command that another
     * cannot read. So whoever puts it into the log must know all its characters: what is a name to it, is one to each later
     * Java too, and to each earlier one, which knows less against it.
     */
    public static Optional<String> objectionTo(Command command) {
        try {
            written(command, new Output(Limits::requireKnown));
            return Optional.empty();
        } catch (IllegalArgumentException unknown) {
            return Optional.of(String.valueOf(unknown.getMessage()));
        }
    }

    private static byte[] written(Command command, Output out) {
        out.u8(VERSION);
        command.match(new CommandFormat.Writing(out));
        return out.bytes();
    }

    /** @throws Unreadable if these are not the bytes of a command that this version knows */
    public static Command command(byte[] bytes) throws Unreadable {
        return Input.whole(bytes, in -> {
            requireVersion("command", in);
            return CommandFormat.read(in);
        });
    }

    public static byte[] bytes(Reply reply) {
        Output out = new Output().u8(VERSION);
        reply.match(new ReplyFormat.Writing(out));
        return out.bytes();
    }

    /** @throws Unreadable if these are not the bytes of a reply that this version knows */
    public static Reply reply(byte[] bytes) throws Unreadable {
        return Input.whole(bytes, in -> {
            requireVersion("reply", in);
            return ReplyFormat.read(in);
        });
    }

    private static void requireVersion(String what, Input in) throws Unreadable {
        int version = in.u8();
        if (version != VERSION) {
            throw new Unreadable("a " + what + " of version " + version + "; this is version " + VERSION);
        }
    }
}
