package dev.signet.store.quorum.state;

import static dev.signet.store.quorum.state.Words.write;

/** Replies as bytes, from their kind on. A number once given to a kind is never another's. */
final class ReplyFormat {

    private static final int FOUNDED = 1;
    private static final int OPENED = 2;
    private static final int REFUSED = 3;
    private static final int DONE = 4;
    private static final int GONE = 5;
    private static final int VIEWED = 6;
    private static final int GRANTED = 7;
    private static final int DENIED = 8;
    private static final int UNRESERVED = 9;
    private static final int RENEWED = 10;
    private static final int HOLDS = 11;
    private static final int ROLES = 12;
    private static final int UNSUPPORTED = 13;
    private static final int IGNORED = 14;
    private static final int BATCHED = 15;
    private static final int CANDIDATES = 16;

    private ReplyFormat() {}

    static Reply read(Input in) throws Unreadable {
        int kind = in.u8();
        return kind == BATCHED ? new Reply.Batched(in.list(one -> readOne(one.u8(), one))) : readOne(kind, in);
    }

    private static Reply readOne(int kind, Input in) throws Unreadable {
        return switch (kind) {
            case FOUNDED -> new Reply.Founded(Words.storeId(in));
            case OPENED -> new Reply.Opened(Words.storeId(in));
            case REFUSED -> new Reply.Refused(Words.refusal(in));
            case DONE -> new Reply.Done();
            case GONE -> new Reply.Gone();
            case VIEWED -> new Reply.Viewed(Words.roleView(in));
            case GRANTED -> new Reply.Granted(Words.grant(in));
            case DENIED -> new Reply.Denied(Words.notGranted(in));
            case UNRESERVED -> new Reply.Unreserved(Words.notReserved(in));
            case RENEWED -> new Reply.Renewed(in.i64());
            case HOLDS -> new Reply.Holds(in.list(Words::grant));
            case ROLES -> new Reply.Roles(in.list(Words::roleView));
            case UNSUPPORTED -> new Reply.Unsupported(in.text());
            case IGNORED -> new Reply.Ignored();
            case CANDIDATES -> new Reply.Candidates(in.list(Words::candidate));
            default -> throw new Unreadable("there is no reply of kind " + kind);
        };
    }

    /** Writes any reply. */
    static final class Writing implements Reply.Cases<Output> {

        private final Output out;

        Writing(Output out) {
            this.out = out;
        }

        @Override
        public Output founded(Reply.Founded reply) {
            out.u8(FOUNDED);
            write(out, reply.storeId());
            return out;
        }

        @Override
        public Output opened(Reply.Opened reply) {
            out.u8(OPENED);
            write(out, reply.storeId());
            return out;
        }

        @Override
        public Output refused(Reply.Refused reply) {
            out.u8(REFUSED);
            write(out, reply.why());
            return out;
        }

        @Override
        public Output done(Reply.Done reply) {
            return out.u8(DONE);
        }

        @Override
        public Output gone(Reply.Gone reply) {
            return out.u8(GONE);
        }

        @Override
        public Output viewed(Reply.Viewed reply) {
            out.u8(VIEWED);
            write(out, reply.view());
            return out;
        }

        @Override
        public Output granted(Reply.Granted reply) {
            out.u8(GRANTED);
            write(out, reply.grant());
            return out;
        }

        @Override
        public Output denied(Reply.Denied reply) {
            out.u8(DENIED);
            write(out, reply.why());
            return out;
        }

        @Override
        public Output unreserved(Reply.Unreserved reply) {
            out.u8(UNRESERVED);
            write(out, reply.why());
            return out;
        }

        @Override
        public Output renewed(Reply.Renewed reply) {
            return out.u8(RENEWED).i64(reply.heldDigest());
        }

        @Override
        public Output holds(Reply.Holds reply) {
            return out.u8(HOLDS).list(reply.grants(), Words::write);
        }

        @Override
        public Output roles(Reply.Roles reply) {
            return out.u8(ROLES).list(reply.views(), Words::write);
        }

        @Override
        public Output candidates(Reply.Candidates reply) {
            return out.u8(CANDIDATES).list(reply.candidates(), Words::write);
        }

        @Override
        public Output unsupported(Reply.Unsupported reply) {
            return out.u8(UNSUPPORTED).text(reply.why());
        }

        @Override
        public Output ignored(Reply.Ignored reply) {
            return out.u8(IGNORED);
        }

        @Override
        public Output batched(Reply.Batched reply) {
            return out.u8(BATCHED).list(reply.replies(), (same, one) -> one.match(this));
        }
    }
}
