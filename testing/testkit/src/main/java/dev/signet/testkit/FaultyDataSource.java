package dev.signet.testkit;

import java.io.PrintWriter;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.logging.Logger;
import javax.sql.DataSource;

/**
 * A data source whose connections break when a test says so, for stores and fences on a database. What a proxy on the network
 * cannot do, losing the answer to just this COMMIT, is done here:
 *
 * <pre>{@code
 * FaultyDataSource faulty = new FaultyDataSource(real);
 * FaultyDataSource.Planned lost = faulty.loseAnswerOfNextCommit();
 * …                                   // whoever commits next is told that the connection broke, and has committed
 * assertThat(lost.hasStruck()).isTrue();
 * }</pre>
 *
 * <p>Faults strike once each, in the order in which they were planned, whichever connection comes first. Statements are
 * counted over all connections, from when the fault is planned; a COMMIT or ROLLBACK that is sent as a statement is no
 * statement here. A connection that broke is closed, so that the database rolls back, and answers everything with a
 * connection exception from then on. It does not know of batches' single statements, nor of what is done to an unwrapped
 * connection. Thread-safe.
 */
public final class FaultyDataSource implements DataSource {

    private final DataSource source;
    private final List<Planned> planned = new ArrayList<>();

    public FaultyDataSource(DataSource source) {
        this.source = source;
    }

    /** The next commit takes place, and whoever asked for it is told that the connection broke. */
    public Planned loseAnswerOfNextCommit() {
        return plan(new Planned(Moment.AFTER_COMMIT, 1, Optional.empty()));
    }

    /** The next commit is never sent: the connection breaks before, and the transaction is rolled back. */
    public Planned loseNextCommit() {
        return plan(new Planned(Moment.BEFORE_COMMIT, 1, Optional.empty()));
    }

    /** The connection breaks instead of the {@code nth} statement from now, counted from 1. */
    public Planned breakBeforeStatement(int nth) {
        return plan(new Planned(Moment.BEFORE_STATEMENT, nth, Optional.empty()));
    }

    /** The {@code nth} statement from now is executed, and the connection breaks before its answer. */
    public Planned breakAfterStatement(int nth) {
        return plan(new Planned(Moment.AFTER_STATEMENT, nth, Optional.empty()));
    }

    /** The {@code nth} statement from now is executed this much later, whether or not anybody still waits for it. */
    public Planned delayStatement(int nth, Duration by) {
        return plan(new Planned(Moment.BEFORE_STATEMENT, nth, Optional.of(by)));
    }

    private synchronized Planned plan(Planned fault) {
        planned.add(fault);
        return fault;
    }

    /** What strikes now, if anything does. */
    synchronized Optional<Planned> next(Moment moment) {
        for (Iterator<Planned> each = planned.iterator(); each.hasNext(); ) {
            Planned fault = each.next();
            if (fault.moment == moment && --fault.left == 0) {
                each.remove();
                fault.struck = true;
                return Optional.of(fault);
            }
        }
        return Optional.empty();
    }

    @Override
    public Connection getConnection() throws SQLException {
        return FaultyConnection.of(source.getConnection(), this);
    }

    @Override
    public Connection getConnection(String user, String password) throws SQLException {
        return FaultyConnection.of(source.getConnection(user, password), this);
    }

    @Override
    public PrintWriter getLogWriter() throws SQLException {
        return source.getLogWriter();
    }

    @Override
    public void setLogWriter(PrintWriter out) throws SQLException {
        source.setLogWriter(out);
    }

    @Override
    public void setLoginTimeout(int seconds) throws SQLException {
        source.setLoginTimeout(seconds);
    }

    @Override
    public int getLoginTimeout() throws SQLException {
        return source.getLoginTimeout();
    }

    @Override
    public Logger getParentLogger() throws SQLFeatureNotSupportedException {
        return source.getParentLogger();
    }

    @Override
    public <T> T unwrap(Class<T> type) throws SQLException {
        return type.isInstance(this) ? type.cast(this) : source.unwrap(type);
    }

    @Override
    public boolean isWrapperFor(Class<?> type) throws SQLException {
        return type.isInstance(this) || source.isWrapperFor(type);
    }

    enum Moment {
        BEFORE_STATEMENT,
        AFTER_STATEMENT,
        BEFORE_COMMIT,
        AFTER_COMMIT
    }

    /** A fault that waits for its moment. */
    public static final class Planned {

        private final Moment moment;
        private final Optional<Duration> delay;
        private int left;
        private volatile boolean struck;

        private Planned(Moment moment, int nth, Optional<Duration> delay) {
            if (nth < 1) {
                throw new IllegalArgumentException("statement " + nth + ": they are counted from 1");
            }
            this.moment = moment;
            this.left = nth;
            this.delay = delay;
        }

        /** Whether it has befallen somebody: a test in which it did not shows nothing. */
        public boolean hasStruck() {
            return struck;
        }

        /** How much later the statement is executed; empty if the connection breaks. */
        Optional<Duration> delay() {
            return delay;
        }
    }
}
