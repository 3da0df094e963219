package dev.signet.app.place;

import dev.signet.FenceException;
import dev.signet.ResourceName;
import dev.signet.app.cli.CommandFailedException;
import dev.signet.app.cli.ExitCode;
import dev.signet.app.cli.Surroundings;
import dev.signet.fence.jdbc.JdbcFence;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.Optional;

/** A resource in an SQLite file. */
final class SqliteResourceScheme implements ResourceScheme {

    /** SQLite's result codes, and the bits of the code that is extended by a reason. */
    private static final int PRIMARY_CODE = 0xff;

    private static final int BUSY = 5;
    private static final int LOCKED = 6;
    private static final int READ_ONLY = 8;
    private static final int CORRUPT = 11;
    private static final int FULL = 13;
    private static final int CANNOT_OPEN = 14;
    private static final int NOT_A_DATABASE = 26;

    @Override
    public String name() {
        return "sqlite";
    }

    @Override
    public String form() {
        return "sqlite:PATH#RESOURCE";
    }

    @Override
    public ProtectedResource resource(String rest, ResourceName name, Surroundings surroundings) {
        if (rest.isEmpty()) {
            throw new IllegalArgumentException("'sqlite:#" + name + "' names no file; write " + form());
        }
        return new SqliteResource(surroundings.path(rest), name);
    }

    private record SqliteResource(Path file, ResourceName name) implements FencedByJdbc {

        @Override
        public String shown() {
            return "sqlite:" + file + "#" + name;
        }

        @Override
        public Optional<Path> localFile() {
            return Optional.of(file);
        }

        @Override
        public void requirePresent() {
            if (!Files.isRegularFile(file)) {
                throw unusable("there is no database at " + file
                        + "; name the file that your application writes, or make it first");
            }
            if (!Files.isReadable(file) || !Files.isWritable(file)) {
                throw unusable("this user may not read and write " + file + "; give this user the rights");
            }
        }

        private static CommandFailedException unusable(String line) {
            return new CommandFailedException(ExitCode.CONFIGURATION, line);
        }

        @Override
        public JdbcFence open() {
            return JdbcFence.sqlite(file, name);
        }

        /** The fence knows a connection; that it leads to a file, and to which, is known here. */
        @Override
        public RuntimeException explained(FenceException fault) {
            int code = fault.getCause() instanceof SQLException sql ? sql.getErrorCode() & PRIMARY_CODE : 0;
            return switch (code) {
                case BUSY, LOCKED ->
                    new CommandFailedException(
                            ExitCode.UNAVAILABLE, "another process keeps " + file + " locked; try again", fault);
                case CORRUPT, NOT_A_DATABASE ->
                    unusable(file + " is damaged or no SQLite database; restore it, or name another file", fault);
                case FULL -> unusable("there is no room left to write " + file + "; free some, then try again", fault);
                case READ_ONLY, CANNOT_OPEN ->
                    unusable(file + " or its folder cannot be written; give this user the rights", fault);
                default -> fault;
            };
        }

        private static CommandFailedException unusable(String line, FenceException fault) {
            return new CommandFailedException(ExitCode.CONFIGURATION, line, fault);
        }
    }
}
