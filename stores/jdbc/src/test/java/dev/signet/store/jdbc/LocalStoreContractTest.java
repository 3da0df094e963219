package dev.signet.store.jdbc;

import dev.signet.Namespace;
import dev.signet.store.Store;
import dev.signet.testkit.Cannot;
import dev.signet.testkit.Freezable;
import dev.signet.testkit.Networked;
import dev.signet.testkit.Restorable;
import dev.signet.testkit.Shared;
import dev.signet.testkit.StoreContract;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** Each test on a file of its own, on a clock that it moves. */
@Cannot(
        value = Freezable.class,
        because = "there is no server; a process that stands still is LocalStoreProcessesTest's")
@Cannot(value = Networked.class, because = "there is no network between a process and its file")
@Cannot(
        value = Shared.class,
        because = "no other process sees the clock that the test moves; LocalStoreOnHostClockTest does it")
class LocalStoreContractTest extends StoreContract implements Restorable {

    private final ManualClock clock = new ManualClock("boot");

    @TempDir
    Path folder;

    @BeforeEach
    void init() {
        LocalStore.init(file());
    }

    private Path file() {
        return folder.resolve("signet.db");
    }

    @Override
    protected Store connect(Namespace inNamespace) {
        return LocalStore.open(file(), inNamespace, LocalStoreOptions.defaults().withClock(clock));
    }

    @Override
    protected void pass(Duration time) {
        clock.pass(time);
    }

    @Override
    protected long nanos() {
        return clock.nanos();
    }

    /** All clients are closed: the file is all that is left. */
    @Override
    protected void restart() {}

    @Override
    public Runnable backUp() {
        Path backup = folder.resolve("backup.db");
        try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + file());
                Statement statement = connection.createStatement()) {
            statement.execute("VACUUM INTO '" + backup + "'");
        } catch (SQLException e) {
            throw new AssertionError(e);
        }
        return () -> putBack(backup);
    }

    private void putBack(Path backup) {
        try {
            for (String beside : List.of("-wal", "-shm")) {
                Files.deleteIfExists(folder.resolve("signet.db" + beside));
            }
            Files.move(backup, file(), StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
