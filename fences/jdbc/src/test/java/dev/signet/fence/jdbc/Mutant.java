package dev.signet.fence.jdbc;

import dev.signet.testkit.FenceClause;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * A fence as one would naively write it, wrong in one way.
 *
 * @param clauses those whose stories have to say so
 */
record Mutant(String name, Set<FenceClause> clauses, JdbcFenceContract fence) {

    /**
     * A mutant that nobody could write with is found by every story, and shows nothing: the current term must get through, but for
     * those that are wrong in keeping it out.
     */
    private String verdict() {
        Optional<String> keptOut = clauses.contains(FenceClause.F1) ? Optional.empty() : fence.firstFailureOfForms();
        if (keptOut.isPresent()) {
            return "USELESS: " + keptOut.get();
        }
        return fence.firstFailure(clauses).map(found -> "found: " + found).orElse("SURVIVED");
    }

    /** Prints what found each, and returns those that nothing did. */
    static List<String> survivors(List<Mutant> mutants, Map<String, String> equivalents, int sideBySide)
            throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(sideBySide);
        List<String> survivors = new ArrayList<>();
        try {
            List<Future<String>> verdicts = new ArrayList<>();
            mutants.forEach(mutant -> verdicts.add(threads.submit(mutant::verdict)));
            for (int i = 0; i < mutants.size(); i++) {
                String line = String.format(
                        "%-56s %s", mutants.get(i).name, verdicts.get(i).get());
                System.out.println("MUTANT " + line);
                if (!verdicts.get(i).get().startsWith("found")) {
                    survivors.add(line);
                }
            }
        } finally {
            threads.shutdownNow();
        }
        equivalents.forEach((name, why) -> System.out.printf("MUTANT %-56s equivalent: %s%n", name, why));
        return survivors;
    }
}
