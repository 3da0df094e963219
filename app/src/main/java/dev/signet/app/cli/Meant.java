package dev.signet.app.cli;

import java.util.Comparator;
import java.util.Optional;
import java.util.stream.Stream;

/** What somebody meant who mistyped a name: the shortest that goes on as it begins, else the nearest by its letters. */
final class Meant {

    private Meant() {}

    static Optional<String> by(String typed, Stream<String> names) {
        int limit = Math.min(2, typed.length() / 3);
        return names.filter(name -> name.startsWith(typed) || distance(typed, name) <= limit)
                .min(Comparator.comparing((String name) -> !name.startsWith(typed))
                        .thenComparing(name -> name.startsWith(typed) ? name.length() : distance(typed, name))
                        .thenComparing(Comparator.naturalOrder()));
    }

    /** Letters to add, take away, change or swap with their neighbour. */
    private static int distance(String one, String other) {
        int[][] steps = new int[one.length() + 1][other.length() + 1];
        for (int i = 0; i <= one.length(); i++) {
            for (int j = 0; j <= other.length(); j++) {
                steps[i][j] = i == 0 || j == 0 ? i + j : cheapest(one, other, steps, i, j);
            }
        }
        return steps[one.length()][other.length()];
    }

    private static int cheapest(String one, String other, int[][] steps, int i, int j) {
        int change = one.charAt(i - 1) == other.charAt(j - 1) ? 0 : 1;
        int least = Math.min(steps[i - 1][j - 1] + change, Math.min(steps[i - 1][j], steps[i][j - 1]) + 1);
        boolean swapped =
                i > 1 && j > 1 && one.charAt(i - 1) == other.charAt(j - 2) && one.charAt(i - 2) == other.charAt(j - 1);
        return swapped ? Math.min(least, steps[i - 2][j - 2] + 1) : least;
    }
}
