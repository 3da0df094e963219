package dev.signet.testkit;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Repeatable;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Says of an adapter's {@link StoreContract} that it does not implement one of the interfaces by which the kit disturbs a
 * store, and why. The tests that need it are then not generated, and the reason is printed in their place. What is neither
 * implemented nor declared so fails the kit: nothing is left out in silence.
 */
@Documented
@Inherited
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
@Repeatable(Cannot.All.class)
public @interface Cannot {

    /** {@link Freezable}, {@link Networked}, {@link Restorable} or {@link Shared}. */
    Class<?> value();

    /** What is different about this store, or where else it is tested. */
    String because();

    /** Several of them. */
    @Documented
    @Inherited
    @Retention(RetentionPolicy.RUNTIME)
    @Target(ElementType.TYPE)
    @interface All {
        Cannot[] value();
    }
}
