package dev.signet.simulation;

import dev.signet.TermId;
import java.util.List;
import java.util.SplittableRandom;

/** The one source of chance of a run: the same seed gives the same run. */
final class Dice {

    private final SplittableRandom random;

    Dice(long seed) {
        random = new SplittableRandom(seed * 0x9E3779B97F4A7C15L + 0x5163E7);
    }

    boolean chance(double probability) {
        return probability > 0 && random.nextDouble() < probability;
    }

    /** From {@code low} on, below {@code high}. */
    long between(long low, long high) {
        return low >= high ? low : random.nextLong(low, high);
    }

    int below(int bound) {
        return random.nextInt(bound);
    }

    double between(double low, double high) {
        return low + random.nextDouble() * (high - low);
    }

    <T> T pick(List<T> choices) {
        return choices.get(random.nextInt(choices.size()));
    }

    TermId termId() {
        return new TermId(random.nextLong(), random.nextLong());
    }

    long number() {
        return random.nextLong();
    }
}
