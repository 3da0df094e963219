package dev.signet.store.jdbc;

import dev.signet.StoreException;
import dev.signet.store.StoreRefusal;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One thread with one connection, through which calls go in batches: what waits when the lock is had shares one
 * transaction, and so one write to the disk. SQLite has one writer at a time, so a second thread would only wait.
 *
 * <p>When a transaction fails, none of its calls took effect, unless it was the COMMIT that failed; either way their answer is
 * <em>unknown</em>, and asking again settles it.
 */
final class Lane implements AutoCloseable {

    enum Kind {
        WRITES,
        READS
    }

    private static final int LARGEST_BATCH = 256;
    private static final int TRIES_PER_LOOK = 64;
    private static final long CLOSE_MILLIS = 2_000;
    private static final Logger LOG = LoggerFactory.getLogger(Lane.class);

    private final Kind kind;
    private final StoreFile file;
    private final Runnable afterWrite;
    private final CallQueue waiting = new CallQueue();
    private final Thread thread;
    private StoreFile.@Nullable OpenLink open;
    private volatile boolean closed;
    private boolean started;
    private boolean committing;

    Lane(Kind kind, StoreFile file, String name, Runnable afterWrite) {
        this.kind = kind;
        this.file = file;
        this.afterWrite = afterWrite;
        this.thread = new Thread(this::work, name);
        thread.setDaemon(true);
    }

    /** Begins to work, and to open the connection. Idempotent. */
    synchronized void start() {
        if (!started && !closed) {
            started = true;
            thread.start();
        }
    }

    void submit(Call<?, ?> call) {
        start();
        if (!waiting.offer(call)) {
            call.unknown("the store is busy: " + CallQueue.MOST_WAITING + " requests wait already");
        } else if (closed) {
            // close() may have emptied the queue just before
            call.unknown("the store is closed");
        }
    }

    private void work() {
        try {
            openEarly();
            while (!closed) {
                carry(new ArrayList<>(List.of(waiting.take())));
            }
        } catch (InterruptedException e) {
            // only close() interrupts
            Thread.currentThread().interrupt();
        } finally {
            disconnect();
            drop();
        }
    }

    /** So that the first call finds the driver loaded; a fault is told to whoever calls. */
    private void openEarly() {
        try {
            open = file.connect();
        } catch (SQLException | RuntimeException | Error e) {
            LOG.debug("the first connection to {} failed", file, e);
        }
    }

    private void carry(List<Call<?, ?>> batch) {
        try {
            for (int tries = 0; !closed; tries++) {
                batch.removeIf(Call::isOver);
                if (tries % TRIES_PER_LOOK == 0) {
                    dropIfReplaced();
                }
                if (batch.isEmpty() || tryCarry(batch)) {
                    return;
                }
                Retry.pause();
            }
            batch.forEach(call -> call.unknown("the store is closed"));
        } catch (StoreException e) {
            disconnect();
            batch.forEach(call -> call.unusable(new StoreRefusal(e.kind(), Faults.text(e))));
        } catch (SQLException e) {
            failed(batch, e);
        } catch (RuntimeException | Error e) {
            LOG.warn("a request to {} failed in an unforeseen way", file, e);
            disconnect();
            batch.forEach(call -> call.unknown("the store failed: " + e));
        }
    }

    /** @return false if another process has the lock */
    private boolean tryCarry(List<Call<?, ?>> batch) throws SQLException {
        committing = false;
        try {
            StoreFile.OpenLink opened = connected();
            Link link = opened.link();
            begin(link, batch);
            for (Call<?, ?> call : batch) {
                if (!call.isOver()) {
                    call.run(link, opened.storeId());
                }
            }
            committing = true;
            link.commit();
        } catch (SQLException e) {
            if (!Link.isBusy(e)) {
                throw e;
            }
            rollback();
            return false;
        }
        batch.forEach(Call::committed);
        afterWrite.run();
        return true;
    }

    private void rollback() throws SQLException {
        StoreFile.OpenLink known = open;
        if (known != null) {
            known.link().rollback();
        }
    }

    private void dropIfReplaced() {
        StoreFile.OpenLink known = open;
        if (known != null && !file.isStill(known)) {
            LOG.warn("{} was removed or replaced while in use; store={}", file, known.storeId());
            disconnect();
        }
    }

    private StoreFile.OpenLink connected() throws SQLException {
        StoreFile.OpenLink known = open;
        if (known == null) {
            known = file.connect();
            open = known;
        }
        return known;
    }

    private void begin(Link link, List<Call<?, ?>> batch) throws SQLException {
        join(batch, Call.Weight.DURABLE);
        if (kind == Kind.READS) {
            link.beginReading();
            return;
        }
        boolean durably = batch.stream().anyMatch(call -> call.weight() == Call.Weight.DURABLE);
        link.beginWriting(durably);
        // it may have taken a while to get the lock; who came meanwhile may share it
        join(batch, durably ? Call.Weight.DURABLE : Call.Weight.LIGHT);
    }

    /** Takes what waits into the batch, up to the first call that needs more of a transaction than this one has. */
    private void join(List<Call<?, ?>> batch, Call.Weight heaviest) {
        boolean heartbeats = batch.get(0).weight() == Call.Weight.HEARTBEAT;
        Call.Weight most = heartbeats ? Call.Weight.HEARTBEAT : heaviest;
        while (batch.size() < LARGEST_BATCH) {
            Optional<Call<?, ?>> next = waiting.poll(most);
            if (next.isEmpty()) {
                return;
            }
            batch.add(next.get());
        }
    }

    private void failed(List<Call<?, ?>> batch, SQLException fault) {
        LOG.debug("a transaction on {} failed", file, fault);
        Optional<StoreRefusal> lasting = committing
                ? Optional.empty()
                : Faults.refusal(file.path(), fault).filter(why -> why.kind() != StoreRefusal.Kind.NO_SPACE);
        disconnect();
        for (Call<?, ?> call : batch) {
            if (lasting.isPresent()) {
                call.unusable(lasting.get());
            } else {
                call.unknown("the store failed: " + Faults.text(fault));
            }
        }
    }

    private void disconnect() {
        StoreFile.OpenLink known = open;
        open = null;
        if (known != null) {
            try {
                known.link().rollback();
            } catch (SQLException e) {
                LOG.debug("a rollback on {} failed", file, e);
            }
            try {
                known.link().close();
            } catch (SQLException e) {
                LOG.debug("a connection to {} did not close", file, e);
            }
        }
    }

    private void drop() {
        for (Optional<Call<?, ?>> call = waiting.poll(Call.Weight.DURABLE);
                call.isPresent();
                call = waiting.poll(Call.Weight.DURABLE)) {
            call.get().unknown("the store is closed");
        }
    }

    /** Answers what waits <em>unknown</em>, and ends the thread; waits for it up to two seconds. Idempotent. */
    @Override
    public void close() {
        boolean running;
        synchronized (this) {
            closed = true;
            running = started;
        }
        thread.interrupt();
        if (running && Thread.currentThread() != thread) {
            try {
                thread.join(CLOSE_MILLIS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
        drop();
    }
}
