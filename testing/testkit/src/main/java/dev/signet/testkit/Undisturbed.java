package dev.signet.testkit;

import java.lang.reflect.Method;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.parallel.ResourceAccessMode;
import org.junit.jupiter.api.parallel.ResourceLocksProvider;

/** Tests of one adapter run side by side, but for those that disturb the store, each of which has it for itself. */
final class Undisturbed implements ResourceLocksProvider {

    @Override
    public Set<Lock> provideForMethod(List<Class<?>> enclosing, Class<?> testClass, Method testMethod) {
        boolean disturbs = testMethod.isAnnotationPresent(Disturbing.class);
        return Set.of(new Lock(
                "store of " + testClass.getName(), disturbs ? ResourceAccessMode.READ_WRITE : ResourceAccessMode.READ));
    }
}
