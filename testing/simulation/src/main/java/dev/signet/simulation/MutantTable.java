package dev.signet.simulation;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;

/** How many seeds it takes to find each mutant. Immutable. */
public record MutantTable(List<Line> lines) {

    /**
     * @param seeds how many were run until the first that found it, or in vain
     * @param found what found it; empty for a survivor
     */
    public record Line(Mutant mutant, long seeds, Optional<Simulation.Failure> found) {}

    public MutantTable {
        lines = List.copyOf(lines);
    }

    /**
     * Runs seeds with each mutant until one finds it.
     *
     * @param from the first seed
     * @param longest seeds for one mutant, after which it counts as a survivor
     */
    public static MutantTable of(List<Mutant> mutants, long from, long longest, int threads) {
        AtomicLong next = new AtomicLong();
        List<List<Line>> parts = Simulation.onThreads(threads, () -> {
            List<Line> part = new ArrayList<>();
            for (long i = next.getAndIncrement(); i < mutants.size(); i = next.getAndIncrement()) {
                part.add(hunt(mutants.get((int) i), from, longest));
            }
            return part;
        });
        List<Line> lines = new ArrayList<>();
        for (Mutant mutant : mutants) {
            parts.forEach(part ->
                    part.stream().filter(line -> line.mutant().equals(mutant)).forEach(lines::add));
        }
        return new MutantTable(lines);
    }

    private static Line hunt(Mutant mutant, long from, long longest) {
        for (long seed = from; seed < from + longest; seed++) {
            Optional<Simulation.Failure> failure = Simulation.failure(Run.of(seed, mutant.twist(), Trace.SILENT));
            if (failure.isPresent()) {
                return new Line(mutant, seed - from + 1, failure);
            }
        }
        return new Line(mutant, longest, Optional.empty());
    }

    public List<Mutant> survivors() {
        return lines.stream()
                .filter(line -> line.found().isEmpty())
                .map(Line::mutant)
                .toList();
    }

    /** One line for each mutant, under a heading. */
    @Override
    public String toString() {
        StringBuilder text = new StringBuilder(String.format(
                Locale.ROOT, "%-38s  %-8s  %6s  %-15s  %s%n", "mutant", "breaks", "seeds", "found by", "what it does"));
        for (Line line : lines) {
            text.append(String.format(
                    Locale.ROOT,
                    "%-38s  %-8s  %6d  %-15s  %s%n",
                    line.mutant().name(),
                    line.mutant().rule(),
                    line.seeds(),
                    line.found().map(failure -> failure.rule().name()).orElse("SURVIVES"),
                    line.mutant().what()));
        }
        return text.toString();
    }
}
