package dev.signet.testkit;

import static dev.signet.testkit.FenceStamps.NEW;
import static dev.signet.testkit.FenceStamps.OLD;
import static dev.signet.testkit.FenceStory.LATER;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** Stories of {@link FenceContract} about who waits for whom. */
final class QueueStories {

    /** Writers that hand over to each other without a gap, as a busy service has them all the time. */
    private static final int RELAY = 12;

    static final List<FenceCase> ALL = List.of(
            new FenceCase(FenceClause.F15, "writers without a gap do not starve a seal", true, QueueStories::relay));

    private QueueStories() {}

    /**
     * Each writer checks before the last one commits. Where writers share a lock and the seal does not queue, the relay never
     * lets it through; where it queues, the next writer waits behind it, and the last one's commit lets it through.
     */
    private static void relay(FenceStory story) throws Exception {
        story.begin();
        FenceWriter last = story.writer();
        last.check(OLD);
        var seal = story.site.fence().seal(NEW, LATER).toCompletableFuture();
        Thread.sleep(story.soon.toMillis());
        int handedOver = 0;
        for (; handedOver < RELAY && !seal.isDone(); handedOver++) {
            FenceWriter next = story.writer();
            CompletableFuture<@Nullable Throwable> check =
                    CompletableFuture.supplyAsync(() -> catchThrowable(() -> next.check(OLD)));
            boolean passed = passesSoon(story, check);
            last.close();
            if (!passed) {
                check.get(LATER.toSeconds(), TimeUnit.SECONDS);
                next.close();
                break;
            }
            last = next;
        }
        last.close();
        assertThat(handedOver)
                .as("writers that overtook a waiting seal, one after the other")
                .isLessThan(RELAY);
        story.sealed(NEW);
    }

    private static boolean passesSoon(FenceStory story, CompletableFuture<@Nullable Throwable> check) throws Exception {
        try {
            return check.get(story.soon.toMillis(), TimeUnit.MILLISECONDS) == null;
        } catch (TimeoutException e) {
            return false;
        }
    }
}
