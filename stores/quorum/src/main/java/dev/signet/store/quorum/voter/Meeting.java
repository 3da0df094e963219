package dev.signet.store.quorum.voter;

import dev.signet.store.quorum.wire.Introduction;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;

/**
 * When a voter with an empty folder may begin. Immutable.
 *
 * <p>A voter that lost its disk looks like one that never had anything, but has forgotten for whom it voted and what it had acknowledged;
 * it must not vote again. So each empty folder gets an id, drawn by chance, before anybody hears of it. Voters ask each other for
 * these ids and write down the first that they hear of each. A voter begins when it knows that all have the same ids written
 * down, its own of them; or when one that has begun has the same as it has.
 *
 * <p>Then whoever has begun knows that each voter's folder had these ids. None of them takes others any more, so none confirms the new
 * id of a folder that was lost, nor does a voter begin that was not confirmed: as long as one of the folders is left that were there when
 * the first voter began. Without the same ids everywhere, two voters that have begun could know a third by two folders. What one has
 * said of its folder stays true while the folder is there, so that the voters need not all be met at one time. A crash loses
 * nothing: who has not begun still has his ids, and those who have begun have the same.
 *
 * @param agreed those of the others that are known to have the same ids written down
 */
record Meeting(VoterOptions options, Owner owner, Set<String> agreed) {

    Meeting {
        agreed = Set.copyOf(agreed);
    }

    static Meeting of(VoterOptions options, Owner owner) {
        return new Meeting(options, owner, Set.of());
    }

    /** What comes of what the voter at the address of {@code from} says; refused if this voter must not begin. */
    Meeting hear(String from, Introduction said) throws VoterException {
        requireSame(from, said);
        UUID theirs = said.folders().get(from);
        if (theirs == null) {
            return this;
        }
        Owner next = owner.met(from, theirs);
        Set<String> same = new TreeSet<>(agreed);
        if (said.folders().equals(next.folders()) && next.folders().keySet().equals(voters())) {
            same.addAll(said.begun() ? voters() : Set.of(from));
        }
        return new Meeting(options, next, same);
    }

    Meeting hear(Map<String, Introduction> said) throws VoterException {
        Meeting next = this;
        for (Map.Entry<String, Introduction> one : said.entrySet()) {
            next = next.hear(one.getKey(), one.getValue());
        }
        return next;
    }

    private void requireSame(String from, Introduction said) throws VoterException {
        Preflight.requireVoter(options, from, said.self());
        UUID own = said.folders().get(owner.voter());
        boolean known = said.self().group().equals(owner.group())
                && (own == null ? !said.begun() : own.equals(owner.folders().get(owner.voter())));
        if (known) {
            return;
        }
        if (said.self().storeId().isPresent()) {
            throw new VoterException(
                    "the others have a store already, " + said.self().storeId().get() + ", and the folder "
                            + options.data() + " is none that they know. " + Preflight.REMEDY);
        }
        Preflight.requireGroup(options, owner.group(), from, said.self());
        throw new VoterException("voter " + from + " at " + options.voters().get(from)
                + " knows this voter by another folder than " + options.data() + ", which was lost then. "
                + Preflight.REMEDY
                + ". If there was never a store, empty the folders of all voters instead");
    }

    private Set<String> voters() {
        return options.voters().keySet();
    }

    boolean isOver() {
        return missing().isEmpty();
    }

    /** The voters that this one waits for. */
    Set<String> missing() {
        Set<String> missing = new TreeSet<>(voters());
        missing.remove(owner.voter());
        missing.removeAll(agreed);
        return missing;
    }
}
