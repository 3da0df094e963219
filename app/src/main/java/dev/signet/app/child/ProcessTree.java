package dev.signet.app.child;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Where there is no {@code /proc} or no {@code setsid}: the command and its descendants, as far as they have been seen while the chain of
 * parents led to them. STOP and CONT are beyond Java and do nothing. Safe for use by many threads.
 */
final class ProcessTree implements Kin {
    private final ProcessHandle root;
    private final Set<ProcessHandle> seen = new LinkedHashSet<>();

    ProcessTree(ProcessHandle root) {
        this.root = root;
        seen.add(root);
    }

    @Override
    public void signal(Signal signal) {
        for (ProcessHandle process : look()) {
            switch (signal) {
                case TERM -> process.destroy();
                case KILL -> process.destroyForcibly();
                case STOP, CONT -> {}
            }
        }
    }

    @Override
    public List<Long> living() {
        return look().stream().map(ProcessHandle::pid).toList();
    }

    private synchronized List<ProcessHandle> look() {
        for (ProcessHandle known : List.copyOf(seen)) {
            known.descendants().forEach(seen::add);
        }
        root.descendants().forEach(seen::add);
        seen.removeIf(process -> !process.isAlive());
        return List.copyOf(seen);
    }
}
