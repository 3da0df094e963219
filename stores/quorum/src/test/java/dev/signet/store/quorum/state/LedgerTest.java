package dev.signet.store.quorum.state;

import static org.assertj.core.api.Assertions.assertThat;

import dev.signet.Namespace;
import dev.signet.Role;
import dev.signet.StoreId;
import dev.signet.store.Acquire;
import dev.signet.store.Grant;
import dev.signet.store.NotGranted.Reason;
import dev.signet.store.NotReserved;
import dev.signet.store.RoleView;
import dev.signet.store.SessionId;
import dev.signet.store.StoreRefusal;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What the reference store knows nothing of: founding, entries of old terms, what is forgotten, and who is told. */
final class LedgerTest extends LedgerFixture {

    @Test
    void theFirstStoreIdStays() {
        Ledger fresh = new Ledger();

        assertThat(fresh.storeId()).isEmpty();
        assertThat(fresh.apply(new Command.Found(STORE), 1)).isEqualTo(new Reply.Founded(STORE));
        assertThat(fresh.apply(new Command.Found(new StoreId("later")), 2)).isEqualTo(new Reply.Founded(STORE));
        assertThat(fresh.storeId()).hasValue(STORE);
    }

    @Test
    void aGrantCarriesTheStoreIdAndItsTermId() {
        open("ada");

        Grant grant = granted(take("ada", 1));

        assertThat(grant.storeId()).isEqualTo(STORE);
        assertThat(grant.termId()).isEqualTo(term(1));
    }

    @Test
    void aNewerAttemptGetsANewTokenThoughItsTermIdBeTheSame() {
        open("ada");
        granted(take("ada", 1));

        Grant grant = granted(
                tell(new Command.Take(HERE, new Acquire(session("ada"), LEDGER, 2, term(1), 0, view().version()))));

        assertThat(grant.token().value()).isEqualTo(2);
        assertThat(grant.attempt()).isEqualTo(2);
    }

    @Test
    void nothingOpensBeforeThereIsAStoreId() {
        Ledger fresh = new Ledger();
        for (Command command : Samples.COMMANDS) {
            if (!(command instanceof Command.Found) && !(command instanceof Command.Batch)) {
                Reply reply = fresh.apply(command, 5);
                assertThat(reply).isNotInstanceOfAny(Reply.Opened.class, Reply.Granted.class);
                if (reply instanceof Reply.Refused refused) {
                    assertThat(refused.why().kind()).isEqualTo(StoreRefusal.Kind.NOT_INITIALISED);
                }
            }
        }
    }

    @Test
    void anExpiryOfAnotherRaftTermIsIgnored() {
        open("ada");
        take("ada", 1);
        byte[] before = ledger.snapshot();

        for (long term : new long[] {RAFT_TERM - 1, RAFT_TERM + 1, 0, Long.MIN_VALUE, Long.MAX_VALUE}) {
            Command expiry = new Command.Expire(HERE, session("ada"), 1, term);
            assertThat(tell(expiry)).isEqualTo(new Reply.Ignored());
        }
        assertThat(ledger.snapshot()).isEqualTo(before);
        assertThat(expire("ada")).isEqualTo(new Reply.Done());
        assertThat(view().claimable()).isTrue();
    }

    /** The opening that was asked for again is a renewal, and an expiry that was decided on before it must not end it. */
    @Test
    void anExpiryThatWasDecidedOnBeforeTheSessionWasOpenedAgainIsIgnored() {
        open("ada");
        Command expiry = new Command.Expire(HERE, session("ada"), openings("ada"), RAFT_TERM);
        open("ada");

        assertThat(tell(expiry)).isEqualTo(new Reply.Ignored());
        assertThat(ledger.session(HERE, session("ada"))).isPresent();
        assertThat(expire("ada")).isEqualTo(new Reply.Done());
        assertThat(ledger.session(HERE, session("ada"))).isEmpty();
    }

    /** Else whoever opened it would be told that it ended before it began. */
    @Test
    void anExpiryOfASessionThatNobodyOpenedLeavesItToBeOpened() {
        tell(new Command.Expire(HERE, session("ada"), 0, RAFT_TERM));

        assertThat(open("ada")).isEqualTo(new Reply.Opened(STORE));
    }

    @Test
    void aLapseOfAnotherRaftTermOrAnotherReservationIsIgnored() {
        reserved();
        long number = ledger.reservation(HERE, LEDGER).orElseThrow().number();

        assertThat(tell(new Command.Lapse(HERE, LEDGER, number, RAFT_TERM - 1))).isEqualTo(new Reply.Ignored());
        assertThat(tell(new Command.Lapse(HERE, LEDGER, number + 1, RAFT_TERM))).isEqualTo(new Reply.Ignored());
        assertThat(tell(new Command.Lapse(HERE, Role.of("other"), number, RAFT_TERM)))
                .isEqualTo(new Reply.Ignored());
        assertThat(view().reservation()).isPresent();

        assertThat(tell(new Command.Lapse(HERE, LEDGER, number, RAFT_TERM))).isEqualTo(new Reply.Done());
        assertThat(view().reservation()).isEmpty();
        assertThat(tell(new Command.Lapse(HERE, LEDGER, number, RAFT_TERM))).isEqualTo(new Reply.Ignored());
    }

