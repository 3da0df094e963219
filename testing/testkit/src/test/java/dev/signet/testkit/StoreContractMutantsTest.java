package dev.signet.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The store contract finds each mutant out, by a test of the clause that it breaks. The table of clauses, mutants and the tests
 * that found them is printed, and lies in {@code target/store-contract.md}.
 */
final class StoreContractMutantsTest {

    private static final List<String> FOUND = new ArrayList<>();

    /** A store that breaks these clauses. */
    record Mutant(String name, Set<StoreClause> breaks, Supplier<StoreContract> contract) {
        @Override
        public String toString() {
            return name;
        }
    }

    static Stream<Mutant> mutants() {
        return Stream.concat(
                Stream.of(StoreMutant.values())
                        .map(each -> new Mutant(each.name(), each.breaks(), () -> new MemoryContract(each::model))),
                Stream.of(ContractMutant.values()).map(each -> new Mutant(each.name(), each.breaks(), each::contract)));
    }

    @ParameterizedTest
    @MethodSource("mutants")
    void testsOfTheClauseFindTheMutant(Mutant mutant) {
        for (StoreClause clause : mutant.breaks()) {
            List<String> finders = finders(mutant, clause, false);
            if (finders.isEmpty()) {
                finders = finders(mutant, clause, true);
            }
            assertThat(finders).as("tests of %s that find %s", clause, mutant).isNotEmpty();
            FOUND.add("| %s | %s | %s |".formatted(clause, mutant, String.join(", ", finders)));
        }
    }

    /** @param busy the tests that take long are asked only where no other finds it */
    private static List<String> finders(Mutant mutant, StoreClause clause, boolean busy) {
        return KitTests.of(clause).stream()
                .filter(test -> test.isAnnotationPresent(Busy.class) == busy)
                .filter(test -> !KitTests.passes(test, mutant.contract().get()))
                .map(Method::getName)
                .toList();
    }

    @Test
    void withoutAMutationEachTestPasses() {
        assertThat(KitTests.all())
                .hasSizeGreaterThan(80)
                .allMatch(test -> KitTests.passes(test, new MemoryContract(StoreModel::new)));
    }

    @ParameterizedTest
    @EnumSource
    void eachClauseHasATestAndAMutant(StoreClause clause) {
        assertThat(KitTests.of(clause)).as("tests").isNotEmpty();
        assertThat(mutants().filter(mutant -> mutant.breaks().contains(clause)))
                .as("mutants")
                .isNotEmpty();
    }

    @AfterAll
    static void printTheTable() throws IOException {
        List<String> table = new ArrayList<>(List.of("| clause | mutant | found by |", "|---|---|---|"));
        for (StoreClause clause : StoreClause.values()) {
            FOUND.stream().filter(row -> row.startsWith("| " + clause + " ")).forEach(table::add);
        }
        table.forEach(System.out::println);
        Files.write(Path.of("target", "store-contract.md"), table);
    }
}
