package dev.signet.store.jdbc;

import dev.signet.Role;
import dev.signet.store.RoleView;
import dev.signet.store.Store;
import dev.signet.store.Watch;
import dev.signet.store.WatchObserver;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Assertions;

/** What one watch has been told. */
final class Seen implements WatchObserver {

    private final BlockingQueue<Object> told = new LinkedBlockingQueue<>();

    static Seen by(Store store, Role role) {
        Seen seen = new Seen();
        Watch unused = store.watch(role, seen);
        return seen;
    }

    @Override
    public void observed(RoleView view) {
        told.add(view);
    }

    @Override
    public void broken(String cause) {
        told.add(cause);
    }

    RoleView awaitVersion(long least) {
        while (true) {
            Object next = next();
            if (next instanceof RoleView view && view.version() >= least) {
                return view;
            }
            if (next instanceof String cause) {
                throw new AssertionError("broken: " + cause);
            }
        }
    }

    String awaitBroken() {
        while (true) {
            if (next() instanceof String cause) {
                return cause;
            }
        }
    }

    private Object next() {
        try {
            Object next = told.poll(30, TimeUnit.SECONDS);
            Assertions.assertNotNull(next, "nothing was told for 30 s");
            return next;
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }
}