    @Test
    void aReservationThatIsMadeAgainIsAnother() {
        reserved();
        long number = ledger.reservation(HERE, LEDGER).orElseThrow().number();
        keep("ada", 1, "bob", Duration.ofSeconds(9));

        assertThat(tell(new Command.Lapse(HERE, LEDGER, number, RAFT_TERM))).isEqualTo(new Reply.Ignored());
        assertThat(ledger.reservations())
                .containsExactly(new LiveReservation(HERE, LEDGER, number + 1, id("bob"), Duration.ofSeconds(9)));
    }

    @Test
    void aReservationForLongerThanADayIsOneForADay() {
        open("ada");
        take("ada", 1);
        enlist("ada");

        assertThat(keep("ada", 1, "ada", Duration.ofSeconds(Long.MAX_VALUE))).isInstanceOf(Reply.Viewed.class);
        assertThat(view().reservation()).hasValue(new RoleView.Reservation(id("ada"), Limits.LONGEST_WINDOW));
    }

    /** There are two of a candidate where it opened another and the store has not yet seen the end of the first. */
    @Test
    void theTargetIsTheNewestSessionThatCampaigns() {
        open("ada");
        take("ada", 1);
        for (String session : List.of("first", "second", "third")) {
            tell(new Command.Open(HERE, Samples.opening(new SessionId(session), id("bob"))));
        }
        tell(new Command.Enlist(HERE, new SessionId("first"), LEDGER));
        tell(new Command.Enlist(HERE, new SessionId("second"), LEDGER));
        keep("ada", 1, "bob", LEASE);

        tell(new Command.Close(HERE, new SessionId("first")));
        tell(new Command.Close(HERE, new SessionId("third")));
        assertThat(view().reservation()).isPresent();
        tell(new Command.Close(HERE, new SessionId("second")));
        assertThat(view().reservation()).isEmpty();
        assertThat(keep("ada", 1, "bob", LEASE)).isEqualTo(new Reply.Unreserved(NotReserved.TARGET_NOT_CAMPAIGNING));
    }

    @Test
    void aLeaseHasASecondToADay() {
        for (Duration lease : List.of(
                Duration.ofMillis(999),
                Duration.ZERO,
                Duration.ofSeconds(-1),
                Duration.ofDays(1).plusNanos(1),
                Duration.ofSeconds(Long.MAX_VALUE))) {
            assertThat(open("ada", lease))
                    .isInstanceOfSatisfying(
                            Reply.Refused.class,
                            refused ->
                                    assertThat(refused.why().kind()).isEqualTo(StoreRefusal.Kind.LEASE_OUT_OF_RANGE));
        }
        assertThat(ledger.sessions()).isEmpty();
        assertThat(open("ada", Duration.ofSeconds(1))).isEqualTo(new Reply.Opened(STORE));
        assertThat(open("bob", Duration.ofDays(1))).isEqualTo(new Reply.Opened(STORE));
        assertThat(ledger.sessions())
                .containsExactly(
                        new LiveSession(HERE, session("ada"), id("ada"), Duration.ofSeconds(1), 1),
                        new LiveSession(HERE, session("bob"), id("bob"), Duration.ofDays(1), 1));
    }

    /** The session may be opened again by then, under the same id: what it held in its former life it does not hold. */
    @Test
    void beyondTheBoundTheSessionThatEndedFirstIsForgotten() {
        open("ada");
        take("ada", 1);
        expire("ada");
        close("bob");
        for (int i = 0; i < Limits.MOST_ENDED - 2; i++) {
            tell(new Command.Close(HERE, new SessionId("other" + i)));
        }
        assertEnded(open("ada"));
        close("ada");
        close("one more");
        close("one more");
        assertThat(open("ada")).isEqualTo(new Reply.Opened(STORE));
        assertEnded(open("bob"));

        assertThat(ledger.held(HERE, session("ada"))).isEqualTo(new Reply.Holds(List.of()));
        assertThat(view().claimable()).isTrue();
        assertThat(ledger.holder(HERE, LEDGER)).isEmpty();
    }

    private static void assertEnded(Reply reply) {
        assertThat(reply)
                .isInstanceOfSatisfying(
                        Reply.Refused.class,
                        refused -> assertThat(refused.why().kind()).isEqualTo(StoreRefusal.Kind.SESSION_ENDED));
    }

