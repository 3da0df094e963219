package dev.signet.simulation;

import dev.signet.lease.LeaseTiming;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Set;

/**
 * What kind of world a seed makes. Each kind of fault is there or not ("swarm"), since some faults hide others.
 *
 * @param nodes how many
 * @param roles how many, each campaigned for on every node
 * @param digests whether a renewal's answer carries the digest of what the session holds
 * @param faultNanos how long the first phase lasts
 * @param meanFaultNanos between two faults, on average
 * @param loss of a message, the probability
 * @param duplication of a request, the probability
 * @param slowness of a message, the probability
 * @param sweepNanos between two sweeps of the store
 */
record Climate(
        int nodes,
        int roles,
        boolean digests,
        LeaseTiming timing,
        Set<Fault> faults,
        long faultNanos,
        long meanFaultNanos,
        double loss,
        double duplication,
        double slowness,
        long sweepNanos) {

    static final LeaseTiming SHORT =
            new LeaseTiming(Duration.ofSeconds(6), Duration.ofSeconds(4), Duration.ofMillis(800));

    /** A world for scripts. */
    static final Climate CALM =
            new Climate(2, 1, true, LeaseTiming.DEFAULT, Set.of(), 0, Agenda.SECOND, 0, 0, 0, 250 * Agenda.MILLI);

    /** Nothing happens by itself: no faults, exact clocks, the same resources each time. */
    boolean isScripted() {
        return faultNanos == 0;
    }

    static Climate of(Dice dice) {
        Set<Fault> faults = EnumSet.noneOf(Fault.class);
        for (Fault fault : Fault.values()) {
            if (dice.chance(fault.prevalence())) {
                faults.add(fault);
            }
        }
        return new Climate(
                dice.chance(0.8) ? 3 : 2,
                dice.chance(0.7) ? 1 : 2,
                dice.chance(0.7),
                dice.chance(0.7) ? LeaseTiming.DEFAULT : SHORT,
                faults,
                dice.between(30 * Agenda.SECOND, 120 * Agenda.SECOND),
                dice.between(2 * Agenda.SECOND, 12 * Agenda.SECOND),
                dice.chance(0.6) ? dice.between(0.0, 0.10) : 0,
                dice.chance(0.5) ? dice.between(0.0, 0.20) : 0,
                dice.chance(0.6) ? dice.between(0.0, 0.25) : 0.02,
                dice.between(100 * Agenda.MILLI, Agenda.SECOND));
    }
}
