package dev.signet.store.jdbc;

import dev.signet.StoreException;
import dev.signet.store.StoreRefusal;
import java.sql.SQLException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One thread with one connection, through which calls go in batches: what waits shares one transaction, and so one write to the
 * disk. A call that finds a record locked by another is left over for one of the next; it does not hold up the rest. Of those
 * that are left over each transaction tries a few, in turn: somebody who is stopped may keep hundreds of records locked.
 *
 * <p>When a transaction fails, none of its calls took effect, unless it was the COMMIT that failed; either way their answer is
 * <em>unknown</em>, and asking again settles it.
 */
final class Lane implements AutoCloseable {

    private static final int LARGEST_BATCH = 256;
    private static final int MOST_AGAIN = 32;
    private static final int TRIES_PER_LOOK = 64;

    /** After this a transaction takes on no more: whoever watches relies on it that none is open for long. */
    private static final long LONGEST_BATCH_NANOS = 1_000_000_000;

    private static final long SHORTEST_BATCH_NANOS = 50_000_000;

    private static final long CLOSE_MILLIS = 2_000;
    private static final Logger LOG = LoggerFactory.getLogger(Lane.class);

    private final Database.Use use;
    private final Database database;
    private final Transactions transactions;
    private final Runnable afterWrite;
    private final CallQueue waiting = new CallQueue();
    private final Queue<Call<?, ?>> leftOver = new ArrayDeque<>();
    private final Thread thread;
    private volatile Database.@Nullable Opened open;
    private volatile boolean connecting;
    private volatile @Nullable String lastFault;
    private volatile boolean closed;
    private boolean started;
    private boolean committing;

