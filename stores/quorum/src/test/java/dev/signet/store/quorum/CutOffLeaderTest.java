package dev.signet.store.quorum;

import static org.assertj.core.api.Assertions.assertThat;

import dev.signet.store.quorum.state.Reply;
import dev.signet.store.quorum.wire.Answered;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** A leader of the quorum that is one no more, or cannot know, and is asked directly. */
@Tag("process")
@Execution(ExecutionMode.CONCURRENT)
class CutOffLeaderTest {

    private static final Duration LEASE = Duration.ofSeconds(3);
    private static final Duration LONG = Duration.ofMinutes(10);
    private static final Duration IDLE = Duration.ofSeconds(3);

    /** Before a signal has reached each thread of a process. */
    private static final Duration MOMENT = Duration.ofMillis(200);

    /** Read before it hears of the other leader, some of them. */
    private static final int WAITING = 1_000;

    /** Else a leader that was away takes itself for none as soon as it wakes, and nothing else is seen at work. */
    private static final String BELIEVING = "--step-down=60000";

    /** It believes that it leads for two seconds more, and may be asked by many until it knows. */
    private static final Duration ALONE = Duration.ofSeconds(5);

    @Test
    void anIdleLeaderWhoseFollowersAreFrozenConfirmsNothing() {
        confirmsNothingWithout(VoterProcess::freeze);
    }

    @Test
    void anIdleLeaderWhoseFollowersAreDeadConfirmsNothing() {
        confirmsNothingWithout(VoterProcess::kill);
    }

    private static void confirmsNothingWithout(Consumer<VoterProcess> goesAway) {
        try (Trio trio = Trio.start()) {
            trio.open("a", LONG);
            Trio.pass(IDLE);
            int leader = trio.leader();
            assertThat(trio.line(leader).told(Direct.renew("a"))).containsInstanceOf(Reply.Renewed.class);

            IntStream.of(trio.others(leader)).forEach(other -> goesAway.accept(trio.voter(other)));
            Trio.pass(MOMENT);

            long asked = 0;
            long until = System.nanoTime() + ALONE.toNanos();
            while (System.nanoTime() - until < 0) {
                assertThat(trio.line(leader).told(Direct.renew("a")))
                        .as("renewal")
                        .isEmpty();
                assertThat(trio.line(leader).told(Direct.read("ledger")))
                        .as("read")
                        .isEmpty();
                asked++;
            }
            assertThat(asked).as("asked").isPositive();
        }
    }

    /** It hears of its successor within moments; so this is a story of the whole, and not the proof of its parts. */
    @Test
    void aLeaderThatWasStoppedWhileAnotherTookOverAnswersNothingOfThePast() {
        try (Trio trio = Trio.start(BELIEVING)) {
            int former = trio.leader();
            int[] others = trio.others(former);
            Direct line = trio.line(former);
            trio.open("a", LEASE);
            assertThat(line.told(Direct.take("a", "ledger", 0))).containsInstanceOf(Reply.Granted.class);
            assertThat(line.told(Direct.renew("a"))).containsInstanceOf(Reply.Renewed.class);
            long stopped = System.nanoTime();
            trio.voter(former).freeze();

            trio.open("b", LONG, others);
            Trio.eventually(
                    () -> Optional.of(trio.ask(Direct.held("a"), others)).filter(reply -> reply instanceof Reply.Gone));
            long version =
                    viewed(trio.ask(Direct.read("ledger"), others)).view().version();
            Reply granted = trio.tell(Direct.take("b", "ledger", version), others);
            assertThat(((Reply.Granted) granted).grant().token().value()).isEqualTo(2);
            Duration left = Duration.ofSeconds(9).minusNanos(System.nanoTime() - stopped);
            Trio.pass(left.isNegative() ? Duration.ZERO : left);

            List<CompletableFuture<Answered>> waiting = IntStream.range(0, WAITING)
                    .mapToObj(i -> line.ask(i % 2 == 0 ? Direct.renew("a") : Direct.read("ledger"), Direct.SOON))
                    .toList();
            trio.voter(former).thaw();
            long until = System.nanoTime() + Duration.ofSeconds(4).toNanos();
            int elsewhere = 0;
            while (System.nanoTime() - until < 0) {
                elsewhere += assertNothingOfThePast(line.ask(Direct.renew("a"), Direct.SOON));
                elsewhere += assertNothingOfThePast(line.ask(Direct.read("ledger"), Direct.SOON));
            }
            for (CompletableFuture<Answered> one : waiting) {
                elsewhere += assertNothingOfThePast(one);
            }
            assertThat(elsewhere).as("answers that send elsewhere").isPositive();
        }
    }

    private static Reply.Viewed viewed(Reply reply) {
        return (Reply.Viewed) reply;
    }

    /** Should it lead again by now, it may say what is so by now. */
    private static int assertNothingOfThePast(CompletableFuture<Answered> asked) {
        Answered answered = asked.exceptionally(fault -> new Answered.Elsewhere(Optional.empty(), fault.toString()))
                .join();
        if (answered instanceof Answered.Told told) {
            assertThat(told.reply()).isNotInstanceOf(Reply.Renewed.class);
            if (told.reply() instanceof Reply.Viewed viewed) {
                assertThat(viewed.view().lastToken()).as("last token").isEqualTo(2);
            }
            return 0;
        }
        return 1;
    }
}
