package dev.signet.store.jdbc;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * CLOCK_BOOTTIME, read from {@code /proc/uptime}, which shows it cut off to hundredths of a second.
 *
 * <p>Why not {@link System#nanoTime()}, which is CLOCK_MONOTONIC and a hundred thousand times finer: it stands still while
 * the host is suspended, so a lease would outlive a closed lid by its whole remainder, and the sum of it and the time
 * slept, which would be finer, has to be estimated by each process for itself from {@code /proc/uptime}, so that two
 * processes would disagree by the very 10 ms. One clock that all read alike is worth more than digits: a lease is rounded
 * up by the resolution, so it ends up to 20 ms late and never early.
 *
 * <p>Two kinds of container see another clock under the same boot id: one in a time namespace of its own, and one whose
 * {@code /proc/uptime} is made up (lxcfs), which shows as less uptime than CLOCK_MONOTONIC. Both get a boot id of their
 * own.
 */
final class LinuxClock implements HostClock {

    static final Path BOOT_ID = Path.of("/proc/sys/kernel/random/boot_id");

    private static final Path UPTIME = Path.of("/proc/uptime");
    private static final Path TIME_NAMESPACE = Path.of("/proc/self/ns/time");
    private static final Path PROCESS_NAMESPACE = Path.of("/proc/self/ns/pid");
    private static final String FIRST_TIME_NAMESPACE = "time:[4026531834]";
    private static final long NANOS_PER_HUNDREDTH = 10_000_000;

    private final String bootId;

    /** Not a FileChannel: that one closes itself when its reader is interrupted. */
    private final RandomAccessFile uptime;

    private final byte[] text = new byte[64];

    private LinuxClock(String bootId, RandomAccessFile uptime) {
        this.bootId = bootId;
        this.uptime = uptime;
    }

    static LinuxClock open() {
        try {
            String host = Files.readString(BOOT_ID).strip();
            RandomAccessFile uptime = new RandomAccessFile(UPTIME.toFile(), "r");
            LinuxClock clock = new LinuxClock(host, uptime);
            long monotonic = System.nanoTime();
            boolean madeUp = clock.nanos() + 2 * NANOS_PER_HUNDREDTH < monotonic;
            String bootId = bootId(host, target(TIME_NAMESPACE), madeUp ? target(PROCESS_NAMESPACE) : "");
            return new LinuxClock(bootId, uptime);
        } catch (IOException e) {
            throw new UncheckedIOException("the boot clock cannot be read", e);
        }
    }

    static String bootId(String host, String timeNamespace, String processNamespace) {
        String bootId = host;
        if (!timeNamespace.isEmpty() && !timeNamespace.equals(FIRST_TIME_NAMESPACE)) {
            bootId += " " + timeNamespace;
        }
        return processNamespace.isEmpty() ? bootId : bootId + " " + processNamespace;
    }

    /** Empty where the kernel has no such namespace. */
    private static String target(Path link) throws IOException {
        return Files.isSymbolicLink(link) ? Files.readSymbolicLink(link).toString() : "";
    }

    @Override
    public String bootId() {
        return bootId;
    }

    @Override
    public synchronized long nanos() {
        try {
            uptime.seek(0);
            int length = uptime.read(text);
            return parse(new String(text, 0, length, StandardCharsets.US_ASCII));
        } catch (IOException e) {
            throw new UncheckedIOException("the boot clock cannot be read", e);
        }
    }

    /** @param shown such as {@code 1243.60 1870.11}: seconds since the start, then seconds idle */
    static long parse(String shown) {
        int point = shown.indexOf('.');
        long seconds = Long.parseLong(shown, 0, point, 10);
        long hundredths = Long.parseLong(shown, point + 1, point + 3, 10);
        return (seconds * 100 + hundredths) * NANOS_PER_HUNDREDTH;
    }

    @Override
    public long resolutionNanos() {
        return NANOS_PER_HUNDREDTH;
    }
}
