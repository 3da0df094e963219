package dev.signet.app.control;

import dev.signet.Answer;
import dev.signet.store.Concluded;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** Somebody who came to ask for one thing, from his first byte to the answer. Used by the server's thread only. */
final class Visit {

    /** For the whole request; whoever sends one has it ready. */
    private static final Duration PATIENCE = Duration.ofSeconds(3);

    private final SocketChannel channel;
    private final ControlServer.Handler handler;
    private final Runnable wake;
    private final long began = System.nanoTime();
    private final ByteBuffer read = ByteBuffer.allocate(Message.LARGEST);
    private @Nullable CompletableFuture<Answer<Concluded, String>> answer;

    /** @param wake has {@link #serve} called again; from any thread */
    Visit(SocketChannel channel, ControlServer.Handler handler, Runnable wake) {
        this.channel = channel;
        this.handler = handler;
        this.wake = wake;
    }

    /**
     * Does what can be done without waiting.
     *
     * @return whether the visit goes on
     */
    boolean serve() {
        try {
            if (goOn()) {
                return true;
            }
        } catch (IOException e) {
            // gone: nobody is there to be told
        }
        close();
        return false;
    }

    private boolean goOn() throws IOException {
        CompletableFuture<Answer<Concluded, String>> asked = answer;
        if (asked != null) {
            return asked.isDone() ? end(asked.join()) : listen();
        }
        boolean there = listen();
        Optional<List<String>> request = Message.read(read);
        if (!there) {
            // also when the whole request is there: whoever gave up waiting must not be surprised by what comes of it
            return false;
        }
        if (request.isPresent()) {
            return take(request.get());
        }
        return read.hasRemaining() && System.nanoTime() - began < PATIENCE.toNanos();
    }

    /** @return whether the other is still there */
    private boolean listen() throws IOException {
        int count;
        do {
            count = channel.read(read);
        } while (count > 0);
        return count == 0;
    }

    private boolean take(List<String> lines) throws IOException {
        TransferRequest request;
        try {
            request = TransferRequest.of(lines);
        } catch (IllegalArgumentException e) {
            return end(Answer.refused(String.valueOf(e.getMessage())));
        }
        read.clear();
        channel.write(Message.of(List.of(Message.TAKEN)));
        answer = handler.transfer(request)
                .toCompletableFuture()
                .exceptionally(fault -> Answer.unknown(fault.toString()));
        var unused = answer.thenRun(wake);
        return true;
    }

    /** A line or two: a socket has room for them, whether or not anybody reads. */
    private boolean end(Answer<Concluded, String> outcome) throws IOException {
        channel.write(Message.of(Message.lines(outcome)));
        return false;
    }

    void close() {
        try {
            channel.close();
        } catch (IOException e) {
            // closed all the same
        }
    }
}
