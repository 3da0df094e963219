package dev.signet.store.quorum.voter;

import static org.assertj.core.api.Assertions.assertThat;

import dev.signet.store.quorum.state.Command;
import dev.signet.store.quorum.state.Reply;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The end of sessions and reservations, by the clock of a leader whose log is a list. */
class SweepTest {

    private static final Duration LEASE = Duration.ofSeconds(15);
    private static final Duration WINDOW = Duration.ofSeconds(30);
    private static final Duration PAUSE = Duration.ofMinutes(1);
    private static final long TERM = 5;

    private record Proposed(Command command, CompletableFuture<Reply> reply) {}

    private final Entries entries = new Entries();
    private final List<Proposed> log = new ArrayList<>();
    private Duration stopInTheMiddle = Duration.ZERO;
    private final Sweep sweep = new Sweep(entries.ledger(), this::propose, this::nanos);

    private CompletableFuture<Reply> propose(Command command) {
        Proposed proposed = new Proposed(command, new CompletableFuture<>());
        log.add(proposed);
        return proposed.reply();
    }

    /** As the sweep reads it; whoever stops the process right after that is not noticed by it. */
    private long nanos() {
        long now = entries.nowNanos;
        entries.pass(stopInTheMiddle);
        stopInTheMiddle = Duration.ZERO;
        return now;
    }

    @BeforeEach
    void lead() {
        entries.ledger().lead(TERM);
    }

    private void open(String... candidates) {
        for (String candidate : candidates) {
            assertThat(entries.apply(TERM, Entries.open(candidate, LEASE))).isInstanceOf(Reply.Opened.class);
        }
    }

    /** In steps, as the voter's clock does. */
    private void pass(Duration time) {
        for (Duration left = time; !left.isZero(); left = left.minus(Sweep.INTERVAL)) {
            entries.pass(Sweep.INTERVAL);
            sweep.run();
        }
    }

    private Deadlines.Renewal renew(String candidate) {
        return entries.ledger()
                .asLeader(TERM, led -> led.clock().sessions().renew(Entries.key(candidate), led.nowNanos()))
                .orElseThrow();
    }

    /** What was proposed is in the log of that Raft term. */
    private void commit(long raftTerm) {
        List<Proposed> all = List.copyOf(log);
        log.clear();
        all.forEach(one -> one.reply().complete(entries.apply(raftTerm, one.command())));
    }

    @Test
    void aSessionEndsWhenItsWholeLeaseHasPassed() {
        open("a");

        pass(LEASE.minus(Sweep.INTERVAL));
        assertThat(log).isEmpty();
        pass(Sweep.INTERVAL);
        commit(TERM);

        assertThat(entries.lives("a")).isFalse();
    }

    @Test
    void anEndIsAskedForOnce() {
        open("a");

        pass(LEASE.plus(Deadlines.AGAIN).minus(Sweep.INTERVAL));

        assertThat(log).hasSize(1);
        assertThat(renew("a")).isEqualTo(Deadlines.Renewal.ENDING);
    }

    /** Nobody knows whether it is in the log: it is not renewed meanwhile, and is not left so. */
    @Test
    void anEndThatGotLostIsAskedForAgain() {
        open("a");
        pass(LEASE);
        log.remove(0).reply().completeExceptionally(new IOException("nobody knows"));
        assertThat(renew("a")).isEqualTo(Deadlines.Renewal.ENDING);

        pass(Deadlines.AGAIN);
        commit(TERM);

        assertThat(entries.lives("a")).isFalse();
    }

    /** As an etcd of old did: its successor's sessions, renewed since, were ended by it. */
    @Test
    void anEndThatAnotherTermDecidedIsIgnored() {
        open("a");
        pass(LEASE);

        commit(TERM + 1);

        assertThat(entries.lives("a")).isTrue();
    }

    @Test
    void anEndThatArrivesLateDoesNotEndASessionThatWasOpenedAgain() {
        open("a");
        pass(LEASE);
        open("a");

        commit(TERM);

        assertThat(entries.lives("a")).isTrue();
        assertThat(renew("a")).isEqualTo(Deadlines.Renewal.RENEWED);
    }

