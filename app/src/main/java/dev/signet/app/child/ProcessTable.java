package dev.signet.app.child;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** The processes of a Linux host as {@code /proc} shows them. Without state; each call looks anew. */
final class ProcessTable {
    private static final Path PROC = Path.of("/proc");

    private ProcessTable() {}

    static Optional<ProcessStat> find(long pid) {
        // a process may end while one reads of it
        return read(pid, "stat").flatMap(bytes -> ProcessStat.parse(new String(bytes, StandardCharsets.ISO_8859_1)));
    }

    static List<ProcessStat> all() {
        List<ProcessStat> all = new ArrayList<>();
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(PROC, "[0-9]*")) {
            for (Path entry : entries) {
                find(Long.parseLong(entry.getFileName().toString())).ifPresent(all::add);
            }
        } catch (IOException e) {
            throw new UncheckedIOException("cannot list " + PROC, e);
        }
        return all;
    }

    /** Whether its environment, as it was when it was executed, has the variable. No if it may not be read. */
    static boolean carries(long pid, String variable) {
        byte[] wanted = (variable + '\0').getBytes(StandardCharsets.UTF_8);
        byte[] environment = read(pid, "environ").orElse(new byte[0]);
        for (int start = 0; start + wanted.length <= environment.length; start++) {
            boolean first = start == 0 || environment[start - 1] == 0;
            if (first && Arrays.equals(environment, start, start + wanted.length, wanted, 0, wanted.length)) {
                return true;
            }
        }
        return false;
    }

    private static Optional<byte[]> read(long pid, String file) {
        try {
            return Optional.of(
                    Files.readAllBytes(PROC.resolve(Long.toString(pid)).resolve(file)));
        } catch (IOException e) {
            return Optional.empty();
        }
    }
}
