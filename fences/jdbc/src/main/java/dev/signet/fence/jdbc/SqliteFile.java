package dev.signet.fence.jdbc;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/** Whether what lies under a connection is a file whose locks can be believed. */
final class SqliteFile {

    private SqliteFile() {}

    /** @throws SQLException if it is no SQLite, has no file, or lies on a network file system */
    static void require(Connection connection) throws SQLException {
        String product = connection.getMetaData().getDatabaseProductName();
        if (!product.equals("SQLite")) {
            throw new SQLException("the connection leads to " + product + "; this is a fence for SQLite");
        }
        String file = Sqlite.text(connection, "SELECT file FROM pragma_database_list WHERE name = 'main'")
                .orElse("");
        if (file.isEmpty()) {
            throw new SQLException(
                    "the database lives in memory, where each connection has its own; a fence needs a file");
        }
        Optional<String> network = networkFileSystem(Path.of(file));
        if (network.isPresent()) {
            throw new SQLException("the database lies on a network file system (" + network.get()
                    + "), whose locks SQLite cannot rely on; move it to a local disk");
        }
    }

    private static Optional<String> networkFileSystem(Path file) {
        try {
            String type = Files.getFileStore(file).type().toLowerCase(Locale.ROOT);
            boolean network = Stream.of("nfs", "cifs", "smb", "afp", "afs", "ncp", "fuse.sshfs", "davfs")
                    .anyMatch(type::startsWith);
            return network ? Optional.of(type) : Optional.empty();
        } catch (IOException e) {
            return Optional.empty(); // it cannot be told
        }
    }
}
