package dev.signet.benchmarks.jdbc;

import dev.signet.Candidate;
import dev.signet.Election;
import dev.signet.Namespace;
import dev.signet.Protection;
import dev.signet.Role;
import dev.signet.Signet;
import dev.signet.store.jdbc.DriverDataSource;
import dev.signet.store.jdbc.JdbcStore;
import dev.signet.store.jdbc.JdbcStoreOptions;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;

/** One candidate with one session. */
final class SignetContender implements Contender {

    private final JdbcStore store;
    private final Candidate candidate;
    private final Elected elected;
    private final Map<String, Election> elections = new ConcurrentHashMap<>();

    SignetContender(String url, Timing timing, Elected elected) {
        this.store = JdbcStore.open(
                DriverDataSource.of(url),
                Namespace.DEFAULT,
                JdbcStoreOptions.defaults().withAttempt(timing.signet().attemptTimeout()));
        this.candidate =
                Signet.candidate("benchmark", store).timing(timing.signet()).join();
        this.elected = elected;
    }

    @Override
    public void campaign(List<String> roles) {
        for (String role : roles) {
            Election known = elections.get(role);
            if (known == null) {
                elections.put(
                        role,
                        candidate.campaign(
                                Role.of(role), Protection.unfenced("nothing is written"), term -> elected.leads(role)));
            } else {
                known.campaign();
            }
        }
    }

    /** The same: it has no other way. */
    @Override
    public void take(List<String> roles) {
        campaign(roles);
    }

    @Override
    public void resign(String role) {
        Objects.requireNonNull(elections.get(role), role).resign();
    }

    @Override
    public void close() {
        candidate.close();
        store.close();
    }
}
