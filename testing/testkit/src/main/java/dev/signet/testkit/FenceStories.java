package dev.signet.testkit;

import static dev.signet.testkit.FenceStamps.LEDGER;
import static dev.signet.testkit.FenceStamps.NEW;
import static dev.signet.testkit.FenceStamps.OLD;
import static dev.signet.testkit.FenceStamps.ROLE;
import static dev.signet.testkit.FenceStamps.STORE;
import static dev.signet.testkit.FenceStamps.ofOtherRole;
import static dev.signet.testkit.FenceStamps.ofOtherStore;
import static dev.signet.testkit.FenceStamps.ofOtherTerm;
import static dev.signet.testkit.FenceStamps.stamp;
import static dev.signet.testkit.FenceStory.LATER;
import static dev.signet.testkit.FenceStory.SOON;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.signet.Answer;
import dev.signet.FencingToken;
import dev.signet.ResourceName;
import dev.signet.Role;
import dev.signet.StoreId;
import dev.signet.WriteRefusedException;
import dev.signet.fence.Refusal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;

/** The stories of {@link FenceContract}. Each is told on a site of its own, at each level where that matters. */
final class FenceStories {

    static final List<FenceCase> ALL = List.of(
            new FenceCase(
                    FenceClause.F1, "the current term writes, in every form", true, FenceStories::currentTermWrites),
            new FenceCase(FenceClause.F2, "each wrong stamp is refused by its name", true, FenceStories::wrongStamps),
            new FenceCase(FenceClause.F2, "a missing row refuses, and is not token 0", false, FenceStories::missingRow),
            new FenceCase(FenceClause.F3, "each wrong seal is refused by its name", false, FenceStories::wrongSeals),
            new FenceCase(FenceClause.F3, "a seal is idempotent and only rises", false, FenceStories::sealOnlyRises),
            new FenceCase(FenceClause.F3, "initialising never overwrites", false, FenceStories::initNeverOverwrites),
            new FenceCase(FenceClause.F3, "names that differ in a byte never meet", false, FenceStories::names),
            new FenceCase(
                    FenceClause.F4, "no seal passes between check and commit", true, FenceStories::sealBeforeCommit),
            new FenceCase(FenceClause.F4, "no seal passes inside a fenced transaction", true, FenceStories::sealInside),
            new FenceCase(
                    FenceClause.F4, "a check waits for a seal that is under way", true, FenceStories::checkBehindSeal),
            new FenceCase(
                    FenceClause.F5, "what read before the seal does not pass", true, FenceStories::readBeforeSeal),
            new FenceCase(FenceClause.F6, "a check in a rolled back savepoint", true, FenceStories::savepoint),
            new FenceCase(FenceClause.F6, "a check in a savepoint that is kept", true, FenceStories::keptSavepoint),
            new FenceCase(
                    FenceClause.F7, "a writer that stands still after its check", true, FenceStories::standsStill),
            new FenceCase(
                    FenceClause.F7, "a fenced transaction that stands still", true, FenceStories::standsStillInside),
            new FenceCase(FenceClause.F8, "a prepared transaction", true, FenceStories::prepared),
            new FenceCase(FenceClause.F10, "a token gone wrong does not poison the fence", false, FenceStories::poison),
            new FenceCase(FenceClause.F11, "a refusal is rolled back, counted and told", true, FenceStories::counted),
            new FenceCase(FenceClause.F12, "writers never move the fence", true, FenceStories::writersNeverMove),
            new FenceCase(FenceClause.F13, "a check without a transaction is refused", false, FenceStories::autocommit),
            new FenceCase(FenceClause.F14, "what the work throws rolls back", true, FenceStories::workThrows),
            new FenceCase(
                    FenceClause.F14, "a transaction that the database ends unseen", true, FenceStories::endedUnseen));

    private FenceStories() {}

    private static void currentTermWrites(FenceStory story) {
        story.begin();
        story.writes(OLD, "a");
        try (FenceWriter own = story.writer()) {
            own.check(OLD);
            own.write("b", OLD);
            own.check(OLD);
            own.write("c", OLD);
            own.commit();
        }
        story.sealed(NEW);
        story.writes(NEW, "d");
        assertThat(story.site.rows()).containsExactlyInAnyOrder("a", "b", "c", "d");
    }

    private static void wrongStamps(FenceStory story) {
        story.begin();
        story.sealed(NEW);
        story.refused(OLD, Refusal.STALE);
        story.refused(ofOtherTerm(NEW), Refusal.SAME_TOKEN_OTHER_TERM);
        story.refused(ofOtherStore(NEW), Refusal.FOREIGN_STORE);
        story.refused(ofOtherRole(NEW), Refusal.OTHER_ROLE);
        story.refused(stamp(9), Refusal.UNSEALED);
        assertThat(story.site.rows()).isEmpty();
    }

    private static void missingRow(FenceStory story) {
        story.refused(OLD, Refusal.NOT_INITIALISED);
        story.sealRefused(OLD, Refusal.NOT_INITIALISED);
        story.site.init(ResourceName.of("another"), ROLE, STORE);
        story.refused(OLD, Refusal.NOT_INITIALISED);
        story.sealRefused(OLD, Refusal.NOT_INITIALISED);
        story.site.init(LEDGER, ROLE, STORE);
        story.refused(OLD, Refusal.UNSEALED);
    }

