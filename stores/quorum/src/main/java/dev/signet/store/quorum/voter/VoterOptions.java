package dev.signet.store.quorum.voter;

import dev.signet.store.quorum.wire.Address;
import dev.signet.store.quorum.wire.Tls;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * How a voter is set up. Immutable.
 *
 * @param id of this voter; one of {@code voters}
 * @param voters all of them, by id, and where each listens: for candidates and for each other
 * @param data the folder of this voter, and of no other
 * @param join whether this voter begins with nothing where the others have a store already, to take the place of one of them: under
 *     an id that none of them has had
 * @param witness whether this voter leads the quorum only if it must: it hands the leadership to any other that is ready
 * @param tls empty for none: then whoever reaches the port may read and write everything
 * @param electionMin a voter that hears nothing of its leader for this long, or up to {@code electionMax}, wants to lead
 */
public record VoterOptions(
        String id,
        SortedMap<String, Address> voters,
        Path data,
        boolean join,
        boolean witness,
        Optional<Tls> tls,
        Duration electionMin,
        Duration electionMax) {

    private static final int FEWEST = 3;
    private static final int MOST = 5;

    public VoterOptions {
        voters = new TreeMap<>(voters);
        if (!voters.containsKey(id)) {
            throw new IllegalArgumentException("voter " + id + " is not among the voters " + voters.keySet());
        }
        int many = voters.size();
        if (many != 1 && many != FEWEST && many != MOST) {
            throw new IllegalArgumentException(refusal(many));
        }
        if (voters.values().stream().distinct().count() < many) {
            throw new IllegalArgumentException("two voters have one address: " + voters);
        }
        if (electionMin.isNegative() || electionMin.isZero() || electionMax.compareTo(electionMin) <= 0) {
            throw new IllegalArgumentException(
                    "elections take from " + electionMin + " to " + electionMax + "; the second is to be the longer");
        }
    }

    private static String refusal(int many) {
        if (many > MOST) {
            return many + " voters make each decision slower and none safer; list 5, or 3";
        }
        return many % 2 == 0
                ? many + " voters stand the loss of no more than " + (many - 1)
                        + " would, and are one more to lose; list 3 or 5. With two sites, put a witness at a third"
                : "no voters; list 3 or 5, as 1=host:port,2=host:port,3=host:port";
    }

    public static VoterOptions of(String id, Map<String, Address> voters, Path data) {
        return new VoterOptions(
                id,
                new TreeMap<>(voters),
                data,
                false,
                false,
                Optional.empty(),
                Duration.ofSeconds(1),
                Duration.ofSeconds(2));
    }

    public VoterOptions joining(boolean now) {
        return new VoterOptions(id, voters, data, now, witness, tls, electionMin, electionMax);
    }

    public VoterOptions witnessing(boolean now) {
        return new VoterOptions(id, voters, data, join, now, tls, electionMin, electionMax);
    }

    public VoterOptions withTls(Tls now) {
        return new VoterOptions(id, voters, data, join, witness, Optional.of(now), electionMin, electionMax);
    }

    public VoterOptions electing(Duration min, Duration max) {
        return new VoterOptions(id, voters, data, join, witness, tls, min, max);
    }

    /** The voters in one line, the same for each that was given the same. */
    String list() {
        return voters.entrySet().stream()
                .map(voter -> voter.getKey() + "=" + voter.getValue())
                .sorted(Comparator.naturalOrder())
                .collect(Collectors.joining(","));
    }

    /** All of them but this one. */
    Map<String, Address> others() {
        Map<String, Address> others = new TreeMap<>(voters);
        others.remove(id);
        return others;
    }

    Address own() {
        return Objects.requireNonNull(voters.get(id));
    }
}
