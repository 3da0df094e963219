package dev.signet.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.signet.StoreId;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The reference store keeps its promises whatever the network does, and each mutant breaks one soon. */
final class StoreHistoryTest {

    private static final StoreId ID = new StoreId("random");
    private static final int SEEDS = 500;
    private static final int STEPS = 400;

    @Test
    void noHistoryBreaksAPromise() {
        int grants = 0;
        for (int seed = 0; seed < SEEDS; seed++) {
            grants += StoreHistory.run(new StoreModel(ID), seed, STEPS);
        }
        assertThat(grants).as("grants: without any, this says nothing").isGreaterThan(5_000);
    }

    @ParameterizedTest
    @EnumSource
    void aHistoryFindsTheMutant(StoreMutant mutant) {
        int seeds = 0;
        while (seeds < SEEDS && !isFound(mutant, seeds)) {
            seeds++;
        }
        System.out.println("store mutant " + mutant + ": found by seed " + seeds);
        assertThat(seeds).as("seeds to detection").isLessThan(SEEDS);
    }

    private static boolean isFound(StoreMutant mutant, int seed) {
        try {
            StoreHistory.run(mutant.model(ID), seed, STEPS);
            return false;
        } catch (AssertionError found) {
            return true;
        }
    }
}
