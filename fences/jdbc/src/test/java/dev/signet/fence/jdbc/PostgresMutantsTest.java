package dev.signet.fence.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

@Tag("process")
@Execution(ExecutionMode.CONCURRENT)
class PostgresMutantsTest {

    private static final int SIDE_BY_SIDE = 6;

    @Test
    void everyMutantIsFound() throws Exception {
        assertThat(Mutant.survivors(PostgresMutants.all(), PostgresMutants.EQUIVALENT, SIDE_BY_SIDE))
                .as("mutants that no story found")
                .isEmpty();
    }
}
