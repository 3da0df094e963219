package dev.signet.store.jdbc;

import dev.signet.Namespace;
import dev.signet.store.Store;
import dev.signet.testkit.Cannot;
import dev.signet.testkit.Freezable;
import dev.signet.testkit.Networked;
import dev.signet.testkit.Restorable;
import dev.signet.testkit.Shared;
import dev.signet.testkit.StoreContract;
import dev.signet.testkit.StoreFactory;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;

/** As its users have it: the host's own clock, and leases that take their time. Slow: LocalStoreContractTest asks the same. */
@Tag("slow")
@Cannot(
        value = Freezable.class,
        because = "there is no server; a process that stands still is LocalStoreProcessesTest's")
@Cannot(value = Networked.class, because = "there is no network between a process and its file")
@Cannot(value = Restorable.class, because = "LocalStoreContractTest puts back a backup, and no clock matters to it")
class LocalStoreOnHostClockTest extends StoreContract implements Shared {

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
        return LocalStore.open(file(), inNamespace, LocalStoreOptions.defaults());
    }

    @Override
    protected void pass(Duration time) {
        try {
            Thread.sleep(time.toMillis() + 1);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    /** All clients are closed: the file is all that is left. */
    @Override
    protected void restart() {}

    @Override
    protected Duration lease() {
        return Duration.ofSeconds(3);
    }

    @Override
    public Class<? extends StoreFactory> factory() {
        return OfFile.class;
    }

    @Override
    public String place() {
        return file().toString();
    }

    /** In another process. */
    public static final class OfFile implements StoreFactory {
        @Override
        public Store connect(String place, Namespace namespace) {
            return LocalStore.open(Path.of(place), namespace, LocalStoreOptions.defaults());
        }
    }
}
