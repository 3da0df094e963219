package dev.signet.fence.jdbc;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.signet.testkit.FenceClause;
import dev.signet.testkit.FenceContract;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** What every fence in a database must do besides: stories that need SQL, or a pool of connections. */
abstract class JdbcFenceContract extends FenceContract {

    private static final Duration LONGER = SOON.multipliedBy(6);

    @Override
    protected abstract JdbcSite site();

    /** Texts that this database takes as one statement of {@code java.sql}, and that commit the transaction they are in. */
    protected abstract List<String> hiddenCommits();

    /** Queries that tell all that a session keeps from one transaction to the next. */
    protected abstract List<String> sessionState();

    /** Stories that only this database has. */
    protected List<JdbcStory> ownStories() {
        return List.of();
    }

    private List<JdbcStory> stories() {
        return Stream.of(JdbcStories.ALL, PoolStories.ALL, ownStories())
                .flatMap(List::stream)
                .toList();
    }

    @TestFactory
    final Stream<DynamicTest> jdbc() {
        return stories().stream().map(story -> {
            String limit = limits().get(story.name());
            return limit == null
                    ? DynamicTest.dynamicTest(story.toString(), () -> tell(story))
                    : DynamicTest.dynamicTest(
                            story + ": no, " + limit,
                            () -> assertThatThrownBy(() -> tell(story)).isInstanceOf(AssertionError.class));
        });
    }

    private void tell(JdbcStory story) throws Exception {
        try (JdbcSite site = site()) {
            story.body().tell(site, this);
        }
    }

    /**
     * The first story of these clauses that fails, of the whole contract: for a fence that is wrong on purpose. Before none is said
     * to, a seal that should not come through is given more time.
     */
    final Optional<String> firstFailure(Set<FenceClause> clauses) {
        return firstFailureOf(clauses, levels(), SOON)
                .or(() -> stories().stream()
                        .filter(story ->
                                clauses.contains(story.clause()) && !limits().containsKey(story.name()) && fails(story))
                        .map(JdbcStory::toString)
                        .findFirst())
                .or(() -> firstFailureOf(clauses, levels(), LONGER));
    }

    /** Whether the current term does not get through, at one level. */
    final Optional<String> firstFailureOfForms() {
        return firstFailureOf(
                EnumSet.of(FenceClause.F1), EnumSet.of(levels().iterator().next()), SOON);
    }

    private boolean fails(JdbcStory story) {
        try {
            tell(story);
            return false;
        } catch (Throwable e) {
            return true;
        }
    }
}
