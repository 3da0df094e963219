package dev.signet.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.api.parallel.ResourceLock;

/**
 * What every store must do, as tests. A store's own tests extend this class and say how to connect, how time passes, how
 * the store is restarted, and by which means it can be disturbed: they implement {@link Freezable}, {@link Networked},
 * {@link Restorable} and {@link Shared}, or declare with {@link Cannot} why not.
 *
 * <p>The clauses are {@link StoreClause}; each test says with {@link Checks} which it checks. Each test starts on names of
 * its own, so one server may serve them all, and where JUnit runs tests in parallel they run side by side, but for those
 * that disturb the store.
 */
@Execution(ExecutionMode.CONCURRENT)
@ExtendWith(Told.class)
@ResourceLock(providers = Undisturbed.class)
public abstract class StoreContract extends StoreContestClauses {

    private static final List<Class<?>> MEANS =
            List.of(Freezable.class, Networked.class, Restorable.class, Shared.class);

    @Test
    void howThisStoreIsDisturbedIsSaidOrDeclaredImpossible() {
        List<Cannot> declared = List.of(getClass().getAnnotationsByType(Cannot.class));
        for (Class<?> means : MEANS) {
            Stream<Cannot> reasons = declared.stream().filter(each -> each.value() == means);
            assertThat(reasons)
                    .as(
                            "%s implements %s, or else says why not, once: @Cannot(value = %s.class, because = \"…\")",
                            getClass().getSimpleName(), means.getSimpleName(), means.getSimpleName())
                    .hasSize(means.isInstance(this) ? 0 : 1);
        }
        for (Cannot cannot : declared) {
            assertThat(cannot.because()).as("the reason").isNotBlank();
            assertThat(MEANS).contains(cannot.value());
            System.out.printf(
                    "store contract: %s is not %s: %s%n",
                    getClass().getSimpleName(), cannot.value().getSimpleName(), cannot.because());
        }
    }
}
