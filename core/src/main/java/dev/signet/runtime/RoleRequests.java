package dev.signet.runtime;

import dev.signet.Answer;
import dev.signet.store.SessionId;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.LongFunction;

/**
 * What the roles of a candidate ask its store: so many at once, and the others in the order in which they came. Else the requests of
 * ten thousand roles would all run out of time together, and be asked again together. What the session itself asks does not wait here.
 * Used on the event loop only.
 */
final class RoleRequests {

    static final int MOST_UNDER_WAY = 256;

    private final Asking asking;
    private final LongFunction<Optional<SessionId>> sessions;
    private final Queue<Runnable> waiting = new ArrayDeque<>();
    private int underWay;
    private boolean sending;

    /** @param sessions by epoch; empty once it is not the present one */
    RoleRequests(Asking asking, LongFunction<Optional<SessionId>> sessions) {
        this.asking = asking;
        this.sessions = sessions;
    }

    Duration timeout() {
        return asking.timeout();
    }

    /** The time-out begins when it is sent. If the session has ended by then, nothing is asked and nothing told. */
    <D, R> void ask(
            long epoch, Function<SessionId, CompletionStage<Answer<D, R>>> request, Consumer<Answer<D, R>> then) {
        waiting.add(() -> sessions.apply(epoch).ifPresent(session -> {
            underWay++;
            asking.ask(() -> request.apply(session), answer -> {
                underWay--;
                try {
                    then.accept(answer);
                } finally {
                    send();
                }
            });
        }));
        send();
    }

    private void send() {
        if (sending) {
            return;
        }
        sending = true;
        try {
            while (underWay < MOST_UNDER_WAY && !waiting.isEmpty()) {
                waiting.remove().run();
            }
        } finally {
            sending = false;
        }
    }
}
