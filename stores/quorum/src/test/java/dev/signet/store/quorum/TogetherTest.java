package dev.signet.store.quorum;

import static org.assertj.core.api.Assertions.assertThat;

import dev.signet.StoreId;
import dev.signet.store.NotGranted;
import dev.signet.store.quorum.state.Command;
import dev.signet.store.quorum.state.Reply;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Changes that candidates ask for in one question. */
@Tag("process")
class TogetherTest {

    private static final Duration LONG = Duration.ofMinutes(10);

    @Test
    void eachIsDoneOrRefusedForItself() {
        try (Voters voters = Voters.start(1);
                Direct line = new Direct(voters.get(0).address())) {
            Command.Batch together = new Command.Batch(List.of(
                    Direct.open("ada", LONG),
                    Direct.take("ada", "nightly", 0),
                    new Command.Found(StoreId.random()),
                    Direct.take("bob", "nightly", 0)));

            Reply reply = Trio.eventually(() -> line.told(together));

            assertThat(reply).isInstanceOfSatisfying(Reply.Batched.class, all -> {
                assertThat(all.replies()).hasSize(4);
                assertThat(all.replies().get(0)).isInstanceOf(Reply.Opened.class);
                assertThat(all.replies().get(1)).isInstanceOf(Reply.Granted.class);
                assertThat(all.replies().get(2)).isInstanceOf(Reply.Unsupported.class);
                assertThat(all.replies().get(3))
                        .isInstanceOfSatisfying(
                                Reply.Denied.class,
                                denied -> assertThat(denied.why().reason()).isEqualTo(NotGranted.Reason.SESSION_GONE));
            });
        }
    }
}
