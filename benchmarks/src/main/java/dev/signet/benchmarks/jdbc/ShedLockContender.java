package dev.signet.benchmarks.jdbc;

import com.zaxxer.hikari.HikariDataSource;
import dev.signet.benchmarks.contest.Contender;
import dev.signet.benchmarks.contest.Timing;
import dev.signet.benchmarks.server.Threads;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import net.javacrumbs.shedlock.core.LockConfiguration;
import net.javacrumbs.shedlock.core.LockProvider;
import net.javacrumbs.shedlock.core.SimpleLock;
import net.javacrumbs.shedlock.provider.jdbctemplate.JdbcTemplateLockProvider;
import net.javacrumbs.shedlock.provider.jdbctemplate.JdbcTemplateLockProvider.Configuration;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.JdbcTemplate;

/**
 * A lock per role, on the database's time. ShedLock has no election: here, whoever does not have the lock tries again every
 * period, as a scheduler would, and whoever has it extends it after half of its lease, as ShedLock's KeepAliveLockProvider does
 * (which itself refuses leases below 30 s).
 */
final class ShedLockContender implements Contender {

    private final HikariDataSource connections;
    private final LockProvider provider;
    private final Timing timing;
    private final Elected elected;
    private final ScheduledExecutorService clock = Executors.newScheduledThreadPool(Pool.SIZE, Threads::daemon);
    private final Map<String, Seat> seats = new ConcurrentHashMap<>();

    ShedLockContender(String url, Timing timing, Elected elected) {
        this.connections = Pool.to(url);
        this.provider = new JdbcTemplateLockProvider(Configuration.builder()
                .withJdbcTemplate(new JdbcTemplate(connections))
                .usingDbTime()
                .build());
        this.timing = timing;
        this.elected = elected;
    }

    private Optional<SimpleLock> lock(String role) {
        return provider.lock(new LockConfiguration(Instant.now(), role, timing.lease(), Duration.ZERO));
    }

    @Override
    public void campaign(List<String> roles) {
        roles.forEach(role -> seats.computeIfAbsent(role, Seat::new).campaign());
    }

    @Override
    public void take(List<String> roles) {
        Pool.each(roles, role -> lock(role).ifPresent(lock -> elected.leads(role)));
    }

    @Override
    public void resign(String role) {
        Objects.requireNonNull(seats.get(role), role).resign();
    }

    @Override
    public void close() {
        clock.shutdownNow();
        connections.close();
    }

    private final class Seat {

        private final String role;
        private boolean wanted;
        private @Nullable SimpleLock mine;

        Seat(String role) {
            this.role = role;
        }

        synchronized void campaign() {
            wanted = true;
            later(ThreadLocalRandom.current().nextLong(timing.period().toMillis()));
        }

        private void later(long millis) {
            ScheduledFuture<?> unused = clock.schedule(this::attend, millis, TimeUnit.MILLISECONDS);
        }

        private synchronized void attend() {
            if (!wanted) {
                return;
            }
            SimpleLock before = mine;
            Optional<SimpleLock> now = before == null ? lock(role) : before.extend(timing.lease(), Duration.ZERO);
            mine = now.orElse(null);
            if (before == null && now.isPresent()) {
                elected.leads(role);
            }
            later(
                    now.isPresent()
                            ? timing.lease().toMillis() / 2
                            : timing.period().toMillis());
        }

        synchronized void resign() {
            wanted = false;
            SimpleLock before = mine;
            mine = null;
            if (before != null) {
                before.unlock();
            }
        }
    }
}
