package dev.signet.runtime;

import dev.signet.Probe;
import dev.signet.election.role.Phase;
import dev.signet.time.EventLoop;
import dev.signet.time.Reading;
import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Asks the application's probe while a role is led, and resigns what is led when it fails. On the event loop. */
final class Probing implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger("dev.signet");

    private final CandidateOptions options;
    private final EventLoop loop;
    private final Executor executor;
    private final Roles roles;
    private boolean running;
    private Reading startedAt = new Reading(0, 0);
    private volatile boolean closed;

    Probing(CandidateOptions options, EventLoop loop, Executor executor, Roles roles) {
        this.options = options;
        this.loop = loop;
        this.executor = executor;
        this.roles = roles;
    }

    void begin() {
        options.probe().ifPresent(this::checkLater);
    }

    @Override
    public void close() {
        closed = true;
    }

    private void checkLater(Probe probe) {
        Duration period = options.timing().retryPeriod();
        loop.schedule(
                () -> {
                    if (!closed) {
                        checkLater(probe);
                        checkIfLeading(probe);
                    }
                },
                period);
    }

    private void checkIfLeading(Probe probe) {
        if (running) {
            Duration since = Duration.ofNanos(options.time().read().nanosSince(startedAt));
            if (since.compareTo(options.timing().renewDeadline()) > 0) {
                failed("it has not returned for " + since.toMillis() + " ms");
            }
        } else if (roles.elections().stream().anyMatch(Probing::leads)) {
            running = true;
            startedAt = options.time().read();
            start(probe);
        }
    }

    private void start(Probe probe) {
        try {
            executor.execute(() -> check(probe));
        } catch (RejectedExecutionException e) {
            running = false;
            failed("its executor takes no work");
        } catch (RuntimeException | Error fault) {
            running = false;
            failed("its executor failed: " + fault);
        }
    }

    /** A probe may throw anything: all of it says that the application does not work, now. */
    @SuppressWarnings("CatchingUnchecked")
    private void check(Probe probe) {
        try {
            probe.check();
            loop.execute(() -> running = false);
        } catch (Throwable fault) {
            loop.execute(() -> {
                running = false;
                failed(fault.toString());
            });
        }
    }

    private void failed(String why) {
        LOG.warn("the application's probe failed: {}", why);
        roles.elections().stream().filter(Probing::leads).forEach(ElectionHandle::probeFailed);
    }

    private static boolean leads(ElectionHandle election) {
        Phase.Kind phase = election.runner().standpoint().phase();
        return phase == Phase.Kind.LEADING || phase == Phase.Kind.PREPARING;
    }
}
