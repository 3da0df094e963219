package dev.signet.testkit;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/**
 * What every fence must do, as tests: an adapter's test extends this class and says how a site of it is made. The clauses are
 * {@link FenceClause}; each story is told on a site of its own, and where it may end otherwise at another isolation level, at
 * each. Whether busy writers get past a seal is put to the test by {@link FenceStress}; what is left on a pooled connection
 * ({@link FenceClause#F9}), by the adapter, which knows what a session of its own keeps.
 */
public abstract class FenceContract {

    private static final List<FenceCase> ALL =
            Stream.of(FenceStories.ALL, QueueStories.ALL).flatMap(List::stream).toList();

    /** A new one; the kit closes it. */
    protected abstract FenceSite site();

    /** At which applications of this database may write. */
    protected abstract Set<IsolationLevel> levels();

    /**
     * Stories that this fence is known not to bear, by name, each with the reason. They are told all the same, and must fail: a
     * limit that is no longer one does not stay in the documentation.
     */
    protected Map<String, String> limits() {
        return Map.of();
    }

    @TestFactory
    final List<DynamicTest> fence() {
        List<DynamicTest> tests = new ArrayList<>();
        for (FenceCase each : ALL) {
            for (IsolationLevel level : levels(each, levels())) {
                String name = each.clause() + " " + each.name() + (each.atEachLevel() ? ", at " + level : "");
                String limit = limits().get(each.name());
                tests.add(
                        limit == null
                                ? DynamicTest.dynamicTest(name, () -> tell(each, level))
                                : DynamicTest.dynamicTest(name + ": no, " + limit, () -> fails(each, level)));
            }
        }
        return tests;
    }

    private static List<IsolationLevel> levels(FenceCase each, Set<IsolationLevel> of) {
        List<IsolationLevel> levels = List.copyOf(of);
        return each.atEachLevel() ? levels : levels.subList(0, 1);
    }

    private void fails(FenceCase each, IsolationLevel level) {
        assertThatThrownBy(() -> tell(each, level)).isInstanceOf(AssertionError.class);
    }

    private void tell(FenceCase each, IsolationLevel level) throws Exception {
        try (FenceSite site = site()) {
            each.body().tell(new FenceStory(site, level));
        }
    }

    /**
     * Tells the stories until one fails, for a fence that is wrong on purpose.
     *
     * @return the clause and the story that found it; empty if none did
     */
    public final Optional<String> firstFailure() {
        return firstFailureOf(EnumSet.allOf(FenceClause.class), levels());
    }

    /** The same with the stories of these clauses alone, at these levels. */
    public final Optional<String> firstFailureOf(Set<FenceClause> clauses, Set<IsolationLevel> levels) {
        for (FenceCase each : ALL) {
            if (!clauses.contains(each.clause()) || limits().containsKey(each.name())) {
                continue;
            }
            for (IsolationLevel level : levels(each, levels)) {
                try {
                    tell(each, level);
                } catch (Throwable e) {
                    return Optional.of(each.clause() + " " + each.name() + ", at " + level);
                }
            }
        }
        return Optional.empty();
    }
}
