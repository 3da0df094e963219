package dev.signet.app.place;

import dev.signet.ResourceName;
import dev.signet.Role;
import dev.signet.StoreId;
import dev.signet.app.cli.CommandFailedException;
import dev.signet.app.cli.ExitCode;
import dev.signet.app.cli.Surroundings;
import dev.signet.fence.Fence;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** A resource in an SQLite file. */
final class SqliteResourceScheme implements ResourceScheme {

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

    private record SqliteResource(Path file, ResourceName name) implements ProtectedResource {

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
        public Fence fence() {
            throw new UnsupportedOperationException("the SQLite fence is not built yet");
        }

        @Override
        public void init(Role role, StoreId storeId) {
            throw new UnsupportedOperationException("the SQLite fence is not built yet");
        }

        @Override
        public void protect(String table) {
            throw new UnsupportedOperationException("the SQLite fence is not built yet");
        }

        @Override
        public void unprotect(String table) {
            throw new UnsupportedOperationException("the SQLite fence is not built yet");
        }

        @Override
        public List<TableState> tables() {
            throw new UnsupportedOperationException("the SQLite fence is not built yet");
        }
    }
}
