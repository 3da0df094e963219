package dev.signet.store.jdbc;

import dev.signet.Namespace;
import dev.signet.store.Store;
import dev.signet.testkit.StoreContract;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

class LocalStoreContractTest extends StoreContract {

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

    /** All clients are closed: the file is all that is left. */
    @Override
    protected void restart() {}
}
