package dev.signet.app.command;

import dev.signet.CandidateId;
import dev.signet.FencingToken;
import dev.signet.Role;
import dev.signet.app.cli.CommandFailedException;
import dev.signet.app.place.Contact;
import dev.signet.store.RoleView;
import dev.signet.store.Store;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** Looks at a role's record, once or until somebody leads by a newer token. */
final class RoleWitness {

    private static final Duration BETWEEN_LOOKS = Duration.ofMillis(100);
    /** A successor that was just let in has to be let try. */
    private static final Duration AT_LEAST = Duration.ofSeconds(2);
    /** For a line that is printed with or without it. */
    private static final Duration GLANCE = Duration.ofSeconds(2);

    private final Store store;
    private final String shown;
    private final Role role;

    /** @param shown the store's URI, for people */
    RoleWitness(Store store, String shown, Role role) {
        this.store = store;
        this.shown = shown;
        this.role = role;
    }

    /** @throws CommandFailedException if the store does not answer */
    RoleView look() throws InterruptedException {
        return look(Contact.withinLimit());
    }

    private RoleView look(Contact contact) throws InterruptedException {
        return contact.store(shown, timeout -> store.read(role, timeout));
    }

    /** @throws CommandFailedException if the store does not answer */
    List<CandidateId> candidates() throws InterruptedException {
        return Contact.withinLimit().store(shown, timeout -> store.candidates(role, timeout));
    }

    /** Empty if the store does not answer at once. */
    Optional<RoleView> glance() throws InterruptedException {
        try {
            return Optional.of(look(new Contact(GLANCE)));
        } catch (CommandFailedException e) {
            return Optional.empty();
        }
    }

    /**
     * Waits until somebody holds the role by a token above this one.
     *
     * @param endNanos by {@code System.nanoTime()}: until then at most, but for a last chance of {@link #AT_LEAST}
     * @return the record as it was seen last, whoever holds it
     * @throws CommandFailedException if the store does not answer
     */
    RoleView awaitSuccessor(FencingToken before, long endNanos) throws InterruptedException {
        long least = System.nanoTime() + AT_LEAST.toNanos();
        long end = endNanos - least > 0 ? endNanos : least;
        while (true) {
            RoleView view = look();
            boolean succeeded = view.holder()
                    .filter(holder -> !view.claimable() && holder.token().compareTo(before) > 0)
                    .isPresent();
            if (succeeded || System.nanoTime() - end >= 0) {
                return view;
            }
            TimeUnit.NANOSECONDS.sleep(BETWEEN_LOOKS.toNanos());
        }
    }
}
