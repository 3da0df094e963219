package dev.signet.fence.jdbc;

import static dev.signet.fence.jdbc.JdbcSite.asking;

import dev.signet.Stamp;
import dev.signet.testkit.FenceWriter;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.sql.Statement;

/** An application that writes to the ledger of a {@link JdbcSite}. */
class JdbcWriter implements FenceWriter {

    final Connection connection;
    private final JdbcFence fence;

    JdbcWriter(JdbcFence fence, Connection connection) {
        this.fence = fence;
        this.connection = connection;
    }

    @Override
    public void read() {
        execute("SELECT count(*) FROM ledger");
    }

    final void execute(String sql) {
        asking(() -> {
            try (Statement statement = connection.createStatement()) {
                return statement.execute(sql);
            }
        });
    }

    @Override
    public void check(Stamp stamp) {
        fence.check(connection, stamp);
    }

    @Override
    public void write(String what, Stamp stamp) {
        asking(() -> {
            try (PreparedStatement insert = connection.prepareStatement(
                    "INSERT INTO ledger (what, amount, signet_token, signet_term) VALUES (?, 1, ?, ?)")) {
                insert.setString(1, what);
                insert.setLong(2, stamp.token().value());
                insert.setString(3, stamp.termId().secret());
                return insert.executeUpdate();
            }
        });
    }

    @Override
    public Runnable savepoint() {
        Savepoint point = asking(connection::setSavepoint);
        return () -> run(() -> connection.rollback(point));
    }

    @Override
    public void commit() {
        run(connection::commit);
    }

    @Override
    public void rollback() {
        run(connection::rollback);
    }

    /** Where there is no such thing, the database says so. */
    @Override
    public Runnable prepare() {
        execute("PREPARE TRANSACTION 'signet-test'");
        throw new IllegalStateException("prepared, and nobody here knows how to commit it");
    }

    private static void run(Deadline.Statement statement) {
        boolean unused = asking(() -> {
            statement.run();
            return true;
        });
    }

    @Override
    public void close() {
        try {
            connection.close();
        } catch (SQLException e) {
            // it was ended by the story
        }
    }
}
