package dev.signet.servers;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** Which process holds a connection of IPv4, as Linux knows it. */
final class Sockets {

    private static final int LOCAL = 1;
    private static final int REMOTE = 2;
    private static final int INODE = 9;

    private Sockets() {}

    /** Its number in the kernel; empty if there is none by now. */
    static Optional<String> inode(int localPort, int remotePort) throws IOException {
        return Files.readAllLines(Path.of("/proc/net/tcp"), StandardCharsets.US_ASCII).stream()
                .skip(1)
                .map(line -> line.strip().split("\\s+"))
                .filter(fields -> port(fields[LOCAL]) == localPort && port(fields[REMOTE]) == remotePort)
                .map(fields -> fields[INODE])
                .findFirst();
    }

    private static int port(String address) {
        return Integer.parseInt(address.substring(address.indexOf(':') + 1), 16);
    }

    static boolean isOf(ProcessHandle process, String inode) {
        String wanted = "socket:[" + inode + "]";
        try (DirectoryStream<Path> files =
                Files.newDirectoryStream(Path.of("/proc", Long.toString(process.pid()), "fd"))) {
            for (Path file : files) {
                if (isLinkTo(file, wanted)) {
                    return true;
                }
            }
            return false;
        } catch (IOException e) {
            return false; // it has ended
        }
    }

    private static boolean isLinkTo(Path file, String wanted) {
        try {
            return Files.readSymbolicLink(file).toString().equals(wanted);
        } catch (IOException e) {
            return false; // closed meanwhile
        }
    }
}
