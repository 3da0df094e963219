package dev.signet.testkit;

import static dev.signet.testkit.FenceStamps.NEW;
import static dev.signet.testkit.FenceStamps.OLD;
import static dev.signet.testkit.FenceStory.LATER;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.signet.Answer;
import dev.signet.fence.Refusal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;

/** Stories of {@link FenceContract} about transactions that are open when a seal comes. Told as {@link FenceStories} are. */
final class SealStories {

    static final List<FenceCase> ALL = List.of(
            new FenceCase(
                    FenceClause.F4, "no seal passes between check and commit", true, SealStories::sealBeforeCommit),
            new FenceCase(FenceClause.F4, "no seal passes inside a fenced transaction", true, SealStories::sealInside),
            new FenceCase(
                    FenceClause.F4, "a check waits for a seal that is under way", true, SealStories::checkBehindSeal),
            new FenceCase(FenceClause.F5, "what read before the seal does not pass", true, SealStories::readBeforeSeal),
            new FenceCase(FenceClause.F6, "a check in a rolled back savepoint", true, SealStories::savepoint),
            new FenceCase(FenceClause.F6, "a check in a savepoint that is kept", true, SealStories::keptSavepoint),
            new FenceCase(FenceClause.F7, "a writer that stands still after its check", true, SealStories::standsStill),
            new FenceCase(
                    FenceClause.F7, "a fenced transaction that stands still", true, SealStories::standsStillInside),
            new FenceCase(FenceClause.F8, "a prepared transaction", true, SealStories::prepared),
            new FenceCase(FenceClause.F14, "what the work throws rolls back", true, SealStories::workThrows),
            new FenceCase(
                    FenceClause.F14, "a transaction that the database ends unseen", true, SealStories::endedUnseen));

    private SealStories() {}

    private static void sealBeforeCommit(FenceStory story) {
        story.begin();
        try (FenceWriter old = story.writer()) {
            old.check(OLD);
            old.write("before", OLD);
            boolean sealed = story.isSealed(NEW, story.soon);
            Throwable failed = catchThrowable(() -> {
                old.write("late", OLD);
                old.commit();
            });
            story.neverBoth(sealed, failed, "late");
        }
        story.sealed(NEW);
        story.refused(OLD, Refusal.STALE);
    }

    private static void sealInside(FenceStory story) {
        story.begin();
        List<Boolean> sealed = new ArrayList<>();
        Throwable failed = catchThrowable(() -> story.site.inTransaction(OLD, writer -> {
            sealed.add(story.isSealed(NEW, story.soon));
            writer.write("late", OLD);
        }));
        assertThat(sealed).hasSize(1);
        story.neverBoth(sealed.get(0), failed, "late");
        story.sealed(NEW);
    }

    /**
     * The seal waits for one writer, and the next writer for the seal: it sees what the seal wrote. Or it was in before the
     * seal, which then waits for it too.
     */
    private static void checkBehindSeal(FenceStory story) throws Exception {
        story.begin();
        try (FenceWriter first = story.writer();
                FenceWriter second = story.writer()) {
            second.read();
            first.check(OLD);
            var seal = story.site.fence().seal(NEW, LATER).toCompletableFuture();
            Thread.sleep(story.soon.toMillis());
            AtomicBoolean sealed = new AtomicBoolean();
            var late = CompletableFuture.supplyAsync(() -> catchThrowable(() -> {
                second.check(OLD);
                sealed.set(answeredSoon(story, seal));
                second.write("late", OLD);
                second.commit();
            }));
            Thread.sleep(story.soon.toMillis());
            first.write("in time", OLD);
            first.commit();
            Throwable failed = late.get();
            story.neverBoth(sealed.get(), failed, "late");
            assertThat(failed == null || FenceStory.isRefused(failed))
                    .as("typed: %s", failed)
                    .isTrue();
        }
        story.sealed(NEW);
        story.refused(OLD, Refusal.STALE);
    }

    private static boolean answeredSoon(FenceStory story, CompletableFuture<? extends Answer<?, ?>> seal)
            throws Exception {
        try {
            return seal.get(story.soon.toMillis(), TimeUnit.MILLISECONDS) instanceof Answer.Done;
        } catch (TimeoutException e) {
            return false;
        }
    }

    private static void readBeforeSeal(FenceStory story) {
        story.begin();
        try (FenceWriter old = story.writer()) {
            old.read();
            boolean sealed = story.isSealed(NEW, LATER);
            Throwable failed = catchThrowable(() -> {
                old.check(OLD);
                old.write("late", OLD);
                old.commit();
            });
            story.neverBoth(sealed, failed, "late");
            if (sealed) {
                assertThat(FenceStory.isRefused(failed)).as("typed: %s", failed).isTrue();
            }
        }
        story.sealed(NEW);
        story.refused(OLD, Refusal.STALE);
    }

