package dev.signet.servers;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** What the kernel says of a process, which Java does not. */
record ProcessState(char letter, long startTicks) {

    private static final ProcessState GONE = new ProcessState('X', 0);

    /** Fields of /proc/PID/stat after the name of the program, which is in parentheses and may hold anything. */
    private static final int LETTER = 0;

    private static final int START_TICKS = 19;

    static ProcessState of(ProcessHandle process) {
        try {
            String stat = Files.readString(
                    Path.of("/proc", Long.toString(process.pid()), "stat"), StandardCharsets.ISO_8859_1);
            List<String> fields =
                    List.of(stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1));
            return new ProcessState(fields.get(LETTER).charAt(0), Long.parseLong(fields.get(START_TICKS)));
        } catch (IOException e) {
            return GONE;
        }
    }

    /** It runs no more. What is left of an orphan may wait for seconds until the first process of the system collects it. */
    boolean isOver() {
        return letter == 'X' || letter == 'Z';
    }

    boolean isFrozen() {
        return letter == 'T' || letter == 't' || isOver();
    }
}
