package dev.signet.app.control;

import dev.signet.Answer;
import dev.signet.CandidateId;
import dev.signet.store.Concluded;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** Asks one candidate one thing. */
public final class ControlClient implements AutoCloseable {

    /** Within which a process that runs says that it has taken a request on. */
    public static final Duration PATIENCE = Duration.ofSeconds(5);

    private final SocketChannel channel;
    private final ByteBuffer read = ByteBuffer.allocate(Message.LARGEST);

    private ControlClient(SocketChannel channel) {
        this.channel = channel;
    }

    /**
     * Finds the candidate's socket.
     *
     * @return empty if nobody listens for it in these places
     * @throws IOException if one of them is not this user's alone
     */
    public static Optional<ControlClient> find(List<ControlPlace> places, CandidateId candidate) throws IOException {
        for (ControlPlace place : places) {
            Optional<ControlClient> found = Files.exists(place.folder()) ? connect(place, candidate) : Optional.empty();
            if (found.isPresent()) {
                return found;
            }
        }
        return Optional.empty();
    }

    private static Optional<ControlClient> connect(ControlPlace place, CandidateId candidate) throws IOException {
        place.requireOurs();
        Path socket = place.socketOf(candidate);
        if (!Files.exists(socket)) {
            return Optional.empty();
        }
        SocketChannel channel = SocketChannel.open(StandardProtocolFamily.UNIX);
        try {
            // at once or not at all: nobody is waited for
            channel.configureBlocking(false);
            channel.connect(UnixDomainSocketAddress.of(socket));
            return Optional.of(new ControlClient(channel));
        } catch (IOException e) {
            channel.close();
            return Optional.empty();
        }
    }

    /**
     * Blocks until there is an answer, or {@code bound} and a few seconds have passed. Whatever is lost on the way is unknown.
     *
     * @param bound for the answer, from when the request was taken on
     */
    public Answer<Concluded, String> ask(TransferRequest request, Duration bound) {
        try (Selector selector = Selector.open()) {
            channel.register(selector, SelectionKey.OP_READ);
            channel.write(Message.of(request.lines()));
            Optional<List<String>> first = next(selector, PATIENCE);
            if (first.isEmpty()) {
                return Answer.unknown("it did not answer within " + PATIENCE.toSeconds() + " s");
            }
            if (!first.get().equals(List.of(Message.TAKEN))) {
                return Message.answer(first.get());
            }
            return next(selector, bound)
                    .map(Message::answer)
                    .orElseGet(() -> Answer.unknown(
                            "it took the request on, and did not answer within " + bound.toMillis() / 1000.0 + " s"));
        } catch (IOException e) {
            return Answer.unknown("its answer was lost: " + e.getMessage());
        }
    }

    /** @return empty if that took too long */
    private Optional<List<String>> next(Selector selector, Duration bound) throws IOException {
        long end = System.nanoTime() + bound.toNanos();
        while (true) {
            Optional<List<String>> message = Message.read(read);
            if (message.isPresent()) {
                forget(message.get());
                return message;
            }
            long left = (end - System.nanoTime()) / 1_000_000;
            if (left <= 0) {
                return Optional.empty();
            }
            selector.select(left);
            selector.selectedKeys().clear();
            if (channel.read(read) < 0) {
                throw new IOException("it ended");
            }
        }
    }

    private void forget(List<String> message) {
        int length = Message.of(message).remaining();
        read.flip().position(length);
        read.compact();
    }

    @Override
    public void close() {
        try {
            channel.close();
        } catch (IOException e) {
            // closed all the same
        }
    }
}
