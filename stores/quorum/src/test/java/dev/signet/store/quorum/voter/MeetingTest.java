package dev.signet.store.quorum.voter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.signet.StoreId;
import dev.signet.store.quorum.wire.Address;
import dev.signet.store.quorum.wire.Introduction;
import dev.signet.store.quorum.wire.Peek;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class MeetingTest {

    private static final VoterOptions OPTIONS = VoterOptions.of(
            "1",
            Map.of("1", new Address("a", 7), "2", new Address("b", 7), "3", new Address("c", 7)),
            Path.of("folder"));
    private static final UUID GROUP = Owner.group(OPTIONS);
    private static final Map<String, UUID> ALL = Map.of("1", folder(1), "2", folder(2), "3", folder(3));

    private final Meeting atFirst = Meeting.of(OPTIONS, new Owner("1", GROUP, false, Map.of("1", folder(1))));
    private final Meeting metAll = Meeting.of(OPTIONS, new Owner("1", GROUP, false, ALL));

    private static UUID folder(int number) {
        return new UUID(0, number);
    }

    private static Introduction said(String voter, UUID group, boolean begun, String store, Map<String, UUID> folders) {
        Optional<StoreId> storeId =
                Optional.of(store).filter(id -> !id.isEmpty()).map(StoreId::new);
        return new Introduction(new Peek(voter, group, -1, false, Set.of(), storeId), begun, folders);
    }

    private static Introduction waiting(String voter, Map<String, UUID> folders) {
        return said(voter, GROUP, false, "", folders);
    }

    private static void assertRefused(Meeting meeting, String from, Introduction said, String... why) {
        assertThatThrownBy(() -> meeting.hear(from, said))
                .isInstanceOf(VoterException.class)
                .hasMessageContainingAll(why);
    }

    @Test
    void whoIsMetIsWrittenDownAndWaitedForUntilItHasMetAllToo() throws VoterException {
        Meeting met = atFirst.hear("2", waiting("2", Map.of("2", folder(2))))
                .hear("3", waiting("3", Map.of("3", folder(3), "1", folder(1))));

        assertThat(met.owner().folders()).isEqualTo(ALL);
        assertThat(met.missing()).containsExactly("2", "3");
        assertThat(met.hear("2", waiting("2", ALL)).missing()).containsExactly("3");
        assertThat(met.hear("2", waiting("2", ALL)).hear("3", waiting("3", ALL)).isOver())
                .isTrue();
    }

    /** That one has heard from all that they have. */
    @Test
    void oneThatHasBegunIsEnough() throws VoterException {
        assertThat(metAll.hear("3", said("3", GROUP, true, "", ALL)).isOver()).isTrue();
        assertThat(metAll.hear("3", said("3", GROUP, true, "a-store", ALL)).isOver())
                .isTrue();
    }

    @Test
    void theFirstFolderThatWasMetOfAVoterStays() throws VoterException {
        Map<String, UUID> other = Map.of("1", folder(1), "2", folder(7), "3", folder(3));

        Meeting met = metAll.hear("2", waiting("2", other));

        assertThat(met.owner().folders()).isEqualTo(ALL);
        assertThat(met.missing()).contains("2");
    }

    /** Else two that have begun could know a third by two folders. */
    @Test
    void whoKnowsAThirdByAnotherFolderIsNotAgreedWith() throws VoterException {
        Map<String, UUID> other = Map.of("1", folder(1), "2", folder(2), "3", folder(7));

        assertThat(metAll.hear("2", waiting("2", other)).missing()).contains("2");
        assertThat(metAll.hear("2", said("2", GROUP, true, "", other)).isOver()).isFalse();
    }

    @Test
    void whoIsKnownByAnotherFolderIsRefused() {
        Map<String, UUID> other = Map.of("1", folder(7), "2", folder(2), "3", folder(3));

        assertRefused(
                atFirst, "2", waiting("2", other), "voter 2 at b:7", "by another folder than folder", Preflight.REMEDY);
        assertRefused(
                atFirst,
                "2",
                said("2", GROUP, true, "a-store", other),
                "have a store already, a-store",
                Preflight.REMEDY);
    }

    @Test
    void whoWasNeverMetByOneThatHasBegunIsRefused() {
        assertRefused(atFirst, "2", said("2", GROUP, true, "", Map.of()), Preflight.REMEDY);
        assertRefused(atFirst, "2", said("2", GROUP, true, "", Map.of("2", folder(2))), Preflight.REMEDY);
    }

    @Test
    void otherListsAreRefused() {
        UUID another = new UUID(9, 9);

        assertRefused(
                atFirst,
                "2",
                said("2", another, false, "", Map.of("2", folder(2))),
                "was given another list of voters than this one: 1=a:7,2=b:7,3=c:7");
        assertRefused(
                atFirst, "2", said("2", another, true, "a-store", Map.of("2", folder(2))), "have a store already");
        assertRefused(atFirst, "2", waiting("3", ALL), "at b:7 is voter 3, not 2: give every voter the same list");
    }

    @Test
    void oneVoterNeedNotMeetAnybody() {
        VoterOptions alone = VoterOptions.of("1", Map.of("1", new Address("a", 7)), Path.of("folder"));

        assertThat(Meeting.of(alone, Owner.fresh(alone)).isOver()).isTrue();
    }
}
