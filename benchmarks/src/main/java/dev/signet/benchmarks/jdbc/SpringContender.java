package dev.signet.benchmarks.jdbc;

import com.zaxxer.hikari.HikariDataSource;
import dev.signet.benchmarks.contest.Contender;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import org.springframework.integration.jdbc.lock.DefaultLockRepository;
import org.springframework.integration.jdbc.lock.JdbcLockRegistry;
import org.springframework.integration.leader.Context;
import org.springframework.integration.leader.DefaultCandidate;
import org.springframework.integration.support.leader.LockRegistryLeaderInitiator;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;

/** A leader initiator per role over one lock registry, which is how Spring Integration elects; each has a thread of its own. */
final class SpringContender implements Contender {

    private final HikariDataSource connections;
    private final DefaultLockRepository repository;
    private final JdbcLockRegistry registry;
    private final Duration heartbeat;
    private final Elected elected;
    private final Map<String, LockRegistryLeaderInitiator> initiators = new ConcurrentHashMap<>();

    /**
     * @param heartbeat how often a leader renews
     * @param betweenTries how often one who waits asks
     */
    SpringContender(String url, Duration lease, Duration heartbeat, Duration betweenTries, Elected elected) {
        this.connections = Pool.to(url);
        this.repository = new DefaultLockRepository(connections);
        repository.setTimeToLive((int) lease.toMillis());
        // as its documentation has it for PostgreSQL: else each try that comes second is an error at the server
        repository.setInsertQuery(repository.getInsertQuery() + " ON CONFLICT DO NOTHING");
        repository.setTransactionManager(new DataSourceTransactionManager(connections));
        repository.afterPropertiesSet();
        repository.afterSingletonsInstantiated();
        repository.start();
        this.registry = new JdbcLockRegistry(repository);
        registry.setIdleBetweenTries(betweenTries);
        this.heartbeat = heartbeat;
        this.elected = elected;
    }

    @Override
    public void campaign(List<String> roles) {
        for (String role : roles) {
            initiators.computeIfAbsent(role, this::initiator).start();
        }
    }

    private LockRegistryLeaderInitiator initiator(String role) {
        DefaultCandidate candidate = new DefaultCandidate(UUID.randomUUID().toString(), role) {
            @Override
            public void onGranted(Context context) {
                elected.leads(role);
            }
        };
        LockRegistryLeaderInitiator initiator = new LockRegistryLeaderInitiator(registry, candidate);
        initiator.setHeartBeatMillis(heartbeat.toMillis());
        return initiator;
    }

    @Override
    public void take(List<String> roles) {
        Pool.each(roles, role -> {
            if (registry.obtain(role).tryLock()) {
                elected.leads(role);
            }
        });
    }

    @Override
    public void resign(String role) {
        Objects.requireNonNull(initiators.get(role), role).stop();
    }

    @Override
    public void close() {
        initiators.values().forEach(LockRegistryLeaderInitiator::stop);
        connections.close();
    }
}
