package dev.signet.fence.jdbc;

import dev.signet.FenceException;
import dev.signet.FenceException.Outcome;
import dev.signet.ResourceName;
import dev.signet.Stamp;
import dev.signet.WriteRefusedException;
import dev.signet.fence.FenceView;
import dev.signet.fence.Refusal;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** One fenced transaction from its connection to its commit. For one use by one thread. */
final class FencedTransaction {

    /** What a trigger of {@link SqliteTriggers} says. */
    private static final Pattern REFUSED_BY_DATABASE = Pattern.compile("signet: ([A-Z_]+): ");

    private final Place place;
    private final ResourceName resource;
    private final Stamp stamp;
    private @Nullable WriteRefusedException refused;
    private boolean worked;

    FencedTransaction(Place place, ResourceName resource, Stamp stamp) {
        this.place = place;
        this.resource = resource;
        this.stamp = stamp;
    }

    /** @param stillValid called right before the work, with the lock in hand where that comes first, and else before the commit too */
    <T, E extends Exception> T run(Deadline deadline, Runnable stillValid, FencedWork<T, E> work) throws E {
        try (Borrowed borrowed = place.connect(deadline)) {
            Connection connection = borrowed.connection();
            Dialect dialect = place.dialectOf(connection);
            boolean committed = false;
            try {
                dialect.begin(connection, deadline);
                T result = dialect instanceof AtCommitDialect late
                        ? admittedAtCommit(late, connection, stillValid, work)
                        : admittedBefore(dialect, connection, stillValid, work, deadline);
                committed = true;
                return result;
            } finally {
                end(dialect, connection, committed);
            }
        } catch (WorkFailedException e) {
            throw FencedTransaction.<E>ofWork(e);
        } catch (UnclearCommitException | EndedEarlyException e) {
            throw new FenceException(resource, "" + e.getMessage(), e, Outcome.UNKNOWN);
        } catch (SQLException e) {
            throw failed(e);
        }
    }

    private <T, E extends Exception> T admittedBefore(
            Dialect dialect, Connection connection, Runnable stillValid, FencedWork<T, E> work, Deadline deadline)
            throws SQLException {
        requirePassed(dialect.admit(connection, resource, stamp));
        stillValid.run();
        T result = inside(dialect, connection, work);
        dialect.commit(connection, stamp, deadline);
        return result;
    }

    private <T, E extends Exception> T admittedAtCommit(
            AtCommitDialect dialect, Connection connection, Runnable stillValid, FencedWork<T, E> work)
            throws SQLException {
        stillValid.run();
        T result = inside(dialect, connection, work);
        stillValid.run();
        requirePassed(dialect.admitAndCommit(connection, resource, stamp));
        return result;
    }

    private void requirePassed(Dialect.Verdict verdict) {
        if (verdict.refusal().isPresent()) {
            throw refused(verdict.refusal().get(), verdict.highest(), null);
        }
    }

    private WriteRefusedException refused(Refusal refusal, long highest, @Nullable Throwable cause) {
        WriteRefusedException made = new WriteRefusedException(resource, stamp, refusal, highest, cause);
        refused = made;
        return made;
    }

    /** Whether it was this transaction that was refused, and not what its work did with another fence. */
    boolean wasRefusedBy(WriteRefusedException e) {
        return e.equals(refused);
    }

    /** Whether it was the check that refused, and not a trigger the work. */
    boolean wasNotAdmitted(WriteRefusedException e) {
        return wasRefusedBy(e) && e.getCause() == null;
    }

    /** @throws FenceException if the work was run, so that it is the caller's to run again */
    void requireNotWorked() {
        if (worked) {
            String retry = "the database had lost the seal, and has it again; nothing was written: run it once more";
            throw new FenceException(resource, retry, null, Outcome.RETRY);
        }
    }

    private <T, E extends Exception> T inside(Dialect dialect, Connection connection, FencedWork<T, E> work)
            throws SQLException {
        dialect.mark(connection, stamp);
        FencedConnection fenced = new FencedConnection(dialect, connection);
        T result;
        worked = true;
        try {
            result = work.run(fenced.shown());
        } catch (Exception e) {
            throwIfRefused(e, dialect, connection);
            throw new WorkFailedException(e);
        } finally {
            fenced.close();
        }
        if (fenced.isLost()) {
            throw new EndedEarlyException();
        }
        return result;
    }

    /** Where it was the database that refused. */
    private void throwIfRefused(Exception failure, Dialect dialect, Connection connection) throws SQLException {
        Optional<Refusal> refusal = refusedByDatabase(failure);
        if (refusal.isPresent()) {
            long highest =
                    dialect.look(connection, resource).map(FenceView::highest).orElse(0L);
            throw refused(refusal.get(), highest, failure);
        }
    }

    static Optional<Refusal> refusedByDatabase(Throwable failure) {
        if (!(failure instanceof SQLException) || failure.getMessage() == null) {
            return Optional.empty();
        }
        Matcher matcher = REFUSED_BY_DATABASE.matcher(failure.getMessage());
        String kind = matcher.find() ? matcher.group(1) : "";
        return Arrays.stream(Refusal.values())
                .filter(refusal -> refusal.name().equals(kind))
                .findFirst();
    }

    private void end(Dialect dialect, Connection connection, boolean committed) {
        try {
            if (!connection.getAutoCommit()) {
                if (!committed) {
                    dialect.hadTransaction(connection);
                    connection.rollback();
                }
                dialect.leave(connection);
                connection.setAutoCommit(true);
            }
        } catch (SQLException e) {
            abandon(connection, e);
        }
    }

    /** A connection that cannot be put right must not reach its next borrower; closing it ends its transaction. */
    private static void abandon(Connection connection, SQLException why) {
        try {
            connection.abort(Runnable::run);
        } catch (SQLException e) {
            why.addSuppressed(e);
        }
    }

    FenceException failed(SQLException e) {
        boolean retry = place.ask(dialect -> dialect.isTransient(e), false);
        String message = retry
                ? "the database was busy with others until the time-out, or changed since this transaction first read;"
                        + " nothing was written: " + e.getMessage()
                : "" + e.getMessage();
        return new FenceException(resource, message, e, retry ? Outcome.RETRY : Outcome.FAILED);
    }

    /** What the work threw is one of what it declares, or unchecked. */
    @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"}) // Java cannot catch a type parameter
    private static <E extends Exception> E ofWork(WorkFailedException failed) {
        if (failed.thrown instanceof RuntimeException unchecked) {
            throw unchecked;
        }
        return (E) failed.thrown;
    }

    /** Carries what the work threw past the handling of this class's own failures, which may be of the same type. */
    private static final class WorkFailedException extends RuntimeException {

        private static final long serialVersionUID = 1L;

        private final Exception thrown;

        WorkFailedException(Exception thrown) {
            super(null, thrown, false, false);
            this.thrown = thrown;
        }
    }
}
