package dev.signet.testkit;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.InvocationInterceptor;
import org.junit.jupiter.api.extension.ReflectiveInvocationContext;

/** Has each test of the kit told by its {@link StoreFixture#tell fixture}. */
final class Told implements InvocationInterceptor {

    @Override
    public void interceptTestMethod(
            Invocation<@Nullable Void> invocation,
            ReflectiveInvocationContext<Method> context,
            ExtensionContext extension)
            throws Throwable {
        invocation.skip();
        StoreFixture fixture = (StoreFixture) context.getTarget().orElseThrow();
        Method test = context.getExecutable();
        test.setAccessible(true);
        fixture.tell(() -> {
            try {
                test.invoke(fixture, context.getArguments().toArray());
            } catch (InvocationTargetException fault) {
                throw fault.getCause() == null ? fault : fault.getCause();
            }
        });
    }
}
