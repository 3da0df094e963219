package dev.signet.testkit;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
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

    private static final List<FenceCase> ALL = Stream.of(FenceStories.ALL, SealStories.ALL, QueueStories.ALL)
            .flatMap(List::stream)
            .toList();

    /** How long a story waits for what is not to happen. */
    public static final Duration SOON = Duration.ofMillis(250);

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
        tell(each, level, SOON);
    }

    private void tell(FenceCase each, IsolationLevel level, Duration soon) throws Exception {
        try (FenceSite site = site()) {
            each.body().tell(new FenceStory(site, level, soon));
        }
    }

    /**
     * Tells the stories of these clauses at these levels until one fails, for a fence that is wrong on purpose.
     *
     * @param soon how long to wait for what a right fence lets nobody see; the longer, the less a busy machine hides
     * @return the clause and the story that found it; empty if none did
     */
    public final Optional<String> firstFailureOf(Set<FenceClause> clauses, Set<IsolationLevel> levels, Duration soon) {
        for (FenceCase each : ALL) {
            if (!clauses.contains(each.clause()) || limits().containsKey(each.name())) {
                continue;
            }
            for (IsolationLevel level : levels(each, levels)) {
                try {
                    tell(each, level, soon);
                } catch (Throwable e) {
                    return Optional.of(each.clause() + " " + each.name() + ", at " + level);
                }
            }
        }
        return Optional.empty();
    }
}
