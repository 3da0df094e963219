package dev.signet.benchmarks.contest;

import dev.signet.Candidate;
import dev.signet.Election;
import dev.signet.Protection;
import dev.signet.Role;
import dev.signet.Signet;
import dev.signet.store.Store;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;

/** One candidate with one session. */
public final class SignetContender implements Contender {

    private final Store store;
    private final Candidate candidate;
    private final Elected elected;
    private final Map<String, Election> elections = new ConcurrentHashMap<>();

    /** @param store which this closes */
    public SignetContender(Store store, Timing timing, Elected elected) {
        this.store = store;
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