    @Test
    void anEndOfAnEarlierTermThatIsAppliedWhileTheNextLeaderLeadsChangesNothingOfItsClock() {
        open("a");
        pass(LEASE);
        entries.ledger().lead(TERM + 2);

        List<Proposed> delayed = List.copyOf(log);
        delayed.forEach(one -> entries.apply(TERM + 2, one.command()));

        assertThat(entries.lives("a")).isTrue();
        assertThat(entries.ledger()
                        .asLeader(TERM + 2, led -> led.clock().sessions().renew(Entries.key("a"), led.nowNanos())))
                .contains(Deadlines.Renewal.RENEWED);
    }

    @Test
    void aLeaderThatWasStoppedEndsNobodyInABurst() {
        open("a", "b", "c");
        pass(Duration.ofSeconds(10));

        entries.pass(PAUSE);
        sweep.run();
        sweep.run();

        assertThat(log).isEmpty();
        assertThat(renew("a")).isEqualTo(Deadlines.Renewal.RENEWED);
        pass(Duration.ofSeconds(5));
        assertThat(log)
                .as("those that did not renew, when they have had their time")
                .hasSize(2);
    }

    /** Between the look at the clock and the judgement, as a wait for the ledger's lock is too. */
    @Test
    void aLeaderThatWasStoppedInTheMiddleOfASweepEndsNobodyInABurst() {
        open("a", "b", "c");
        pass(Duration.ofSeconds(10));

        stopInTheMiddle = PAUSE;
        sweep.run();
        sweep.run();

        assertThat(log).isEmpty();
        assertThat(renew("a")).isEqualTo(Deadlines.Renewal.RENEWED);
    }

    @Test
    void aLittleLatenessPostponesNothing() {
        open("a");
        for (Duration passed = Duration.ZERO; passed.compareTo(LEASE) < 0; passed = passed.plusMillis(500)) {
            assertThat(log).isEmpty();
            entries.pass(Duration.ofMillis(500));
            sweep.run();
        }

        assertThat(log).hasSize(1);
    }

    @Test
    void aNewLeaderGivesWholeLeasesAndWindowsAnew() {
        open("a", "b");
        entries.apply(TERM, new Command.Enlist(Entries.HERE, Entries.session("b"), Entries.LEDGER));
        entries.apply(TERM, Entries.take("a", 1, 1));
        long version = entries.ledger()
                .read(all -> all.view(Entries.HERE, Entries.LEDGER).version());
        if (entries.ledger()
                .read(all -> all.holder(Entries.HERE, Entries.LEDGER))
                .isEmpty()) {
            entries.apply(TERM, Entries.take("a", 2, version));
        }
        assertThat(entries.apply(TERM, Entries.keep("a", 2, "b", WINDOW))).isInstanceOf(Reply.Viewed.class);
        pass(Duration.ofSeconds(14));

        entries.ledger().lead(TERM + 1);
        pass(Duration.ofMillis(14_900));
        assertThat(log).isEmpty();
        pass(Sweep.INTERVAL);

        assertThat(log).allMatch(one -> one.command() instanceof Command.Expire);
        pass(Duration.ofMillis(14_900));
        assertThat(log).noneMatch(one -> one.command() instanceof Command.Lapse);
        pass(Sweep.INTERVAL);
        assertThat(log)
                .filteredOn(one -> one.command() instanceof Command.Lapse)
                .hasSize(1);
    }

    @Test
    void whoDoesNotLeadEndsNobody() {
        open("a");
        entries.ledger().notifyNotLeader(List.of());

        pass(LEASE.multipliedBy(2));

        assertThat(log).isEmpty();
    }

    @Test
    void whatIsNotInTheLogIsAskedForAgain() {
        open("a");
        pass(LEASE);
        log.remove(0).reply().completeExceptionally(new NotProposed("too many wait"));

        pass(Sweep.INTERVAL);

        assertThat(log).hasSize(1);
    }

    /** It may be in the log: a renewal that is answered with yes must not be overtaken by it. */
    @Test
    void whatMayBeInTheLogIsNotTakenBack() {
        open("a");
        pass(LEASE);
        log.remove(0).reply().completeExceptionally(new IOException("nobody knows"));

        assertThat(renew("a")).isEqualTo(Deadlines.Renewal.ENDING);
    }

    @Test
    void theFirstLeaderMakesTheStoreAndOthersLeaveItAlone() {
        ReplicatedLedger empty = new ReplicatedLedger(() -> 0, new Entries.Deaf());
        empty.lead(1);
        new Sweep(empty, this::propose, () -> 0).run();
        assertThat(log).singleElement().matches(one -> one.command() instanceof Command.Found);

        log.clear();
        sweep.run();
        assertThat(log).isEmpty();
    }
}
