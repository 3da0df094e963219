package dev.signet.simulation;

import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * A part that breaks one rule: a lie around the honest machines, runtime, writers, store or fence. The simulation is worth
 * what it finds, so it must find each.
 *
 * @param rule the rule that it breaks, by its name in the design
 * @param what it does, for people
 */
public record Mutant(String name, String rule, String what, Supplier<Twist> twists) {

    /** All of them. */
    public static List<Mutant> all() {
        return Stream.of(
                        SessionMutants.all(),
                        RoleMutants.all(),
                        RuntimeMutants.all(),
                        StoreMutants.all(),
                        FenceMutants.all())
                .flatMap(List::stream)
                .toList();
    }

    Twist twist() {
        return twists.get();
    }
}
