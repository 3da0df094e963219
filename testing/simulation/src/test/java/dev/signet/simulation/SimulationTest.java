package dev.signet.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

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

    /** What they have shown, at their time, stands beside them. */
    @ParameterizedTest(name = "seed {0}: {1}")
    @CsvSource({
        "12, 'what was seen of a wiped store kept everybody waiting'",
        "106, 'what was seen of a wiped store kept everybody waiting'",
        "112, 'what was seen of a wiped store kept everybody waiting'",
        "423, 'a resource that had forgotten its seal was never written to again'",
        "11746, 'a grant that a newer record contradicted began a term'",
        "13822, 'a grant that a newer record contradicted began a term'",
        "26792, 'a grant that only a restored store remembered was kept for ever'",
        "6208, 'the judge took a reservation of before a restore for one that stands'",
        "22857, 'the judge asked of a suspended host with its wall clock set back what it cannot know'",
    })
    void seedsThatHaveFailedPass(long seed, String what) {
        List<String> story = new ArrayList<>();
        assertThat(Simulation.replay(seed, story::add))
                .as(() -> what + ":\n" + String.join("\n", story))
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
