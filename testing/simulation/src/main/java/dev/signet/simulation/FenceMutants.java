package dev.signet.simulation;

import dev.signet.Stamp;
import dev.signet.fence.Refusal;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/** What a broken fence would do. */
final class FenceMutants {

    private FenceMutants() {}

    static List<Mutant> all() {
        return List.of(
                new Mutant("fence-open", "R2", "lets every write in", () -> writing(refusal -> true)),
                new Mutant(
                        "fence-compares-token-only",
                        "R2",
                        "takes another term with the same token for the same",
                        () -> new Twist() {
                            @Override
                            Optional<Refusal> seals(Stamp stamp, Optional<Refusal> honest) {
                                return honest.filter(refusal -> refusal != Refusal.SAME_TOKEN_OTHER_TERM);
                            }

                            @Override
                            Optional<Refusal> writes(Stamp stamp, Optional<Refusal> honest) {
                                return honest.filter(refusal -> refusal != Refusal.SAME_TOKEN_OTHER_TERM);
                            }
                        }),
                new Mutant(
                        "fence-checks-then-writes", "R2", "checks a write, and lets it land later", () -> new Twist() {
                            @Override
                            long landsAfter() {
                                return 3 * Agenda.SECOND;
                            }
                        }),
                new Mutant(
                        "fence-goes-back",
                        "R2",
                        "lets itself be sealed with a lower token",
                        () -> sealing(refusal -> refusal == Refusal.STALE)),
                new Mutant(
                        "fence-of-any-store",
                        "R2",
                        "lets itself be sealed from another store",
                        () -> sealing(refusal -> refusal == Refusal.FOREIGN_STORE)));
    }

    private static Twist writing(Predicate<Refusal> forgiven) {
        return new Twist() {
            @Override
            Optional<Refusal> writes(Stamp stamp, Optional<Refusal> honest) {
                return honest.filter(forgiven.negate());
            }
        };
    }

    private static Twist sealing(Predicate<Refusal> forgiven) {
        return new Twist() {
            @Override
            Optional<Refusal> seals(Stamp stamp, Optional<Refusal> honest) {
                return honest.filter(forgiven.negate());
            }
        };
    }
}