    private static void savepoint(FenceStory story) {
        story.begin();
        try (FenceWriter old = story.writer()) {
            Throwable failed = catchThrowable(() -> {
                Runnable back = old.savepoint();
                old.check(OLD);
                back.run();
            });
            boolean sealed = story.isSealed(NEW, story.soon);
            if (failed == null) {
                failed = catchThrowable(() -> {
                    old.write("late", OLD);
                    old.commit();
                });
            }
            story.neverBoth(sealed, failed, "late");
        }
        story.sealed(NEW);
    }

    private static void keptSavepoint(FenceStory story) {
        story.begin();
        try (FenceWriter old = story.writer()) {
            Throwable failed = catchThrowable(() -> {
                old.check(OLD);
                Runnable back = old.savepoint();
                old.write("undone", OLD);
                back.run();
            });
            assertThat(failed).as("a savepoint after the check").isNull();
            boolean sealed = story.isSealed(NEW, story.soon);
            failed = catchThrowable(() -> {
                old.write("late", OLD);
                old.commit();
            });
            story.neverBoth(sealed, failed, "late");
            assertThat(story.site.rows()).doesNotContain("undone");
        }
        story.sealed(NEW);
    }

    private static void standsStill(FenceStory story) {
        story.begin();
        try (FenceWriter old = story.writer()) {
            old.check(OLD);
            Duration longest = story.site.longestHeldUp();
            boolean sealed = story.isSealed(NEW, longest.isNegative() ? story.soon : longest.plus(LATER));
            if (!longest.isNegative()) {
                assertThat(sealed)
                        .as("sealed beside a writer that stands still")
                        .isTrue();
            }
            Throwable failed = catchThrowable(() -> {
                old.write("late", OLD);
                old.commit();
            });
            story.neverBoth(sealed, failed, "late");
        }
        story.sealed(NEW);
        story.writes(NEW, "new");
    }

    private static void standsStillInside(FenceStory story) {
        story.begin();
        Duration longest = story.site.longestHeldUpInside();
        List<Boolean> sealed = new ArrayList<>();
        Throwable failed = catchThrowable(() -> story.site.inTransaction(OLD, writer -> {
            sealed.add(story.isSealed(NEW, longest.isNegative() ? story.soon : longest.plus(LATER)));
            writer.write("late", OLD);
        }));
        assertThat(sealed).as("the seal's answer, beside %s", failed).hasSize(1);
        assertThat(sealed.get(0) || longest.isNegative())
                .as("sealed beside a fenced transaction that stands still")
                .isTrue();
        story.neverBoth(sealed.get(0), failed, "late");
        story.sealed(NEW);
        story.writes(NEW, "new");
    }

    private static void prepared(FenceStory story) {
        story.begin();
        FenceWriter old = story.site.beginToPrepare(story.level);
        List<Runnable> second = new ArrayList<>();
        Throwable failed = catchThrowable(() -> {
            old.check(OLD);
            old.write("prepared", OLD);
            second.add(old.prepare());
        });
        old.close();
        boolean sealed = story.isSealed(NEW, story.soon);
        for (Runnable commit : second) {
            failed = catchThrowable(commit::run);
        }
        story.neverBoth(sealed, failed, "prepared");
        story.sealed(NEW);
    }

    private static void endedUnseen(FenceStory story) {
        story.begin();
        List<Boolean> sealed = new ArrayList<>();
        Throwable failed = catchThrowable(() -> story.site.inTransaction(OLD, writer -> {
            writer.write("before", OLD);
            Throwable unused = catchThrowable(writer::endUnseen);
            sealed.add(story.isSealed(NEW, story.soon));
            writer.write("late", OLD);
        }));
        assertThat(sealed).as("the seal's answer, beside %s", failed).hasSize(1);
        story.neverBoth(sealed.get(0), failed, "late");
        story.sealed(NEW);
    }

    private static void workThrows(FenceStory story) {
        story.begin();
        IllegalArgumentException thrown = new IllegalArgumentException("by the work");
        assertThatThrownBy(() -> story.site.inTransaction(OLD, writer -> {
                    writer.write("a", OLD);
                    throw thrown;
                }))
                .isSameAs(thrown);
        assertThat(story.site.rows()).isEmpty();
        story.sealed(NEW);
    }
}