    Lane(Database.Use use, Database database, Transactions transactions, String name, Runnable afterWrite) {
        this.use = use;
        this.database = database;
        this.transactions = transactions;
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
                carry(leftOver.isEmpty() ? new ArrayList<>(List.of(waiting.take())) : again());
            }
        } catch (InterruptedException e) {
            // only close() interrupts
            Thread.currentThread().interrupt();
        } finally {
            disconnect();
            leftOver.forEach(call -> call.unknown("the store is closed"));
            drop();
        }
    }

    private List<Call<?, ?>> again() {
        List<Call<?, ?>> some = new ArrayList<>();
        while (some.size() < MOST_AGAIN && !leftOver.isEmpty()) {
            some.add(leftOver.remove());
        }
        return some;
    }

    /** So that the first call finds the driver loaded; a fault is told to whoever calls. */
    private void openEarly() {
        try {
            Database.Opened unused = connected();
        } catch (SQLException | RuntimeException | Error e) {
            LOG.debug("the first connection to {} failed", database, e);
        }
    }

    private void carry(List<Call<?, ?>> batch) {
        try {
            for (int tries = 0; !closed; tries++) {
                batch.removeIf(this::isHopeless);
                if (tries % TRIES_PER_LOOK == 0) {
                    dropIfReplaced();
                }
                if (batch.isEmpty() || tryCarry(batch)) {
                    return;
                }
                database.pause(tries);
            }
            batch.forEach(call -> call.unknown("the store is closed"));
        } catch (StoreException e) {
            disconnect();
            batch.forEach(call -> call.unusable(new StoreRefusal(e.kind(), Faults.text(e))));
        } catch (SQLException e) {
            failed(batch, e);
        } catch (RuntimeException | Error e) {
            LOG.warn("a request to {} failed in an unforeseen way", database, e);
            disconnect();
            batch.forEach(call -> call.unknown("the store failed: " + e));
        }
    }

    /** @return false if some of the batch is to be tried again: it holds these only, then */
    private boolean tryCarry(List<Call<?, ?>> batch) throws SQLException {
        committing = false;
        boolean wasOpen = open != null;
        List<Call<?, ?>> busy = new ArrayList<>();
        List<Call<?, ?>> untried = new ArrayList<>();
        try {
            Database.Opened opened = connected();
            Link link = opened.link();
            begin(link, batch);
            long begun = System.nanoTime();
            long longest = longest(batch);
            for (Call<?, ?> call : batch) {
                if (call.isOver()) {
                    continue;
                }
                if (System.nanoTime() - begun > longest) {
                    untried.add(call);
                } else if (!carry(call, opened)) {
                    busy.add(call);
                }
            }
            committing = true;
            link.commit();
        } catch (SQLException e) {
            if (database.isBusy(e)) {
                rollback();
                return false;
            }
            if (wasOpen && !committing && database.isLost(e)) {
                // it may have died while nobody used it: the server was restarted
                disconnect();
                return false;
            }
            throw e;
        }
        batch.removeAll(busy);
        batch.removeAll(untried);
        batch.forEach(Call::committed);
        afterWrite.run();
        batch.clear();
        batch.addAll(untried);
        leftOver.addAll(busy);
        leftOver.removeIf(Call::isOver);
        batch.addAll(again());
        return batch.isEmpty();
    }

    /**
     * Where more is asked than can be done, what has waited longest is not worth doing: its answer would come too late, and it
     * will be asked again. Else nothing but such would be done.
     */
    private boolean isHopeless(Call<?, ?> call) {
        return call.isOver()
                || (call.weight() != Call.Weight.HEARTBEAT && waiting.size() >= LARGEST_BATCH && call.isLate());
    }

    /** All are answered when the last of them is done: in time for the most urgent. */
    private static long longest(List<Call<?, ?>> batch) {
        long left = batch.stream().mapToLong(Call::remainingNanos).min().orElse(0);
        return Math.min(LONGEST_BATCH_NANOS, Math.max(SHORTEST_BATCH_NANOS, left / 2));
    }

    private static boolean carry(Call<?, ?> call, Database.Opened opened) throws SQLException {
        try {
            call.run(opened.link(), opened.storeId());
            return true;
        } catch (RecordBusy e) {
            LOG.debug("left for later", e);
            return false;
        }
    }

    private void rollback() throws SQLException {
        Database.Opened known = open;
        if (known != null) {
            known.link().rollback();
        }
    }

    private void dropIfReplaced() {
        Database.Opened known = open;
        if (known != null && !database.isStill(known)) {
            LOG.warn("{} was removed or replaced while in use; store={}", database, known.storeId());
            disconnect();
        }
    }

    private Database.Opened connected() throws SQLException {
        Database.Opened known = open;
        if (known == null) {
            connecting = true;
            try {
                known = database.connect(use);
            } catch (SQLException | RuntimeException | Error e) {
                lastFault = Faults.text(e);
                throw e;
            }
            open = known;
            connecting = false;
            lastFault = null;
        }
        return known;
    }

    /** What keeps calls from being answered, for people; empty where it is nothing but time. */
    String trouble() {
        String fault = lastFault;
        return (connecting ? "; " + database.whileConnecting() : "")
                + (fault == null ? "" : "; the last try failed: " + fault);
    }

    private void begin(Link link, List<Call<?, ?>> batch) throws SQLException {
        join(batch, Call.Weight.DURABLE);
        link.limit(batch.stream().mapToLong(Call::remainingNanos).max().orElse(0));
        if (use == Database.Use.READS) {
            link.beginReading();
            return;
        }
        boolean durably = batch.stream().anyMatch(call -> call.weight() == Call.Weight.DURABLE);
        link.beginWriting(durably);
        // it may have taken a while to get the lock; who came meanwhile may share it
        join(batch, durably ? Call.Weight.DURABLE : Call.Weight.LIGHT);
        transactions.prepare(
                link, batch.stream().flatMap(call -> call.fresh().stream()).toList());
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
            if (!isHopeless(next.get())) {
                batch.add(next.get());
            }
        }
    }

    private void failed(List<Call<?, ?>> batch, SQLException fault) {
        LOG.debug("a transaction on {} failed", database, fault);
        Optional<StoreRefusal> lasting = committing ? Optional.empty() : database.refusal(fault);
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
        Database.Opened known = open;
        open = null;
        if (known != null) {
            try {
                known.link().rollback();
            } catch (SQLException e) {
                LOG.debug("a rollback on {} failed", database, e);
            }
            try {
                known.link().close();
            } catch (SQLException e) {
                LOG.debug("a connection to {} did not close", database, e);
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

    /** Begins {@link #close()}. Returns at once, so that several can be ended in the time of one. */
    synchronized void stop() {
        closed = true;
        thread.interrupt();
    }

    /** Answers what waits <em>unknown</em>, and ends the thread; waits for it up to two seconds. Idempotent. */
    @Override
    public void close() {
        stop();
        boolean running;
        synchronized (this) {
            running = started;
        }
        if (running && Thread.currentThread() != thread) {
            try {
                thread.join(CLOSE_MILLIS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            Database.Opened stuck = open;
            if (stuck != null) {
                stuck.link().abort();
            }
        }
        drop();
    }
}
