package dev.signet.app.control;

import dev.signet.Answer;
import dev.signet.CandidateId;
import dev.signet.store.Concluded;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;

/**
 * Listens for one candidate. One thread serves all who come and waits for none of them: who says nothing is shown out after a while, and
 * beyond a few at once the next ones wait outside.
 */
public final class ControlServer implements AutoCloseable {

    /** Who hands a role over. Called by the one thread of the server: must not block. */
    public interface Handler {
        CompletionStage<Answer<Concluded, String>> transfer(TransferRequest request);
    }

    private static final int MOST_VISITS = 16;
    private static final long LOOK_MILLIS = 500;
    private static final long LAST_WORD_MILLIS = 1_000;

    private final Path socket;
    private final ServerSocketChannel door;
    private final Selector selector;
    private final SelectionKey doorKey;
    private final Handler handler;
    private final Consumer<String> say;
    private final Thread thread;
    private final List<Visit> visits = new ArrayList<>();
    private volatile boolean closing;

    private ControlServer(Path socket, ServerSocketChannel door, Handler handler, Consumer<String> say)
            throws IOException {
        this.socket = socket;
        this.door = door;
        this.handler = handler;
        this.say = say;
        selector = Selector.open();
        door.configureBlocking(false);
        doorKey = door.register(selector, SelectionKey.OP_ACCEPT);
        thread = new Thread(this::serve, "signet-control");
        thread.setDaemon(true);
    }

    /**
     * @param say hears if it has to stop serving
     * @throws IOException if it cannot listen there, saying why
     */
    public static ControlServer open(ControlPlace place, CandidateId candidate, Handler handler, Consumer<String> say)
            throws IOException {
        place.make();
        Sweep.of(place.folder());
        Path socket = place.socketOf(candidate);
        // bound under another name first: between its being there and its listening a sweep would take it for a dead
        // one
        Path fresh = socket.resolveSibling(socket.getFileName().toString().replace(ControlPlace.SUFFIX, ".new"));
        ServerSocketChannel door = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
        try {
            door.bind(UnixDomainSocketAddress.of(fresh), MOST_VISITS);
            Files.move(fresh, socket);
            ControlServer server = new ControlServer(socket, door, handler, say);
            server.thread.start();
            return server;
        } catch (IOException e) {
            door.close();
            Files.deleteIfExists(fresh);
            throw e;
        }
    }

    private void serve() {
        try {
            while (!closing) {
                doorKey.interestOps(visits.size() < MOST_VISITS ? SelectionKey.OP_ACCEPT : 0);
                selector.select(LOOK_MILLIS);
                selector.selectedKeys().clear();
                admit();
                visits.removeIf(visit -> !visit.serve());
            }
            visits.removeIf(visit -> !visit.serve());
        } catch (IOException | RuntimeException e) {
            say.accept("can be asked for nothing any more, since its control socket failed: " + e);
        } finally {
            leave();
        }
    }

    private void admit() throws IOException {
        while (visits.size() < MOST_VISITS) {
            SocketChannel channel = door.accept();
            if (channel == null) {
                return;
            }
            try {
                channel.configureBlocking(false);
                channel.register(selector, SelectionKey.OP_READ);
                visits.add(new Visit(channel, handler, selector::wakeup));
            } catch (ClosedChannelException e) {
                channel.close();
            }
        }
    }

    private void leave() {
        visits.forEach(Visit::close);
        try (selector;
                door) {
            Files.deleteIfExists(socket);
        } catch (IOException e) {
            // whoever comes next finds that nobody listens there, and sweeps it away
        }
    }

    /** Removes the socket. Who still waits for an answer learns that it is lost. Idempotent; takes a second at most. */
    @Override
    public void close() {
        closing = true;
        selector.wakeup();
        try {
            thread.join(LAST_WORD_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
