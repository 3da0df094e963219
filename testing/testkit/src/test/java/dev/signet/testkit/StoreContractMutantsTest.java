package dev.signet.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.signet.StoreId;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The store contract finds each mutant out. */
final class StoreContractMutantsTest {

    @ParameterizedTest
    @EnumSource
    void theContractFindsTheMutant(StoreMutant mutant) {
        assertThat(clauses()).anyMatch(clause -> !passes(clause, mutant::model));
    }

    @Test
    void theContractHasClausesToFindThemBy() {
        assertThat(clauses()).hasSizeGreaterThan(40).allMatch(clause -> passes(clause, StoreModel::new));
    }

    @ParameterizedTest
    @EnumSource
    void eachClauseIsChecked(StoreClause clause) {
        assertThat(clauses())
                .filteredOn(test -> test.isAnnotationPresent(Checks.class))
                .anyMatch(test ->
                        List.of(test.getAnnotation(Checks.class).value()).contains(clause));
    }

    private static List<Method> clauses() {
        return Stream.<Class<?>>iterate(StoreContract.class, type -> type != Object.class, Class::getSuperclass)
                .flatMap(type -> Arrays.stream(type.getDeclaredMethods()))
                .filter(method ->
                        method.isAnnotationPresent(Test.class) || method.isAnnotationPresent(TestFactory.class))
                .filter(method -> !method.isAnnotationPresent(Tag.class))
                .sorted(Comparator.comparing(Method::getName))
                .toList();
    }

    private static boolean passes(Method test, Function<StoreId, StoreModel> rules) {
        StoreContract contract = new MemoryContract(rules);
        try {
            test.setAccessible(true);
            Object generated = test.invoke(contract);
            if (generated instanceof List<?> tests) {
                for (Object each : tests) {
                    ((DynamicTest) each).getExecutable().execute();
                }
            }
            return true;
        } catch (InvocationTargetException | AssertionError fault) {
            return false;
        } catch (Throwable fault) {
            throw new AssertionError(fault);
        } finally {
            contract.closeClients();
        }
    }
}
