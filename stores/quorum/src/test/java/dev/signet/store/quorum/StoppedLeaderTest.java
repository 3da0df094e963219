package dev.signet.store.quorum;

import static org.assertj.core.api.Assertions.assertThat;

import dev.signet.servers.Hosts;
import dev.signet.store.quorum.state.Command;
import dev.signet.store.quorum.state.Reply;
import dev.signet.store.quorum.wire.Address;
import dev.signet.store.quorum.wire.Answered;
import dev.signet.testkit.JavaChild;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * A leader of the quorum that was stopped while another took over, and that is asked as soon as it wakes.
 *
 * <p>Much protects it beside the term round, which is what is to be shown here. A process that stood still for long takes itself
 * for no leader when it wakes, and so does a leader that has heard of no majority for as long as an election lasts; both are set
 * to a minute here. What is left is what its successor sends: votes and entries, that wait in its sockets beside the
 * candidates' requests, and are answered in the same moment. So its cable is pulled, too, and whoever asks is on its host.
 */
@Tag("process")
@Tag("slow")
@Execution(ExecutionMode.CONCURRENT)
class StoppedLeaderTest {

    private static final Duration LONG = Duration.ofMinutes(10);

    /** Less than the ten seconds after which a connection is tried out. */
    private static final Duration STOPPED = Duration.ofSeconds(9);

    private static final Duration UNTIL_THEN = Duration.ofSeconds(40);
    private static final int CONNECTIONS = 8;
    private static final int REQUESTS = 100;

    private static final String[] BELIEVING = {"--step-down=60000", "--patient"};
    private static final String[] UNWILLING = {"--witness"};

    @Test
    void aLeaderThatWasStoppedWhileAnotherTookOverAnswersNothingOfThePast() {
        try (Hosts hosts = Hosts.joined(3);
                Trio trio = Trio.of(Voters.prepare(hosts, 3), place -> place == 0 ? BELIEVING : UNWILLING)) {
            Trio.eventually(() -> Optional.of(trio.leader()).filter(leader -> leader == 0));
            trio.open("a", LONG, 0);
            assertThat(trio.tell(Direct.take("a", "ledger", 0), 0)).isInstanceOf(Reply.Granted.class);
            String address = trio.voter(0).address().toString();
            try (JavaChild asker = JavaChild.startUnder(hosts.on(0), Asker.class, address)) {
                asker.expect("renewed");
                hosts.cutOff(0);
                trio.voter(0).freeze();
                long stopped = System.nanoTime();

                succeed(trio, trio.others(0));
                asker.endInput();
                asker.expect("asked");
                Duration left = STOPPED.minusNanos(System.nanoTime() - stopped);
                Trio.pass(left.isNegative() ? Duration.ZERO : left);
                trio.voter(0).thaw();

                assertThat(asker.expect("answers of the past: ")).isEqualTo("0");
                assertThat(asker.expect("sent elsewhere: ")).isEqualTo(Integer.toString(CONNECTIONS * REQUESTS));
            }
        }
    }

    /** The session of the past is ended, and another has the role. */
    private static void succeed(Trio trio, int... others) {
        trio.open("b", LONG, others);
        Command end = new Command.Close(Direct.HERE, Direct.session("a"));
        assertThat(trio.tell(end, others)).isInstanceOf(Reply.Done.class);
        assertThat(trio.ask(Direct.held("a"), others)).isInstanceOf(Reply.Gone.class);
        Reply.Viewed seen = (Reply.Viewed) trio.ask(Direct.read("ledger"), others);
        Reply granted = trio.tell(Direct.take("b", "ledger", seen.view().version()), others);
        assertThat(((Reply.Granted) granted).grant().token().value()).isEqualTo(2);
    }

    /** Asks by connections that are there already, without giving up: all at once, when its input ends. */
    static final class Asker {

        private Asker() {}

        public static void main(String[] voter) throws IOException {
            List<Direct> lines = IntStream.range(0, CONNECTIONS)
                    .mapToObj(i -> new Direct(Address.parse(voter[0])))
                    .toList();
            for (Direct line : lines) {
                System.out.println(
                        line.told(Direct.renew("a"))
                                        .filter(Reply.Renewed.class::isInstance)
                                        .isPresent()
                                ? "renewed"
                                : "not");
            }
            System.in.readAllBytes();
            List<CompletableFuture<Answered>> asked = lines.stream()
                    .flatMap(line -> IntStream.range(0, REQUESTS)
                            .mapToObj(
                                    i -> line.ask(i % 2 == 0 ? Direct.renew("a") : Direct.read("ledger"), UNTIL_THEN)))
                    .toList();
            System.out.println("asked");
            List<Answered> answers = asked.stream()
                    .map(one -> one.exceptionally(fault -> new Answered.Told(new Reply.Unsupported(fault.toString())))
                            .join())
                    .toList();
            System.out.println("answers of the past: "
                    + answers.stream().filter(Asker::isOfThePast).count());
            System.out.println("sent elsewhere: "
                    + answers.stream()
                            .filter(Answered.Elsewhere.class::isInstance)
                            .count());
        }

        private static boolean isOfThePast(Answered answered) {
            return answered instanceof Answered.Told told
                    && (told.reply() instanceof Reply.Renewed
                            || (told.reply() instanceof Reply.Viewed viewed
                                    && viewed.view().lastToken() != 2));
        }
    }
}
