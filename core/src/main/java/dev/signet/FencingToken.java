package dev.signet;

/**
 * The number of a term: 1 to 2<sup>53</sup>−1, one higher each time that the leadership of a role changes hands, never
 * reused, never lower again. The upper bound is what JSON and Lua numbers carry exactly. Immutable.
 *
 * @see <a href="https://martin.kleppmann.com/2016/02/08/how-to-do-distributed-locking.html">Kleppmann on fencing
 *     tokens</a>
 */
public record FencingToken(long value) implements Comparable<FencingToken> {

    public static final long MAX_VALUE = (1L << 53) - 1;

    public static final FencingToken FIRST = new FencingToken(1);

    /** @throws IllegalArgumentException if the value is outside 1 to 2<sup>53</sup>−1 */
    public FencingToken {
        if (value < 1 || value > MAX_VALUE) {
            throw new IllegalArgumentException("fencing token " + value + " is outside 1 to " + MAX_VALUE);
        }
    }

    public static FencingToken of(long value) {
        return new FencingToken(value);
    }

    public boolean isHigherThan(FencingToken other) {
        return value > other.value;
    }

    @Override
    public int compareTo(FencingToken other) {
        return Long.compare(value, other.value);
    }

    @Override
    public String toString() {
        return Long.toString(value);
    }
}
