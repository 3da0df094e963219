package dev.signet.app.child;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Reads the boot clock. The guard reads the same clock by itself, so a deadline means the same to both, whatever stood still meanwhile.
 *
 * <p>A renewal's reading is taken <em>before</em> the renewal is sent. Safe for use by many threads.
 */
@FunctionalInterface
public interface BootClock {

    /**
     * Now, rounded down to the clock's resolution: never later than the truth. Costs some microseconds.
     *
     * @throws UncheckedIOException if the host's clock cannot be read
     */
    BootInstant now();

    /**
     * The clock of this host: {@code /proc/uptime} where that exists (it includes suspensions; a time namespace or a container that shows
     * its own uptime is fine, because the guard lives in the same one). Elsewhere {@link System#nanoTime()}, which may stand still in a
     * suspension; there is no guard there that could be misled.
     */
    static BootClock ofHost() {
        Path uptime = Path.of("/proc/uptime");
        if (Files.isReadable(uptime)) {
            return () -> read(uptime);
        }
        long origin = System.nanoTime();
        return () -> new BootInstant((System.nanoTime() - origin) / 10_000_000);
    }

    private static BootInstant read(Path uptime) {
        try {
            String text = Files.readString(uptime);
            String seconds = text.substring(0, text.indexOf(' '));
            return new BootInstant(Long.parseLong(seconds.replace(".", "")));
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read the boot clock from " + uptime, e);
        }
    }
}
