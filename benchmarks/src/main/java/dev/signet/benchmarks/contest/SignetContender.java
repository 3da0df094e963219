package dev.signet.benchmarks.contest;

import dev.signet.Candidate;
import dev.signet.CandidateId;
import dev.signet.Election;
import dev.signet.Protection;
import dev.signet.Role;
import dev.signet.Signet;
import dev.signet.benchmarks.resource.ResourceClient;
import dev.signet.store.Store;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;

/** One candidate with one session. */
public final class SignetContender implements Contender {

    private static final Duration WINDOW = Duration.ofSeconds(5);

    private final Candidate candidate;
    private final Elected elected;
    private final Map<String, Election> elections = new ConcurrentHashMap<>();

    /** @param store which ends with the process */
    public SignetContender(Store store, Timing timing, Elected elected) {
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

    @Override
    public void lead(String role, ResourceClient resource) {
        Election known = elections.get(role);
        if (known == null) {
            Protection fenced = Protection.by(new ResourceFence(resource));
            elections.put(role, candidate.campaign(Role.of(role), fenced, term -> {
                elected.leads(role);
                var draining = term.draining().toCompletableFuture();
                resource.writeWhile(
                        () -> term.isValid() && !draining.isDone(), term.token().value());
            }));
        } else {
            known.campaign();
        }
    }

    @Override
    public void transfer(String role, String successor) {
        var unused = Objects.requireNonNull(elections.get(role), role)
                .transfer(CandidateId.parse(successor), WINDOW)
                .whenComplete((done, fault) -> {
                    if (fault != null) {
                        System.err.println(role + " is not transferred: " + fault);
                    }
                });
    }

    @Override
    public String name() {
        return candidate.id().toString();
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
    }
}
