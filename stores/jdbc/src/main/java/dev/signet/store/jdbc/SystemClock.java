package dev.signet.store.jdbc;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.UUID;

/** Chooses the clock of this host once per process. */
final class SystemClock {

    static final HostClock INSTANCE = choose();

    private SystemClock() {}

    private static HostClock choose() {
        return Files.isReadable(Path.of("/proc/uptime")) && Files.isReadable(LinuxClock.BOOT_ID)
                ? LinuxClock.open()
                : new OwnClock(UUID.randomUUID().toString());
    }

    /** For systems without a boot clock that Java can read: nobody else's moments compare with it. */
    private record OwnClock(String bootId) implements HostClock {

        @Override
        public long nanos() {
            return System.nanoTime();
        }

        @Override
        public long resolutionNanos() {
            return 0;
        }
    }
}
