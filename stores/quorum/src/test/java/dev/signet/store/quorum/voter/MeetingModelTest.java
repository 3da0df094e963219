package dev.signet.store.quorum.voter;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Everything that three voters can come to at their first start. */
class MeetingModelTest {

    /** @return how many states there are */
    private static int checkAll(int mostLost, Predicate<MeetingModel> holds) {
        Set<MeetingModel> seen = new HashSet<>(Set.of(MeetingModel.atFirst()));
        Deque<MeetingModel> open = new ArrayDeque<>(seen);
        while (!open.isEmpty()) {
            MeetingModel state = open.poll();
            if (!holds.test(state)) {
                throw new AssertionError(state);
            }
            state.next(mostLost).stream().filter(seen::add).forEach(open::add);
        }
        return seen.size();
    }

    private static IntStream voters() {
        return IntStream.range(0, 3);
    }

    @Test
    void whoeverIsKilledWhenAllBeginInTheEnd() {
        int states = checkAll(0, state -> {
            MeetingModel quiet = state.quiet();
            return voters().allMatch(quiet::hasBegun);
        });
        assertThat(states).isGreaterThan(1_500);
    }

    @Test
    void whoLostItsDiskNeverBeginsBesideOneThatKnewTheOldOne() {
        assertThat(checkAll(2, MeetingModel::isSafe)).isGreaterThan(30_000);
    }

    /** Also without those whose disks are lost meanwhile. */
    @Test
    void whoStillHasItsDiskBeginsOnceAnotherHas() {
        int states = checkAll(2, state -> {
            if (voters().noneMatch(state::hasBegun)) {
                return true;
            }
            MeetingModel quiet = state.quiet();
            return voters().filter(state::wasMet).allMatch(quiet::hasBegun);
        });
        assertThat(states).isGreaterThan(30_000);
    }
}
