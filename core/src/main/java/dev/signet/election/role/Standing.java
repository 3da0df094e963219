package dev.signet.election.role;

import dev.signet.CandidateId;
import dev.signet.store.RoleView;
import dev.signet.time.Reading;
import java.util.List;
import java.util.Optional;

/**
 * What a role machine remembers whatever phase it is in.
 *
 * @param wish what the application wants
 * @param lastAttempt of the last acquire that was sent; 0 before the first
 * @param seen the newest view of the role's record
 * @param failures of the application in a row, which space its terms out
 * @param backingOff whether the back-off after the last failure still runs
 * @param healings when tokens were skipped to get above what a fence had seen, within the last hour
 * @param transferTo the successor of a transfer that is under way
 * @param overrun the ended term whose listener is still running after its grace: until it returns there is no campaign
 */
public record Standing(
        RolePlan plan,
        Wish wish,
        Pulse pulse,
        long lastAttempt,
        Optional<RoleView> seen,
        int failures,
        boolean backingOff,
        List<Reading> healings,
        Optional<CandidateId> transferTo,
        Optional<Tenure> overrun) {

    /** What the application wants of an election. */
    public enum Wish {
        REST,
        CAMPAIGN,
        CLOSE
    }

    public Standing {
        healings = List.copyOf(healings);
    }

    static Standing of(RolePlan plan) {
        return new Standing(
                plan,
                Wish.REST,
                Pulse.NONE,
                0,
                Optional.empty(),
                0,
                false,
                List.of(),
                Optional.empty(),
                Optional.empty());
    }

    boolean campaigns() {
        return wish == Wish.CAMPAIGN;
    }

    Standing withWish(Wish next) {
        return new Standing(plan, next, pulse, lastAttempt, seen, failures, backingOff, healings, transferTo, overrun);
    }

    Standing withPulse(Pulse next) {
        return new Standing(plan, wish, next, lastAttempt, seen, failures, backingOff, healings, transferTo, overrun);
    }

    Standing withNextAttempt() {
        return new Standing(
                plan, wish, pulse, lastAttempt + 1, seen, failures, backingOff, healings, transferTo, overrun);
    }

    Standing withSeen(RoleView next) {
        return new Standing(
                plan, wish, pulse, lastAttempt, Optional.of(next), failures, backingOff, healings, transferTo, overrun);
    }

    Standing withoutSeen() {
        return new Standing(
                plan, wish, pulse, lastAttempt, Optional.empty(), failures, backingOff, healings, transferTo, overrun);
    }

    Standing withFailures(int count, boolean backsOff) {
        return new Standing(plan, wish, pulse, lastAttempt, seen, count, backsOff, healings, transferTo, overrun);
    }

    Standing withHealings(List<Reading> next) {
        return new Standing(plan, wish, pulse, lastAttempt, seen, failures, backingOff, next, transferTo, overrun);
    }

    Standing withTransferTo(Optional<CandidateId> next) {
        return new Standing(plan, wish, pulse, lastAttempt, seen, failures, backingOff, healings, next, overrun);
    }

    Standing withOverrun(Optional<Tenure> next) {
        return new Standing(plan, wish, pulse, lastAttempt, seen, failures, backingOff, healings, transferTo, next);
    }
}
