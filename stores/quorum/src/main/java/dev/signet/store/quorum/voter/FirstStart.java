package dev.signet.store.quorum.voter;

import dev.signet.store.quorum.wire.Introduction;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A voter that has begun, or waits to: it asks the others until it {@linkplain Meeting may begin}. Whom it met is on its disk before
 * anybody hears of it. One thread at a time.
 */
final class FirstStart {

    private static final Logger LOG = LoggerFactory.getLogger(FirstStart.class);

    /** Three or four rounds pass between the start of the last voter and the first election. */
    static final Duration BETWEEN_ROUNDS = Duration.ofMillis(200);

    private static final Duration ASK = Duration.ofSeconds(1);
    private static final Duration REMIND = Duration.ofSeconds(30);

    private final VoterOptions options;
    private final DataFolder folder;
    private final Peers peers;
    private final boolean decided;
    private volatile Meeting meeting;
    private Set<String> told = Set.of();
    private long toldNanos;

    FirstStart(VoterOptions options, DataFolder folder, Peers peers, Owner owner) {
        this.options = options;
        this.folder = folder;
        this.peers = peers;
        this.meeting = Meeting.of(options, owner);
        // a log is made only once it was decided to begin, and that holds
        this.decided = owner.begun() || folder.hasLog();
    }

    /** As it is on the disk. */
    Owner owner() {
        return meeting.owner();
    }

    boolean mayBegin() {
        return decided || meeting.isOver();
    }

    /** Blocks while the others are asked. */
    void ask() throws VoterException {
        Map<String, Introduction> said = peers.introductions(options.others(), ASK);
        Meeting next = meeting.hear(said);
        write(next);
        if (!next.isOver()) {
            tell(next, said);
        }
    }

    /** Raft has a part in it now. */
    void begun() throws VoterException {
        write(new Meeting(options, meeting.owner().begunNow(), meeting.agreed()));
    }

    private void write(Meeting next) throws VoterException {
        if (!next.owner().equals(meeting.owner())) {
            folder.belongTo(next.owner());
        }
        meeting = next;
    }

    private void tell(Meeting now, Map<String, Introduction> said) {
        Set<String> missing = now.missing().stream()
                .map(id -> id + " at " + options.voters().get(id) + why(now, id, said.get(id)))
                .collect(Collectors.toCollection(TreeSet::new));
        if (!missing.equals(told) || System.nanoTime() - toldNanos > REMIND.toNanos()) {
            told = missing;
            toldNanos = System.nanoTime();
            LOG.info(
                    "this voter waits: a quorum begins once all its voters have met; voter={} missing={}",
                    options.id(),
                    missing);
        }
    }

    private static String why(Meeting now, String id, @Nullable Introduction said) {
        if (said == null) {
            return "";
        }
        UUID met = now.owner().folders().get(id);
        return met != null && !met.equals(said.folders().get(id))
                ? " (its folder is another than before)"
                : " (it has not met all)";
    }
}
