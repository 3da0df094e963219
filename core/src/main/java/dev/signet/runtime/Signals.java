package dev.signet.runtime;

import java.util.concurrent.Executor;

/**
 * Where terms signal their draining and their end: neither the event loop, which must not wait for what hangs on a
 * signal, nor an executor that may have stopped taking work, or has no thread for it, since a term's end has to be told all the
 * same.
 */
record Signals(Executor first, Executor fallback) implements Executor {

    @Override
    public void execute(Runnable signal) {
        try {
            first.execute(signal);
        } catch (RuntimeException | Error takesNoWork) {
            fallback.execute(signal);
        }
    }
}
