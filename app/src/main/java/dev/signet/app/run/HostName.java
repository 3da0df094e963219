package dev.signet.app.run;

import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;

/** What a candidate is called when nobody gave it a name. */
final class HostName {
    private static final Path LINUX = Path.of("/proc/sys/kernel/hostname");
    private static final String NAMELESS = "signet";

    private HostName() {}

    /** The kernel's own where it can be read: asking the resolver can take seconds. */
    static String read() {
        try {
            String name = Files.isReadable(LINUX)
                    ? Files.readString(LINUX).strip()
                    : InetAddress.getLocalHost().getHostName();
            return name.isEmpty() ? NAMELESS : name;
        } catch (IOException e) {
            return NAMELESS;
        }
    }
}
