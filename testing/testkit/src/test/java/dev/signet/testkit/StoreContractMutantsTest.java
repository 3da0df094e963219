package dev.signet.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.signet.StoreId;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The store contract finds each mutant out that it can see through the SPI alone. */
final class StoreContractMutantsTest {

    /** What needs a store's own faults, or half a minute of silence, to be seen; {@link StoreHistoryTest} finds these. */
    private static final Set<StoreMutant> BEYOND_THE_CONTRACT = EnumSet.of(
            StoreMutant.OPENS_AN_ENDED_SESSION_AGAIN,
            StoreMutant.GRANTS_A_COPY_OF_WHAT_IT_REFUSED,
            StoreMutant.TELLS_NOBODY_OF_AN_EXPIRY);

    private static final Pattern WAITING = Pattern.compile("Watch|Shown|Contend");

    static Set<StoreMutant> mutants() {
        return EnumSet.complementOf(EnumSet.copyOf(BEYOND_THE_CONTRACT));
    }

    @ParameterizedTest
    @MethodSource("mutants")
    void theContractFindsTheMutant(StoreMutant mutant) {
        List<Method> failed = tests().stream()
                .filter(test -> !passes(test, mutant::model))
                .limit(1)
                .toList();

        assertThat(failed).isNotEmpty();
    }

    @Test
    void theContractHasTestsToFindThemBy() {
        assertThat(tests()).hasSizeGreaterThan(40);
    }

    /** First those that do not wait, on real time, for what a broken store never says. */
    private static List<Method> tests() {
        Comparator<Method> waiting =
                Comparator.comparing(method -> WAITING.matcher(method.getName()).find());
        return Arrays.stream(StoreContract.class.getDeclaredMethods())
                .filter(method -> method.isAnnotationPresent(Test.class))
                .sorted(waiting.thenComparing(Method::getName))
                .toList();
    }

    private static boolean passes(Method test, Function<StoreId, StoreModel> rules) {
        StoreContract contract = new MemoryContract(rules);
        try {
            test.setAccessible(true);
            test.invoke(contract);
            return true;
        } catch (InvocationTargetException fault) {
            return false;
        } catch (IllegalAccessException fault) {
            throw new AssertionError(fault);
        } finally {
            contract.closeClients();
        }
    }
}
