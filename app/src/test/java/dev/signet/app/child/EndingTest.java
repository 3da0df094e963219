package dev.signet.app.child;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class EndingTest {
    @Test
    void processThatCannotBeKilledIsNamedAtTheEnd() throws Exception {
        Process process = new ProcessBuilder("true").start();
        Unkillable stuck = new Unkillable();
        Ending ending =
                Ending.of(process, new ProcessTree(stuck), Optional.empty(), Duration.ZERO, Duration.ofMillis(500));
        ChildEnd end = ending.ended().get(10, TimeUnit.SECONDS);
        assertThat(end).isEqualTo(new ChildEnd(0, ChildEnd.By.ITSELF, List.of(stuck.pid())));
        assertThat(stuck.kills.get()).as("tried again").isGreaterThan(1);
    }

    @Test
    void closingTwiceAndAfterTheEndIsFine() throws Exception {
        Process process = new ProcessBuilder("sleep", "100").start();
        Ending ending = Ending.of(process, new ProcessTree(process.toHandle()), Optional.empty(), Duration.ZERO);
        ending.close();
        assertThat(process.isAlive()).isFalse();
        assertThat(ending.ended().join()).isEqualTo(new ChildEnd(137, ChildEnd.By.SIGNET, List.of()));
        ending.close();
        ending.terminate(Duration.ZERO);
        ending.kill(ChildEnd.By.SIGNET);
        assertThat(ending.ended().join().by()).isEqualTo(ChildEnd.By.SIGNET);
    }

    /** Lives for ever, as a process in an uninterruptible sleep does. */
    private static final class Unkillable implements ProcessHandle {
        private final AtomicInteger kills = new AtomicInteger();

        @Override
        public long pid() {
            return 4711;
        }

        @Override
        public Optional<ProcessHandle> parent() {
            return Optional.empty();
        }

        @Override
        public Stream<ProcessHandle> children() {
            return Stream.of();
        }

        @Override
        public Stream<ProcessHandle> descendants() {
            return Stream.of();
        }

        @Override
        public Info info() {
            throw new UnsupportedOperationException();
        }

        @Override
        public CompletableFuture<ProcessHandle> onExit() {
            return new CompletableFuture<>();
        }

        @Override
        public boolean supportsNormalTermination() {
            return true;
        }

        @Override
        public boolean destroy() {
            return true;
        }

        @Override
        public boolean destroyForcibly() {
            kills.incrementAndGet();
            return true;
        }

        @Override
        public boolean isAlive() {
            return true;
        }

        @Override
        public int compareTo(ProcessHandle other) {
            return Long.compare(pid(), other.pid());
        }
    }
}
