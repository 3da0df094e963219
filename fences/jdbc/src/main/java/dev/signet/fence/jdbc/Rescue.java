package dev.signet.fence.jdbc;

import dev.signet.ResourceName;
import dev.signet.Stamp;
import dev.signet.fence.FenceView;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.HashSet;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The last resort for a seal that is held up. When half of its time has passed, or as long as a transaction may stand still if
 * that is shorter, it looks up on a second connection who is in the way, and ends them, where the server knows and permits it.
 *
 * <p>They are writers of the term that is being deposed, whose transactions the seal is to shut out anyway: what was not
 * committed is rolled back. Nobody is ended for a seal that would be refused, or that raises nothing since this term has sealed
 * the resource already: then the writers are its own. Thread-safe; {@link #close} does not wait.
 */
final class Rescue implements AutoCloseable {

    /** Longer than MariaDB keeps what it has answered before it looks again. */
    private static final long AGAIN_MILLIS = 250;

    private static final long IDLE_SECONDS = 10;

    /** No session. */
    private static final long NOBODY = -1;

    private final Place place;
    private final ResourceName resource;
    private final JdbcFenceOptions options;
    private final HeldUps heldUps;
    private final ScheduledThreadPoolExecutor thread;

    Rescue(Place place, ResourceName resource, JdbcFenceOptions options, HeldUps heldUps) {
        this.place = place;
        this.resource = resource;
        this.options = options;
        this.heldUps = heldUps;
        this.thread = new ScheduledThreadPoolExecutor(1, Rescue::daemon);
        thread.setRemoveOnCancelPolicy(true);
        thread.setKeepAliveTime(IDLE_SECONDS, TimeUnit.SECONDS);
        thread.allowCoreThreadTimeOut(true);
    }

    private static Thread daemon(Runnable task) {
        Thread daemon = new Thread(task, "signet-fence-rescue");
        daemon.setDaemon(true);
        return daemon;
    }

    /** From here to the end of what is returned, the raise on that connection is looked after. */
    Watch beside(Dialect dialect, Connection raising, Stamp stamp, Deadline deadline) throws SQLException {
        OptionalLong session = dialect.session(raising);
        Watch watch = new Watch(dialect, session.orElse(0), stamp, deadline);
        if (session.isPresent()) {
            watch.start();
        }
        return watch;
    }

    @Override
    public void close() {
        thread.shutdownNow();
    }

    /** One raise. */
    final class Watch {

        private final Dialect dialect;
        private final long waiting;
        private final Stamp stamp;
        private final Deadline deadline;
        private final Set<Long> told = new HashSet<>(); // by the one thread
        private volatile boolean over;
        private @Nullable ScheduledFuture<?> scheduled;

        private Watch(Dialect dialect, long waiting, Stamp stamp, Deadline deadline) {
            this.dialect = dialect;
            this.waiting = waiting;
            this.stamp = stamp;
            this.deadline = deadline;
        }

        private void start() {
            long half = deadline.nanosLeft() / 2_000_000;
            long first = Math.min(half, options.longestIdle().toMillis());
            try {
                scheduled = thread.scheduleWithFixedDelay(this::help, first, AGAIN_MILLIS, TimeUnit.MILLISECONDS);
            } catch (RejectedExecutionException e) {
                over = true; // the fence was closed; its seals answer unknown
            }
        }

        private void help() {
            if (over) {
                return;
            }
            try (Borrowed borrowed = place.connect(deadline)) {
                Connection other = borrowed.connection();
                if (!raisesAnything(other)) {
                    return;
                }
                for (Blocker blocker : dialect.blockers(other, waiting)) {
                    if (!over) {
                        end(other, blocker);
                    }
                }
            } catch (SQLException | RuntimeException e) {
                tell(NOBODY, "unknown", false, "who it is cannot be seen: " + e.getMessage());
            }
        }

        private boolean raisesAnything(Connection other) throws SQLException {
            return dialect.look(other, resource).filter(this::isRaisedBy).isPresent();
        }

        private boolean isRaisedBy(FenceView row) {
            long jump = stamp.token().value() - row.highest();
            return row.role().equals(stamp.role())
                    && row.storeId().equals(stamp.storeId())
                    && jump > 0
                    && jump <= options.maxTokenJump();
        }

        private void end(Connection other, Blocker blocker) {
            if (!blocker.canBeEnded()) {
                tell(
                        blocker.session(),
                        blocker.description(),
                        false,
                        "it has no session that could be ended; an operator resolves it");
                return;
            }
            try {
                dialect.end(other, blocker);
                tell(
                        blocker.session(),
                        blocker.description(),
                        true,
                        "its transaction stood in the way of a later term's seal");
            } catch (SQLException e) {
                tell(blocker.session(), blocker.description(), false, "it could not be ended: " + e.getMessage());
            }
        }

        private void tell(long session, String blocker, boolean ended, String why) {
            // whoever was ended lets the seal through, which may be over before this is told
            if ((ended || !over) && told.add(session)) {
                heldUps.report(new HeldUp(resource, blocker, ended, why));
            }
        }

        /** Whoever ends a raise need not wait for what is being looked up for it. */
        void end() {
            over = true;
            ScheduledFuture<?> future = scheduled;
            if (future != null) {
                future.cancel(false);
            }
        }
    }
}
