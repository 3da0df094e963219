package dev.signet.app.child;

import java.util.Optional;

/**
 * What {@code /proc/PID/stat} says of a process.
 *
 * @param started clock ticks since boot; with the pid it names a process for good, although pids are used again
 */
record ProcessStat(long pid, char state, long group, long session, int threads, long started) {

    /** Empty if the text is not that of a process; the second field, its name, may hold anything. */
    static Optional<ProcessStat> parse(String text) {
        int afterName = text.lastIndexOf(')') + 2;
        int beforeName = text.indexOf(' ');
        if (beforeName < 0 || afterName >= text.length()) {
            return Optional.empty();
        }
        String[] fields = text.substring(afterName).trim().split(" ", -1);
        return Optional.of(new ProcessStat(
                Long.parseLong(text.substring(0, beforeName)),
                fields[0].charAt(0),
                Long.parseLong(fields[2]),
                Long.parseLong(fields[3]),
                Integer.parseInt(fields[17]),
                Long.parseLong(fields[19])));
    }

    /** Whether it can still act. A process whose first thread ended looks dead while its other threads run on. */
    boolean lives() {
        return state != 'X' && (state != 'Z' || threads > 1);
    }

    boolean stopped() {
        return state == 'T' || state == 't';
    }
}
