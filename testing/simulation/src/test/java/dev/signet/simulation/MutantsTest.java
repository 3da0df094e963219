package dev.signet.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** The proof that the simulation bites. */
class MutantsTest {

    private static final long LONGEST = 4_000;

    @Test
    void everyMutantIsFound() {
        MutantTable table =
                MutantTable.of(Mutant.all(), 1, LONGEST, Runtime.getRuntime().availableProcessors());
        System.out.println(table);
        assertThat(table.survivors()).isEmpty();
    }
}
