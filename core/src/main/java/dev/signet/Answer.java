package dev.signet;

import java.util.function.Consumer;
import java.util.function.Function;

/**
 * What came of a request: done, refused, or unknown. Unknown is neither of the others: the request may have taken
 * effect, may still take effect, or never will. Immutable.
 *
 * @param <D> what is told when it was done
 * @param <R> what is told when it was refused, which is definite: it did not and will not take effect
 */
public sealed interface Answer<D, R> {

    /** The one way to look inside: nobody can forget a case. */
    <T> T fold(Function<? super D, T> done, Function<? super R, T> refused, Function<Unknown<?, ?>, T> unknown);

    /** As {@link #fold}, for what is done rather than told. */
    default void handle(Consumer<? super D> done, Consumer<? super R> refused, Consumer<Unknown<?, ?>> unknown) {
        Runnable handling =
                fold(value -> () -> done.accept(value), why -> () -> refused.accept(why), u -> () -> unknown.accept(u));
        handling.run();
    }

    static <D, R> Answer<D, R> done(D value) {
        return new Done<>(value);
    }

    static <D, R> Answer<D, R> refused(R why) {
        return new Refused<>(why);
    }

    /** @param cause for people: what was seen, such as a time-out or a broken connection */
    static <D, R> Answer<D, R> unknown(String cause) {
        return new Unknown<>(cause);
    }

    record Done<D, R>(D value) implements Answer<D, R> {
        @Override
        public <T> T fold(
                Function<? super D, T> done, Function<? super R, T> refused, Function<Unknown<?, ?>, T> unknown) {
            return done.apply(value);
        }
    }

    record Refused<D, R>(R why) implements Answer<D, R> {
        @Override
        public <T> T fold(
                Function<? super D, T> done, Function<? super R, T> refused, Function<Unknown<?, ?>, T> unknown) {
            return refused.apply(why);
        }
    }

    record Unknown<D, R>(String cause) implements Answer<D, R> {
        @Override
        public <T> T fold(
                Function<? super D, T> done, Function<? super R, T> refused, Function<Unknown<?, ?>, T> unknown) {
            return unknown.apply(this);
        }
    }
}
