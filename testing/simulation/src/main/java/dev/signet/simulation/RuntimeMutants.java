package dev.signet.simulation;

import dev.signet.Stamp;
import java.util.List;

/** What a broken runtime, or a broken application, would do. */
final class RuntimeMutants {

    private RuntimeMutants() {}

    static List<Mutant> all() {
        return List.of(
                new Mutant(
                        "valid-past-deadline", "R4", "says that a term is valid until it has ended", () -> new Twist() {
                            @Override
                            boolean isValid(boolean beforeDeadline, boolean ended) {
                                return !ended;
                            }
                        }),
                new Mutant("valid-past-end", "R5", "says that a term is valid until its deadline", () -> new Twist() {
                    @Override
                    boolean isValid(boolean beforeDeadline, boolean ended) {
                        return beforeDeadline;
                    }
                }),
                new Mutant(
                        "on-contact-is-sealed",
                        "R3",
                        "writes to a resource that was not sealed yet",
                        () -> new Twist() {
                            @Override
                            boolean isSealed(boolean honest) {
                                return true;
                            }
                        }),
                new Mutant(
                        "interrupted-is-returned",
                        "R8",
                        "takes an interrupted call for one that has returned",
                        () -> new Twist() {
                            @Override
                            boolean takesInterruptForReturn() {
                                return true;
                            }
                        }),
                new Mutant(
                        "attempt-of-the-answer",
                        "R6",
                        "compares what is held with what was granted since",
                        () -> new Twist() {
                            @Override
                            boolean looksUpAttemptLate() {
                                return true;
                            }
                        }),
                new Mutant("newest-stamp", "R9", "stamps a write with the newest term, not its own", () -> new Twist() {
                    @Override
                    Stamp stamps(Stamp decidedUnder, Stamp newest) {
                        return newest;
                    }
                }));
    }
}
