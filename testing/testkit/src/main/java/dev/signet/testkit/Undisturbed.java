package dev.signet.testkit;

import java.lang.annotation.Annotation;
import java.lang.reflect.Method;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.parallel.ResourceAccessMode;
import org.junit.jupiter.api.parallel.ResourceLocksProvider;

/**
 * Tests of the kit run side by side, but for those that disturb the store, each of which has that store for itself, and those
 * that keep the machine busy.
 */
final class Undisturbed implements ResourceLocksProvider {

    @Override
    public Set<Lock> provideForMethod(List<Class<?>> enclosing, Class<?> testClass, Method testMethod) {
        return Set.of(
                lock("store of " + testClass.getName(), testMethod, Disturbing.class),
                lock("the machine, for stores' tests", testMethod, Busy.class));
    }

    private static Lock lock(String key, Method testMethod, Class<? extends Annotation> alone) {
        return new Lock(
                key, testMethod.isAnnotationPresent(alone) ? ResourceAccessMode.READ_WRITE : ResourceAccessMode.READ);
    }
}
