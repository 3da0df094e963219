package dev.signet.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SimulationTest {

    private static final long SEEDS = Long.getLong("signet.simulation.seeds", 1_000);

    @Test
    void noSeedBreaksARuleAndTogetherTheySeeEverything() {
        Simulation.Report report = Simulation.run(Simulation.Options.of(SEEDS));
        System.out.printf(
                Locale.ROOT,
                "simulation: %d seeds, %.0f a second, %d steps, %d h simulated%n",
                report.seeds(),
                report.seedsPerSecond(),
                report.steps(),
                report.simulated().toHours());
        System.out.println(coverage(report.coverage()));
        assertThat(report.failures()).isEmpty();
        assertThat(report.coverage().missing()).isEmpty();
    }

    private static String coverage(Coverage coverage) {
        return List.of(Sometimes.values()).stream()
                .map(what -> what.name().toLowerCase(Locale.ROOT) + " " + coverage.of(what))
                .collect(Collectors.joining(", "));
    }

    @ParameterizedTest(name = "seed {0}: a candidate forgets what it saw of a store that has gone back since")
    @ValueSource(longs = {12, 42, 106, 112, 113})
    void seedsThatHaveFailed(long seed) {
        List<String> story = new ArrayList<>();
        assertThat(Simulation.replay(seed, story::add))
                .as(() -> String.join("\n", story))
                .isEmpty();
    }

    @Test
    void aSeedAlwaysGivesTheSameRun() {
        List<String> once = new ArrayList<>();
        List<String> again = new ArrayList<>();
        Simulation.replay(7, once::add);
        Simulation.replay(7, again::add);
        assertThat(again).isEqualTo(once).hasSizeGreaterThan(100);
    }
}
