package dev.signet.testkit;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** The tests of the store contract, run without JUnit, which would report what is meant to fail. */
final class KitTests {

    private KitTests() {}

    static List<Method> all() {
        return Stream.<Class<?>>iterate(StoreContract.class, type -> type != Object.class, Class::getSuperclass)
                .flatMap(type -> Arrays.stream(type.getDeclaredMethods()))
                .filter(method ->
                        method.isAnnotationPresent(Test.class) || method.isAnnotationPresent(TestFactory.class))
                .filter(method -> !method.isAnnotationPresent(Tag.class))
                .filter(method -> method.isAnnotationPresent(Checks.class))
                .sorted(Comparator.comparing(Method::getName))
                .toList();
    }

    static List<Method> of(StoreClause clause) {
        return all().stream()
                .filter(test ->
                        List.of(test.getAnnotation(Checks.class).value()).contains(clause))
                .toList();
    }

    static boolean passes(Method test, StoreContract contract) {
        try {
            test.setAccessible(true);
            Object generated = test.invoke(contract);
            if (generated instanceof List<?> tests) {
                for (Object each : tests) {
                    ((DynamicTest) each).getExecutable().execute();
                }
            }
            return true;
        } catch (InvocationTargetException | AssertionError | RuntimeException fault) {
            return false;
        } catch (Throwable fault) {
            throw new AssertionError(fault);
        } finally {
            contract.closeClients();
        }
    }
}
