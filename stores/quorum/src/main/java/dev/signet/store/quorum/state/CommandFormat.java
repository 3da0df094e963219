package dev.signet.store.quorum.state;

import static dev.signet.store.quorum.state.Words.namespace;
import static dev.signet.store.quorum.state.Words.role;
import static dev.signet.store.quorum.state.Words.session;
import static dev.signet.store.quorum.state.Words.termId;
import static dev.signet.store.quorum.state.Words.write;

import dev.signet.store.Acquire;
import dev.signet.store.Release;
import dev.signet.store.Reserve;

/** Commands as bytes, from their kind on. A number once given to a kind is never another's. */
final class CommandFormat {

    private static final int FOUND = 1;
    private static final int OPEN = 2;
    private static final int CLOSE = 3;
    private static final int ENLIST = 4;
    private static final int WITHDRAW = 5;
    private static final int TAKE = 6;
    private static final int FREE = 7;
    private static final int KEEP = 8;
    private static final int EXPIRE = 9;
    private static final int LAPSE = 10;
    private static final int BATCH = 11;

    private CommandFormat() {}

    static Command read(Input in) throws Unreadable {
        int kind = in.u8();
        return kind == BATCH ? new Command.Batch(in.list(one -> readOne(one.u8(), one))) : readOne(kind, in);
    }

    private static Command readOne(int kind, Input in) throws Unreadable {
        return switch (kind) {
            case FOUND -> new Command.Found(Words.storeId(in));
            case OPEN -> new Command.Open(namespace(in), Words.openSession(in));
            case CLOSE -> new Command.Close(namespace(in), session(in));
            case ENLIST -> new Command.Enlist(namespace(in), session(in), role(in));
            case WITHDRAW -> new Command.Withdraw(namespace(in), session(in), role(in));
            case TAKE ->
                new Command.Take(
                        namespace(in), new Acquire(session(in), role(in), in.i64(), termId(in), in.i64(), in.i64()));
            case FREE -> new Command.Free(namespace(in), new Release(session(in), role(in), in.i64(), in.i64()));
            case KEEP ->
                new Command.Keep(
                        namespace(in),
                        new Reserve(session(in), role(in), in.i64(), Words.candidate(in), Words.duration(in)));
            case EXPIRE -> new Command.Expire(namespace(in), session(in), in.i64(), in.i64());
            case LAPSE -> new Command.Lapse(namespace(in), role(in), in.i64(), in.i64());
            default -> throw new Unreadable("there is no command of kind " + kind);
        };
    }

    /** Writes any command. */
    static final class Writing implements Command.Cases<Output> {

        private final Output out;

        Writing(Output out) {
            this.out = out;
        }

        @Override
        public Output found(Command.Found command) {
            out.u8(FOUND);
            write(out, command.storeId());
            return out;
        }

        @Override
        public Output open(Command.Open command) {
            out.u8(OPEN);
            write(out, command.namespace());
            write(out, command.request());
            return out;
        }

        @Override
        public Output close(Command.Close command) {
            out.u8(CLOSE);
            write(out, command.namespace());
            write(out, command.session());
            return out;
        }

        @Override
        public Output enlist(Command.Enlist command) {
            out.u8(ENLIST);
            write(out, command.namespace());
            write(out, command.session());
            write(out, command.role());
            return out;
        }

        @Override
        public Output withdraw(Command.Withdraw command) {
            out.u8(WITHDRAW);
            write(out, command.namespace());
            write(out, command.session());
            write(out, command.role());
            return out;
        }

        @Override
        public Output take(Command.Take command) {
            Acquire request = command.request();
            out.u8(TAKE);
            write(out, command.namespace());
            write(out, request.session());
            write(out, request.role());
            out.i64(request.attempt());
            write(out, request.termId());
            return out.i64(request.floor()).i64(request.expectedVersion());
        }

        @Override
        public Output free(Command.Free command) {
            Release request = command.request();
            out.u8(FREE);
            write(out, command.namespace());
            write(out, request.session());
            write(out, request.role());
            return out.i64(request.attempt()).i64(request.expectedVersion());
        }

        @Override
        public Output keep(Command.Keep command) {
            Reserve request = command.request();
            out.u8(KEEP);
            write(out, command.namespace());
            write(out, request.session());
            write(out, request.role());
            out.i64(request.attempt());
            write(out, request.target());
            write(out, request.window());
            return out;
        }

        @Override
        public Output expire(Command.Expire command) {
            out.u8(EXPIRE);
            write(out, command.namespace());
            write(out, command.session());
            return out.i64(command.openings()).i64(command.raftTerm());
        }

        @Override
        public Output lapse(Command.Lapse command) {
            out.u8(LAPSE);
            write(out, command.namespace());
            write(out, command.role());
            return out.i64(command.reservation()).i64(command.raftTerm());
        }

        @Override
        public Output batch(Command.Batch command) {
            return out.u8(BATCH).list(command.commands(), (same, one) -> one.match(this));
        }
    }
}
