package dev.signet.store.quorum.voter;

import dev.signet.Namespace;
import dev.signet.store.quorum.state.Command;
import java.util.Optional;

/** What a candidate may have put in the log: the namespace that it is about; empty for what only voters decide. */
enum Asked implements Command.Cases<Optional<Namespace>> {
    CASES;

    static Optional<Namespace> namespace(Command command) {
        return command.match(CASES);
    }

    @Override
    public Optional<Namespace> found(Command.Found command) {
        return Optional.empty();
    }

    @Override
    public Optional<Namespace> open(Command.Open command) {
        return Optional.of(command.namespace());
    }

    @Override
    public Optional<Namespace> close(Command.Close command) {
        return Optional.of(command.namespace());
    }

    @Override
    public Optional<Namespace> enlist(Command.Enlist command) {
        return Optional.of(command.namespace());
    }

    @Override
    public Optional<Namespace> withdraw(Command.Withdraw command) {
        return Optional.of(command.namespace());
    }

    @Override
    public Optional<Namespace> take(Command.Take command) {
        return Optional.of(command.namespace());
    }

    @Override
    public Optional<Namespace> free(Command.Free command) {
        return Optional.of(command.namespace());
    }

    @Override
    public Optional<Namespace> keep(Command.Keep command) {
        return Optional.of(command.namespace());
    }

    @Override
    public Optional<Namespace> expire(Command.Expire command) {
        return Optional.empty();
    }

    @Override
    public Optional<Namespace> lapse(Command.Lapse command) {
        return Optional.empty();
    }

    @Override
    public Optional<Namespace> batch(Command.Batch command) {
        return Optional.empty();
    }
}