    @Test
    void whoeverWasToldThatASessionIsGoneIsToldSoForEver() {
        assertThat(enlist("ada")).isEqualTo(new Reply.Gone());
        assertEnded(open("ada"));
        assertDenied(Reason.SESSION_GONE, take("bob", 1));
        assertEnded(open("bob"));
    }

    @Test
    void namespacesNeverSeeEachOther() {
        Namespace elsewhere = new Namespace("elsewhere");
        open("ada");
        take("ada", 1);

        assertThat(ledger.view(elsewhere, LEDGER)).isEqualTo(RoleView.absent(LEDGER));
        assertThat(ledger.roles(elsewhere)).isEmpty();
        assertThat(ledger.held(elsewhere, session("ada"))).isEqualTo(new Reply.Gone());
        assertThat(ledger.heldDigest(elsewhere, session("ada"))).isEmpty();
        assertThat(ledger.holder(elsewhere, LEDGER)).isEmpty();
        assertThat(ledger.reservation(elsewhere, LEDGER)).isEmpty();
        assertThat(tell(new Command.Enlist(elsewhere, session("ada"), LEDGER))).isEqualTo(new Reply.Gone());
        tell(new Command.Close(elsewhere, session("ada")));
        assertThat(ledger.holder(HERE, LEDGER)).hasValue(session("ada"));
        assertThat(ledger.sessions()).hasSize(1);
    }

    @Test
    void namesThatLookAlikeNeverMeet() throws Unreadable {
        open("ada");
        List<String> alike = List.of(
                "role",
                "Role",
                "r\u00f4le",
                "role ",
                "a/b",
                "..",
                "%2F",
                "\uFFFD",
                "\uD83D\uDC51",
                "\uD83D\uDC52",
                "x".repeat(199) + "a",
                "x".repeat(199) + "b");
        for (String name : alike) {
            Command take = new Command.Take(HERE, Samples.acquire(session("ada"), Role.of(name)));
            assertThat(granted(ledger.apply(Codec.bytes(take), RAFT_TERM))
                            .token()
                            .value())
                    .isEqualTo(1);
        }
        assertThat(Ledger.restore(ledger.snapshot()).roles(HERE))
                .extracting(view -> view.role().name())
                .containsExactlyElementsOf(alike.stream().sorted().toList());
    }

    @Test
    void allThatASessionsEndChangesIsTold() {
        reserved();
        Role other = Role.of("another");
        tell(new Command.Take(HERE, Samples.acquire(session("bob"), other)));
        ledger.takeChanged();

        expire("bob");

        assertThat(ledger.takeChanged()).containsExactly(new Changed(HERE, other), new Changed(HERE, LEDGER));
        assertThat(ledger.takeChanged()).isEmpty();
    }

    @Test
    void whatChangesNoViewIsNotTold() {
        open("ada");
        enlist("ada");
        take("ada", 1);
        ledger.takeChanged();

        enlist("ada");
        open("ada");
        take("ada", 1);
        tell(new Command.Withdraw(HERE, session("ada"), LEDGER));
        tell(new Command.Expire(HERE, session("ada"), 2, RAFT_TERM + 1));

        assertThat(ledger.takeChanged()).isEmpty();
    }

    @Test
    void aBatchIsTakenInItsOrder() {
        Ledger one = founded();
        Ledger other = founded();
        List<Command> commands = List.of(
                new Command.Open(HERE, Samples.opening(session("ada"), id("ada"))),
                new Command.Take(HERE, Samples.acquire(session("ada"), LEDGER)),
                new Command.Expire(HERE, session("ada"), 1, RAFT_TERM),
                new Command.Expire(HERE, session("ada"), 1, RAFT_TERM - 1));

        Reply replies = one.apply(new Command.Batch(commands), RAFT_TERM);

        assertThat(replies)
                .isEqualTo(new Reply.Batched(commands.stream()
                        .map(command -> other.apply(command, RAFT_TERM))
                        .toList()));
        assertThat(one.snapshot()).isEqualTo(other.snapshot());
    }

    @Test
    void anEntryThatCannotBeReadIsAnsweredAndChangesNothing() {
        open("ada");
        byte[] before = ledger.snapshot();

        Reply reply = ledger.apply(new byte[] {1, 77, 3}, RAFT_TERM);

        assertThat(reply).isEqualTo(new Reply.Unsupported("there is no command of kind 77"));
        assertThat(ledger.snapshot()).isEqualTo(before);
    }

    private void reserved() {
        open("ada");
        open("bob");
        enlist("bob");
        take("ada", 1);
        assertThat(keep("ada", 1, "bob", Duration.ofSeconds(5))).isInstanceOf(Reply.Viewed.class);
    }
}
