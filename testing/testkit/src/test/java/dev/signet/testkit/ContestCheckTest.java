package dev.signet.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.signet.Role;
import dev.signet.testkit.StoreEvent.Kind;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What a history may hold and what not: a planted fault for each thing that is checked. */
class ContestCheckTest {

    private static final Role ROLE = Role.of("ledger");
    private static final long LEASE = Duration.ofSeconds(10).toNanos();

    private final List<StoreEvent> history = new ArrayList<>();

    private void tell(Kind kind, int second, String who, long attempt, String term, long number, long version) {
        long nanos = Duration.ofSeconds(second).toNanos();
        history.add(new StoreEvent(kind, nanos, nanos, who, ROLE, attempt, term, number, version));
    }

    private void renewed(int second, String who) {
        tell(Kind.RENEWED, second, who, 0, "-", LEASE, 0);
    }

    private void granted(int second, String who, long token, long version) {
        tell(Kind.GRANTED, second, who, token, "term-" + token, token, version);
    }

    private void adaThenBob(int second) {
        renewed(0, "ada");
        renewed(0, "bob");
        granted(1, "ada", 1, 1);
        granted(second, "bob", 2, 3);
    }

    private void isBroken(String message) {
        assertThatThrownBy(() -> ContestCheck.check(history)).hasMessageContaining(message);
    }

    @Test
    void aTakeoverAfterALeaseIsRight() {
        adaThenBob(10);

        assertThat(ContestCheck.check(history)).isEqualTo(2);
    }

    @Test
    void aTakeoverWithinALeaseIsAnOverlap() {
        adaThenBob(9);

        isBroken("terms overlap");
    }

    @Test
    void aRenewalAfterTheTakeoverIsAnOverlap() {
        adaThenBob(10);
        renewed(11, "ada");

        isBroken("terms overlap");
    }

    @Test
    void afterAReleaseOrACloseItIsNone() {
        adaThenBob(3);
        tell(Kind.RELEASING, 2, "ada", 1, "-", 0, 0);
        tell(Kind.CLOSING, 4, "bob", 0, "-", 0, 0);
        granted(5, "eve", 3, 4);

        assertThat(ContestCheck.check(history)).isEqualTo(3);
    }

    @Test
    void aTokenThatNobodyWasToldOfNeedsAnAttemptThatNobodyKnowsTheEndOf() {
        renewed(0, "ada");
        granted(1, "ada", 1, 1);
        tell(Kind.ASKING, 2, "ada", 3, "term-3", 0, 1);
        tell(Kind.GRANTED, 2, "ada", 3, "term-3", 3, 5);
        isBroken("tokens of ledger");

        tell(Kind.ASKING, 2, "ada", 2, "term-2", 0, 1);

        assertThat(ContestCheck.check(history)).isEqualTo(2);
    }

    @Test
    void aTokenIsGrantedOnce() {
        adaThenBob(10);
        granted(20, "eve", 2, 4);

        isBroken("one term, two grants");
    }

    @Test
    void tokensDoNotFallWhereVersionsRise() {
        adaThenBob(10);
        tell(Kind.GRANTED, 30, "eve", 9, "term-9", 2, 4);

        isBroken("tokens of");
    }

    @Test
    void whoIsGoneStaysGone() {
        adaThenBob(10);
        tell(Kind.GONE, 11, "ada", 0, "-", 0, 0);
        tell(Kind.GRANTED, 50, "ada", 9, "term-9", 3, 4);

        isBroken("session is gone");
    }

    @Test
    void nobodyPassesByAReservation() {
        adaThenBob(3);
        renewed(0, "eve");
        tell(Kind.RESERVED, 2, "ada", 1, "eve", LEASE, 2);
        tell(Kind.RELEASING, 2, "ada", 1, "-", 0, 0);
        isBroken("past a reservation");

        tell(Kind.CLOSING, 3, "eve", 0, "-", 0, 0);

        assertThat(ContestCheck.check(history)).isEqualTo(2);
    }

    @Test
    void aGrantThatNobodyWasToldOfMayHaveUsedTheReservationUp() {
        renewed(0, "ada");
        renewed(0, "eve");
        granted(1, "ada", 1, 1);
        tell(Kind.RESERVED, 2, "ada", 1, "eve", LEASE, 2);
        tell(Kind.RELEASING, 2, "ada", 1, "-", 0, 0);
        tell(Kind.ASKING, 2, "eve", 1, "term-2", 0, 3);
        tell(Kind.RELEASING, 2, "eve", 1, "-", 0, 0);
        granted(3, "bob", 3, 6);

        assertThat(ContestCheck.check(history)).isEqualTo(2);
    }

    @Test
    void whatAContenderSawBrokenIsBroken() {
        adaThenBob(10);
        tell(Kind.VIOLATION, 11, "ada", 0, "holds what it does not know of", 0, 0);

        isBroken("holds what it does not know of");
    }

    @Test
    void aLineIsTheEvent() {
        adaThenBob(10);

        assertThat(history.stream().map(StoreEvent::line).map(StoreEvent::of)).isEqualTo(history);
    }
}
