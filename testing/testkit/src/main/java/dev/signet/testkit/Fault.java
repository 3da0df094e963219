package dev.signet.testkit;

import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/**
 * What may befall a request on its way to a store or a fence and back. Injected into a {@link MemoryStore} or a {@link
 * MemoryFence}, it meets every request there until it is mended, or fewer if said so:
 *
 * <pre>{@code
 * ada.inject(Fault.answerLost().of(Call.ACQUIRE).once());
 * }</pre>
 *
 * <p>A request that is not answered within its caller's time-out is answered unknown then. Immutable.
 */
public final class Fault {

    private static final int ALWAYS = Integer.MAX_VALUE;

    private final String name;
    private final Carrier carrier;
    private final Set<Call> calls;
    private final int times;

    private Fault(String name, Carrier carrier, Set<Call> calls, int times) {
        this.name = name;
        this.carrier = carrier;
        this.calls = EnumSet.copyOf(calls);
        this.times = times;
    }

    private static Fault of(String name, Carrier carrier) {
        return new Fault(name, carrier, EnumSet.allOf(Call.class), ALWAYS);
    }

    /** The request never arrives. */
    public static Fault requestLost() {
        return of("request lost", request -> {});
    }

    /** It takes effect at once, and its caller is not told. */
    public static Fault answerLost() {
        return of("answer lost", Exchange::arriveUnheard);
    }

    /** It arrives this much later; if that is after its caller gave up, it takes effect all the same. */
    public static Fault delayed(Duration by) {
        return of("delayed by " + by, request -> request.after(by, request::arrive));
    }

    /** It takes effect this long after its caller gave up. */
    public static Fault late(Duration by) {
        return of("late by " + by, request -> request.after(request.timeout().plus(by), request::arriveUnheard));
    }

    /** It is answered, and a copy of it arrives this much later. */
    public static Fault twice(Duration later) {
        return of("twice, again after " + later, request -> {
            request.arrive();
            request.after(later, request::arriveUnheard);
        });
    }

    /** It does not arrive, and its caller is told at once that nobody knows. */
    public static Fault refusedConnection() {
        return of("connection refused", request -> request.fail("connection refused"));
    }

    /** For these calls only. */
    public Fault of(Call... only) {
        return new Fault(name, carrier, EnumSet.copyOf(List.of(only)), times);
    }

    /** For the next request only. */
    public Fault once() {
        return times(1);
    }

    /** For this many requests only. */
    public Fault times(int count) {
        return new Fault(name, carrier, calls, count);
    }

    boolean isOf(Call call) {
        return calls.contains(call);
    }

    int times() {
        return times;
    }

    void carry(Exchange<?, ?> request) {
        carrier.carry(request);
    }

    @Override
    public String toString() {
        return name + " of " + calls + (times == ALWAYS ? "" : ", " + times + " times");
    }

    private interface Carrier {
        void carry(Exchange<?, ?> request);
    }

    /** A fault at work. */
    public interface Injected extends AutoCloseable {

        /** Ends it; what it has already befallen stays so. Idempotent. */
        void mend();

        @Override
        default void close() {
            mend();
        }
    }
}
