package dev.signet.store.quorum.voter;

import dev.signet.store.quorum.wire.Address;
import dev.signet.store.quorum.wire.Introduction;
import dev.signet.store.quorum.wire.Peek;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Three voters at their first start, and whatever may come between: one at a time is started, asks another, has Raft begin, writes that it
 * has, is killed, or loses its disk. What they decide, the product decides. Immutable.
 *
 * @param begun the folders with which somebody has begun, each time
 * @param lost how many disks have been
 */
record MeetingModel(List<Voter> voters, Set<Map<String, UUID>> begun, int lost) {

    private static final int MANY = 3;
    private static final UUID GROUP = new UUID(0, 0);
    private static final List<VoterOptions> OPTIONS = options();

    /**
     * @param disk null if there is nothing on it
     * @param raft whether Raft has begun on it: from then on the voter may vote
     * @param running null if it does not
     * @param folders how many it has had
     */
    record Voter(
            @Nullable Owner disk, boolean raft, @Nullable Meeting running, int folders) {

        boolean isWaiting() {
            return running != null && !running.owner().begun();
        }
    }

    private static List<VoterOptions> options() {
        Map<String, Address> addresses = new TreeMap<>();
        for (int i = 0; i < MANY; i++) {
            addresses.put(id(i), new Address("localhost", 7_000 + i));
        }
        return addresses.keySet().stream()
                .map(id -> VoterOptions.of(id, addresses, Path.of("of-" + id)))
                .toList();
    }

    private static String id(int index) {
        return Integer.toString(index + 1);
    }

    static MeetingModel atFirst() {
        Voter[] nothing = new Voter[MANY];
        Arrays.fill(nothing, new Voter(null, false, null, 0));
        return new MeetingModel(List.of(nothing), Set.of(), 0);
    }

    /** All that may come of the next step. */
    List<MeetingModel> next(int mostLost) {
        List<MeetingModel> next = new ArrayList<>();
        for (int i = 0; i < MANY; i++) {
            Voter voter = voters.get(i);
            if (voter.running() == null) {
                next.add(start(i));
                if (voter.disk() != null && lost < mostLost) {
                    next.add(new MeetingModel(with(i, new Voter(null, false, null, voter.folders())), begun, lost + 1));
                }
            } else {
                next.add(become(i, new Voter(voter.disk(), voter.raft(), null, voter.folders())));
                next.addAll(goOn(i));
            }
        }
        return next;
    }

    /** What the voter does by itself, while it runs. */
    private List<MeetingModel> goOn(int index) {
        Voter voter = voters.get(index);
        List<MeetingModel> next = new ArrayList<>();
        if (!voter.isWaiting()) {
            return next;
        }
        if (voter.raft()) {
            next.add(become(index, writing(index, voter.running().owner().begunNow())));
        } else {
            if (voter.running().isOver()) {
                next.add(begin(index));
            }
            for (int other = 0; other < MANY; other++) {
                if (other != index && voters.get(other).running() != null) {
                    next.add(ask(index, other));
                }
            }
        }
        return next;
    }

    private MeetingModel start(int index) {
        Voter voter = voters.get(index);
        if (voter.disk() != null) {
            return become(index, writing(index, voter.disk()));
        }
        int folders = voter.folders() + 1;
        Owner owner = new Owner(id(index), GROUP, false, Map.of(id(index), new UUID(index + 1, folders)));
        return become(index, new Voter(owner, false, Meeting.of(OPTIONS.get(index), owner), folders));
    }

    private MeetingModel ask(int index, int other) {
        Voter voter = voters.get(index);
        try {
            Meeting heard = voter.running().hear(id(other), introduction(other));
            return become(index, new Voter(heard.owner(), voter.raft(), heard, voter.folders()));
        } catch (VoterException e) {
            return become(index, new Voter(voter.disk(), voter.raft(), null, voter.folders()));
        }
    }

    private Introduction introduction(int index) {
        Owner owner = voters.get(index).running().owner();
        return new Introduction(
                new Peek(owner.voter(), GROUP, -1, false, Set.of(), Optional.empty()), owner.begun(), owner.folders());
    }

    private MeetingModel begin(int index) {
        Voter voter = voters.get(index);
        Set<Map<String, UUID>> now = new HashSet<>(begun);
        now.add(voter.disk().folders());
        return new MeetingModel(
                with(index, new Voter(voter.disk(), true, voter.running(), voter.folders())), Set.copyOf(now), lost);
    }

    private Voter writing(int index, Owner owner) {
        Voter voter = voters.get(index);
        return new Voter(owner, voter.raft(), Meeting.of(OPTIONS.get(index), owner), voter.folders());
    }

    private MeetingModel become(int index, Voter voter) {
        return new MeetingModel(with(index, voter), begun, lost);
    }

    private List<Voter> with(int index, Voter voter) {
        List<Voter> next = new ArrayList<>(voters);
        next.set(index, voter);
        return List.copyOf(next);
    }

    /**
     * A voter whose folder is another than the one that it had begun with is one that has forgotten; the same of two that know a third
     * by different folders. Only when every folder is gone that was there when one began, it is another quorum.
     */
    boolean isSafe() {
        return begun.stream().filter(this::isLeft).count() <= 1;
    }

    /** Whether one of these folders is still there, whatever is known by it. */
    private boolean isLeft(Map<String, UUID> folders) {
        return voters.stream()
                .map(Voter::disk)
                .filter(Objects::nonNull)
                .anyMatch(disk -> disk.folders().get(disk.voter()).equals(folders.get(disk.voter())));
    }

    /** Where this ends if from now on all run and nothing more happens to them. */
    MeetingModel quiet() {
        MeetingModel now = this;
        for (int i = 0; i < MANY; i++) {
            if (now.voters.get(i).running() == null) {
                now = now.start(i);
            }
        }
        for (int round = 0; round < 5; round++) {
            for (int i = 0; i < MANY; i++) {
                for (int step = 0; step <= MANY; step++) {
                    List<MeetingModel> next = now.goOn(i);
                    now = next.isEmpty() ? now : next.get(step % next.size());
                }
            }
        }
        return now;
    }

    boolean hasBegun(int index) {
        Owner disk = voters.get(index).disk();
        return disk != null && disk.begun();
    }

    /** Whether its folder is one of those with which somebody has begun. */
    boolean wasMet(int index) {
        Owner disk = voters.get(index).disk();
        return disk != null && begun.contains(disk.folders());
    }
}
