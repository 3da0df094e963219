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
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.signet.FencingToken;
import dev.signet.ResourceName;
import dev.signet.Role;
import dev.signet.StoreId;
import dev.signet.WriteRefusedException;
import dev.signet.fence.Refusal;
import java.util.ArrayList;
import java.util.List;

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
            new FenceCase(FenceClause.F10, "a token gone wrong does not poison the fence", false, FenceStories::poison),
            new FenceCase(FenceClause.F11, "a refusal is rolled back, counted and told", true, FenceStories::counted),
            new FenceCase(FenceClause.F12, "writers never move the fence", true, FenceStories::writersNeverMove),
            new FenceCase(
                    FenceClause.F13, "a check without a transaction is refused", false, FenceStories::autocommit));

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
}
