package dev.signet.fence.jdbc;

import dev.signet.testkit.FenceContract;
import dev.signet.testkit.FenceSite;
import dev.signet.testkit.IsolationLevel;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Supplier;

/** The contract of fences, for one that is wrong on purpose: where it must fail. Tests are made elsewhere. */
final class SiteContract extends FenceContract {

    private final Supplier<FenceSite> sites;
    private final Set<IsolationLevel> levels;
    private final Map<String, String> limits;

    SiteContract(Supplier<FenceSite> sites, Set<IsolationLevel> levels, Map<String, String> limits) {
        this.sites = sites;
        this.levels = levels;
        this.limits = limits;
    }

    @Override
    protected FenceSite site() {
        return sites.get();
    }

    @Override
    protected Set<IsolationLevel> levels() {
        return levels;
    }

    @Override
    protected Map<String, String> limits() {
        return limits;
    }

    /**
     * Lets each mutant fail, several side by side as they mostly wait, and prints who found it.
     *
     * @param mutants by name
     * @param equivalent those that nobody can tell from the fence itself, with the reason
     * @return the mutants that no story caught
     */
    static List<String> survivors(
            String area, Map<String, SiteContract> mutants, Map<String, String> equivalent, int atOnce)
            throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(atOnce);
        try {
            List<Map.Entry<String, Future<Optional<String>>>> found = new ArrayList<>();
            mutants.forEach((name, contract) -> found.add(Map.entry(name, threads.submit(contract::firstFailure))));
            List<String> survivors = new ArrayList<>();
            for (Map.Entry<String, Future<Optional<String>>> each : found) {
                Optional<String> caught = each.getValue().get();
                System.out.printf(
                        "MUTANT %-8s %-58s %s%n",
                        area,
                        each.getKey(),
                        caught.map(story -> "caught: " + story).orElse("SURVIVED"));
                if (caught.isEmpty()) {
                    survivors.add(area + ": " + each.getKey());
                }
            }
            equivalent.forEach((name, why) -> System.out.printf("MUTANT %-8s %-58s equivalent: %s%n", area, name, why));
            return survivors;
        } finally {
            threads.shutdownNow();
        }
    }
}
