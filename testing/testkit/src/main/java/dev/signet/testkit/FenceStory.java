package dev.signet.testkit;

import static dev.signet.testkit.FenceStamps.LEDGER;
import static dev.signet.testkit.FenceStamps.OLD;
import static dev.signet.testkit.FenceStamps.ROLE;
import static dev.signet.testkit.FenceStamps.STORE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.signet.Answer;
import dev.signet.FenceException;
import dev.signet.Stamp;
import dev.signet.WriteRefusedException;
import dev.signet.fence.FenceView;
import dev.signet.fence.Refusal;
import dev.signet.fence.SealRefusal;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** What the stories of {@link FenceContract} are written with. */
class FenceStory {

    /** For one that is, on a machine that is busy with much else. */
    static final Duration LATER = Duration.ofSeconds(20);

    final FenceSite site;
    final IsolationLevel level;

    /** For an answer that is not to come. */
    final Duration soon;

    FenceStory(FenceSite site, IsolationLevel level, Duration soon) {
        this.site = site;
        this.level = level;
        this.soon = soon;
    }

    /** The fence belongs to {@link FenceStamps#ROLE}, and the old term leads. */
    void begin() {
        site.init(LEDGER, ROLE, STORE);
        sealed(OLD);
    }

    Answer<FenceView, SealRefusal> seal(Stamp stamp, Duration timeout) {
        return site.fence().seal(stamp, timeout).toCompletableFuture().join();
    }

    boolean isSealed(Stamp stamp, Duration timeout) {
        return seal(stamp, timeout) instanceof Answer.Done;
    }

    /** Asks again while there is no answer: one that was held up may still stand in the way of the next. */
    void sealed(Stamp stamp) {
        Answer<FenceView, SealRefusal> answer = Answer.unknown("not asked yet");
        for (int i = 0; i < 3 && answer instanceof Answer.Unknown; i++) {
            answer = seal(stamp, LATER);
        }
        assertThat(answer).as("sealed for token %s", stamp.token()).isInstanceOf(Answer.Done.class);
    }

    void sealRefused(Stamp stamp, Refusal kind) {
        Object refusal = seal(stamp, LATER).fold(done -> done, SealRefusal::refusal, unknown -> unknown);
        assertThat(refusal).as("a seal with token %s", stamp.token()).isEqualTo(kind);
    }

    FenceView view() {
        return site.fence()
                .view(LATER)
                .toCompletableFuture()
                .join()
                .fold(
                        done -> done,
                        refused -> {
                            throw new AssertionError("refused: " + refused);
                        },
                        unknown -> {
                            throw new AssertionError("unknown: " + unknown);
                        });
    }

    FenceWriter writer() {
        return site.begin(level);
    }

    void writes(Stamp stamp, String what) {
        site.inTransaction(stamp, writer -> writer.write(what, stamp));
    }

    /** In each form, by that name, and without a trace. */
    void refused(Stamp stamp, Refusal kind) {
        assertThat(refusal(catchThrowable(() -> writes(stamp, "refused"))))
                .as("a fenced transaction with %s", stamp)
                .isEqualTo(kind);
        try (FenceWriter own = writer()) {
            assertThat(refusal(catchThrowable(() -> own.check(stamp))))
                    .as("a check with %s", stamp)
                    .isEqualTo(kind);
        }
        assertThat(site.rows()).doesNotContain("refused");
    }

    static @Nullable Object refusal(@Nullable Throwable thrown) {
        return thrown instanceof WriteRefusedException refused ? refused.refusal() : thrown;
    }

    /** Whether a write was refused in any way that keeps it from landing. */
    static boolean isRefused(@Nullable Throwable thrown) {
        return thrown instanceof WriteRefusedException
                || (thrown instanceof FenceException fault && fault.outcome() != FenceException.Outcome.UNKNOWN);
    }

    /**
     * What no fence may let happen: the seal was answered done, and the writer of an older term committed afterwards.
     *
     * @param failed what came of that commit
     */
    void neverBoth(boolean sealed, @Nullable Throwable failed, String row) {
        boolean landed = failed == null || site.rows().contains(row);
        assertThat(sealed && landed)
                .as("at %s: sealed for the next term, and a write of the old one committed after it", level)
                .isFalse();
    }
}
