package dev.signet.testkit;

import dev.signet.Stamp;
import dev.signet.WriteRefusedException;
import dev.signet.fence.Refusal;
import dev.signet.testkit.FenceStressOutcome.Form;
import java.util.concurrent.Callable;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** Writes row after row under the term that it believes in, long after another leads. For one thread. */
final class FenceStressWriter implements Callable<FenceStressOutcome.Writes> {

    private static final int STUBBORN = 20;

    /** Or those that are told at once would keep the processors from those that wait. */
    private static final long RETRY_NANOS = 250_000;

    private final FenceRace race;
    private final int number;
    private final Form form;
    private @Nullable FenceWriter own;
    private long begun;
    private long committed;
    private long ofLaterTerms;
    private long stale;
    private long retried;
    private long late;

    FenceStressWriter(FenceRace race, int number, Form form) {
        this.race = race;
        this.number = number;
        this.form = form;
    }

    @Override
    public FenceStressOutcome.Writes call() {
        try {
            while (!race.isOver()) {
                believe(race.current());
            }
        } finally {
            forget();
        }
        return new FenceStressOutcome.Writes(form, committed, ofLaterTerms, stale, retried, late);
    }

    private void believe(Stamp stamp) {
        for (int told = 0; told < STUBBORN && !race.isOver(); ) {
            boolean refused = !write(stamp);
            boolean heard = form == Form.UNCHECKED && !race.current().equals(stamp);
            if (refused || heard) {
                told++;
            }
        }
    }

    private boolean write(Stamp stamp) {
        try {
            long known = form == Form.HELPER ? byHelper(stamp) : byOwn(stamp);
            long token = stamp.token().value();
            race.committed(token);
            committed++;
            ofLaterTerms += token > FenceRace.FIRST ? 1 : 0;
            late += token < known ? 1 : 0;
        } catch (WriteRefusedException e) {
            if (e.refusal() != Refusal.STALE) {
                throw e;
            }
            stale++;
            return false;
        } catch (RuntimeException e) {
            if (!race.isTransient(e)) {
                throw e;
            }
            retried++;
            LockSupport.parkNanos(RETRY_NANOS);
        }
        return true;
    }

    /** @return the token of the last seal that had been answered when the commit was sent */
    private long byHelper(Stamp stamp) {
        long[] known = new long[1];
        race.site.inTransaction(stamp, writer -> {
            writer.write(row(), stamp);
            known[0] = race.answered();
        });
        return known[0];
    }

    private long byOwn(Stamp stamp) {
        FenceWriter writer = own == null ? race.site.begin(race.stress.level()) : own;
        own = writer;
        try {
            if (form != Form.UNCHECKED) {
                writer.check(stamp);
            }
            writer.write(row(), stamp);
            long known = race.answered();
            writer.commit();
            return known;
        } catch (RuntimeException e) {
            rollback(writer, e);
            throw e;
        }
    }

    private void rollback(FenceWriter writer, RuntimeException why) {
        try {
            writer.rollback();
        } catch (RuntimeException e) {
            why.addSuppressed(e);
            forget();
        }
    }

    private void forget() {
        if (own != null) {
            own.close();
            own = null;
        }
    }

    private String row() {
        return number + "-" + begun++;
    }
}
