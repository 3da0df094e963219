package dev.signet.app.child;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.function.IntPredicate;
import org.junit.jupiter.api.Test;

/** Who is in the midst of exec shows no environment for a moment; here it is this process, and each look at it is counted. */
class ProcessGroupTest {
    private static final long NO_GROUP = Integer.MAX_VALUE;

    private final long self = ProcessHandle.current().pid();
    private int looks;

    @Test
    void whoIsOverlookedTwiceIsFound() {
        assertThat(shownAt(look -> look == 3).living()).containsExactly(self);
    }

    @Test
    void whoIsFoundIsNotLookedForAgain() {
        assertThat(shownAt(look -> look == 1).living()).containsExactly(self);
        assertThat(looks).isEqualTo(1);
    }

    @Test
    void threeEmptyLooksMeanThatNoneIsLeft() {
        assertThat(shownAt(look -> false).living()).isEmpty();
        assertThat(looks).isEqualTo(3);
    }

    private ProcessGroup shownAt(IntPredicate look) {
        return new ProcessGroup(
                NO_GROUP, 0, "SIGNET_TERM_ID=none", "/bin/sh", (pid, mark) -> pid == self && look.test(++looks));
    }
}
