package dev.signet.app.command;

import dev.signet.app.cli.Command;
import dev.signet.app.cli.ExitCode;
import dev.signet.app.cli.Option;
import dev.signet.app.cli.Options;
import dev.signet.app.cli.Output;
import dev.signet.app.cli.Readers;
import dev.signet.app.cli.Surroundings;
import dev.signet.simulation.Mutant;
import dev.signet.simulation.MutantTable;
import dev.signet.simulation.Simulation;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** {@code signet simulate}. */
public final class SimulateCommand implements Command {

    /** Far above what any mutant takes; the table of the tests shows how many that is. */
    private static final int LONGEST_HUNT = 20_000;

    private final Option<Optional<Integer>> seeds;
    private final Option<Optional<Long>> seed;
    private final Option<Boolean> mutants;
    private final Option<Long> from;
    private final Option<Optional<Integer>> threads;
    private final Output output;

    public SimulateCommand(Options options) {
        seeds = options.optional(
                "--seeds", "N", Readers::count, "Run N seeds. With --mutants: the longest hunt for one of them.");
        seed = options.optional("--seed", "S", Readers::wholeNumber, "Run this one and tell its story.");
        mutants = options.flag("--mutants", "Break one rule at a time and show how many seeds find it.");
        from = options.withDefault("--from", "K", Readers::wholeNumber, "1", "The first seed of --seeds.");
        threads = options.optional("--threads", "T", Readers::count, "How many run at once. Default: one per core.");
        options.combined(this::requireOneKind);
        output = Output.in(options);
        options.describe(
                "Runs the real machines in worlds made from seeds: clocks that drift and stand still, a network that loses and"
                        + " repeats, crashes, pauses; then without faults, when a leader must be found and every acknowledged"
                        + " write must be there. A seed always gives the same run. Exit code 1 if a rule was broken, or a"
                        + " mutant survived.");
    }

    private boolean requireOneKind() {
        boolean many = seeds.value().isPresent() || mutants.value();
        if (many == seed.value().isPresent()) {
            throw new IllegalArgumentException("give one of --seeds N, --seed S and --mutants");
        }
        return true;
    }

    @Override
    public int run(Surroundings surroundings) {
        boolean passed = seed.value().isPresent()
                ? replay(seed.value().get())
                : mutants.value() ? hunt(surroundings) : runSeeds(surroundings);
        return (passed ? ExitCode.OK : ExitCode.FAILED).number();
    }

    private int threadsToUse() {
        return threads.value().orElseGet(() -> Runtime.getRuntime().availableProcessors());
    }

    private boolean runSeeds(Surroundings surroundings) {
        Simulation.Options options =
                new Simulation.Options(from.value(), seeds.value().orElseThrow(), threadsToUse());
        surroundings.say("running " + options.seeds() + " seeds from " + options.from() + " on " + options.threads()
                + " threads");
        Simulation.Report report = Simulation.run(options);
        output.print(() -> fields(options, report), out -> print(out, report));
        return report.passed();
    }

    private static void print(PrintStream out, Simulation.Report report) {
        for (Simulation.Failure failure : report.failures()) {
            out.println(failure);
            out.println("  replay it: signet simulate --seed " + failure.seed());
        }
        if (!report.coverage().missing().isEmpty()) {
            out.println("never seen in these seeds: " + report.coverage().missing());
        }
        out.println(String.format(
                Locale.ROOT,
                "%d seeds, %d failed; %d steps and %d h of simulated time in %.1f s, %.0f seeds/s",
                report.seeds(),
                report.failures().size(),
                report.steps(),
                report.simulated().toHours(),
                report.took().toMillis() / 1000.0,
                report.seedsPerSecond()));
    }

    private static Map<String, Object> fields(Simulation.Options options, Simulation.Report report) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("from", options.from());
        fields.put("seeds", options.seeds());
        fields.put("threads", options.threads());
        fields.put("passed", report.passed());
        fields.put(
                "failures",
                report.failures().stream().map(SimulateCommand::fields).toList());
        fields.put("neverSeen", report.coverage().missing());
        fields.put("steps", report.steps());
        fields.put("simulatedMillis", report.simulated().toMillis());
        fields.put("tookMillis", report.took().toMillis());
        return fields;
    }

    private static Map<String, Object> fields(Simulation.Failure failure) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("seed", failure.seed());
        fields.put("rule", failure.rule());
        fields.put("what", failure.what());
        return fields;
    }

    private boolean replay(long one) {
        List<String> story = new ArrayList<>();
        Optional<Simulation.Failure> failure = Simulation.replay(one, story::add);
        output.print(() -> fields(one, failure, story), out -> {
            story.forEach(out::println);
            out.println(failure.map(Object::toString).orElse("seed " + one + " broke no rule"));
        });
        return failure.isEmpty();
    }

    private static Map<String, Object> fields(long one, Optional<Simulation.Failure> failure, List<String> story) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("seed", one);
        fields.put("passed", failure.isEmpty());
        fields.put("failure", failure.map(SimulateCommand::fields));
        fields.put("story", story);
        return fields;
    }

    private boolean hunt(Surroundings surroundings) {
        List<Mutant> all = Mutant.all();
        surroundings.say("hunting " + all.size() + " mutants on " + threadsToUse() + " threads");
        MutantTable table = MutantTable.of(all, from.value(), seeds.value().orElse(LONGEST_HUNT), threadsToUse());
        output.print(() -> fields(table), out -> {
            out.print(table);
            out.println(table.lines().size() + " mutants, " + table.survivors().size() + " survived");
        });
        return table.survivors().isEmpty();
    }

    private static Map<String, Object> fields(MutantTable table) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("passed", table.survivors().isEmpty());
        fields.put(
                "mutants", table.lines().stream().map(SimulateCommand::fields).toList());
        return fields;
    }

    private static Map<String, Object> fields(MutantTable.Line line) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("name", line.mutant().name());
        fields.put("breaks", line.mutant().rule());
        fields.put("what", line.mutant().what());
        fields.put("seeds", line.seeds());
        fields.put("foundBy", line.found().map(Simulation.Failure::rule));
        return fields;
    }
}
