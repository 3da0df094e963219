package dev.signet.testkit;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** A test of the kit during which the store serves nobody else: it restarts the store, or makes it stand still. */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.METHOD)
@interface Disturbing {}