    private static void wrongSeals(FenceStory story) {
        story.begin();
        story.sealed(NEW);
        story.sealRefused(OLD, Refusal.STALE);
        story.sealRefused(ofOtherTerm(NEW), Refusal.SAME_TOKEN_OTHER_TERM);
        story.sealRefused(ofOtherStore(stamp(9)), Refusal.FOREIGN_STORE);
        story.sealRefused(ofOtherRole(stamp(9)), Refusal.OTHER_ROLE);
        assertThat(story.view().highest()).isEqualTo(8);
        assertThat(story.view().termDigest()).contains(NEW.termId().digest());
    }

    private static void sealOnlyRises(FenceStory story) {
        story.begin();
        story.sealed(OLD);
        assertThat(story.view().highest()).isEqualTo(7);
        story.sealed(NEW);
        story.sealRefused(OLD, Refusal.STALE);
        story.sealed(NEW);
        assertThat(story.view().highest()).isEqualTo(8);
    }

    private static void initNeverOverwrites(FenceStory story) {
        story.begin();
        story.site.init(LEDGER, ROLE, STORE);
        assertThat(story.view().highest()).isEqualTo(7);
        assertThatThrownBy(() -> story.site.init(LEDGER, Role.of("other"), STORE))
                .hasMessageContaining("belongs to role 'nightly'");
        assertThatThrownBy(() -> story.site.init(LEDGER, ROLE, new StoreId("other")))
                .hasMessageContaining("store-1");
        assertThat(story.view().role()).isEqualTo(ROLE);
        story.writes(OLD, "still");
    }

    private static void names(FenceStory story) {
        story.begin();
        for (String other : List.of("Ledger", "ledger ", "lédger", "ledger/a", "%6Cedger", "ledger.", "l\u200Bedger")) {
            ResourceName name;
            try {
                name = ResourceName.of(other);
            } catch (IllegalArgumentException e) {
                continue; // no name at all
            }
            story.site.init(name, Role.of("other"), STORE);
        }
        assertThat(story.view().role()).isEqualTo(ROLE);
        story.writes(OLD, "still");
    }

    private static void sealBeforeCommit(FenceStory story) {
        story.begin();
        try (FenceWriter old = story.writer()) {
            old.check(OLD);
            old.write("before", OLD);
            boolean sealed = story.isSealed(NEW, SOON);
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
            sealed.add(story.isSealed(NEW, SOON));
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
            Thread.sleep(SOON.toMillis());
            AtomicBoolean sealed = new AtomicBoolean();
            var late = CompletableFuture.supplyAsync(() -> catchThrowable(() -> {
                second.check(OLD);
                sealed.set(answeredSoon(seal));
                second.write("late", OLD);
                second.commit();
            }));
            Thread.sleep(SOON.toMillis());
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

    private static boolean answeredSoon(CompletableFuture<? extends Answer<?, ?>> seal) throws Exception {
        try {
            return seal.get(SOON.toMillis(), TimeUnit.MILLISECONDS) instanceof Answer.Done;
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
            boolean sealed = story.isSealed(NEW, SOON);
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
            boolean sealed = story.isSealed(NEW, SOON);
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
            boolean sealed = story.isSealed(NEW, longest.isNegative() ? SOON : longest.plus(LATER));
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
            sealed.add(story.isSealed(NEW, longest.isNegative() ? SOON : longest.plus(LATER)));
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
        boolean sealed = story.isSealed(NEW, SOON);
        for (Runnable commit : second) {
            failed = catchThrowable(commit::run);
        }
        story.neverBoth(sealed, failed, "prepared");
        story.sealed(NEW);
    }

    private static void poison(FenceStory story) {
        story.begin();
        story.sealed(stamp(1_000_007));
        story.sealRefused(stamp(2_000_008), Refusal.TOO_FAR_AHEAD);
        story.sealRefused(stamp(FencingToken.MAX_VALUE), Refusal.TOO_FAR_AHEAD);
        story.sealed(stamp(1_000_008));
    }

    private static void counted(FenceStory story) {
        story.begin();
        List<Refusal> told = new ArrayList<>();
        story.site.onRefusal(refusal -> {
            throw new IllegalStateException("a listener that throws");
        });
        story.site.onRefusal(told::add);
        story.sealed(NEW);
        try (FenceWriter old = story.writer()) {
            old.write("before the check", OLD);
            assertThatThrownBy(() -> old.check(OLD)).isInstanceOf(WriteRefusedException.class);
            Throwable unused = catchThrowable(old::commit);
        }
        assertThat(story.site.rows()).as("written before the refusal").isEmpty();
        story.refused(OLD, Refusal.STALE);
        assertThat(told).containsExactly(Refusal.STALE, Refusal.STALE, Refusal.STALE);
        assertThat(story.site.refusals()).containsEntry(Refusal.STALE, 3L).containsEntry(Refusal.UNSEALED, 0L);
    }

    private static void writersNeverMove(FenceStory story) {
        story.begin();
        story.refused(NEW, Refusal.UNSEALED);
        try (FenceWriter ahead = story.writer()) {
            assertThat(catchThrowable(() -> ahead.check(NEW))).isNotNull();
            Throwable unused = catchThrowable(ahead::commit);
        }
        assertThat(story.view().highest()).isEqualTo(7);
        story.writes(OLD, "still");
    }

    private static void autocommit(FenceStory story) {
        story.begin();
        try (FenceWriter each = story.site.withoutTransaction()) {
            assertThatThrownBy(() -> each.check(OLD)).isInstanceOf(IllegalStateException.class);
        }
    }

    private static void endedUnseen(FenceStory story) {
        story.begin();
        List<Boolean> sealed = new ArrayList<>();
        Throwable failed = catchThrowable(() -> story.site.inTransaction(OLD, writer -> {
            writer.write("before", OLD);
            Throwable unused = catchThrowable(writer::endUnseen);
            sealed.add(story.isSealed(NEW, SOON));
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
