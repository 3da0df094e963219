package dev.signet.app.control;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.signet.Answer;
import dev.signet.CandidateId;
import dev.signet.FencingToken;
import dev.signet.Role;
import dev.signet.store.Concluded;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Both ends of a socket, in one process. */
@Timeout(60)
class ControlTest {

    private static final Duration BOUND = Duration.ofSeconds(30);
    private static final CandidateId ADA = new CandidateId("ada 'of' Lovelace/\u00e4", "1");
    private static final TransferRequest REQUEST = new TransferRequest(
            Role.of("nightly / 'n\u00e4chtlich'"),
            FencingToken.of(7),
            new CandidateId("bob~by", "3f"),
            Duration.ofMillis(4_500));

    @TempDir
    private Path folder;

    private ControlPlace place;
    private final BlockingQueue<TransferRequest> heard = new LinkedBlockingQueue<>();
    private final CompletableFuture<Answer<Concluded, String>> answer = new CompletableFuture<>();
    private ControlServer server;

    @BeforeEach
    void open() throws IOException {
        place = new ControlPlace(folder.resolve("signet"));
        server = listen(request -> {
            heard.add(request);
            return answer;
        });
    }

    @AfterEach
    void close() {
        server.close();
    }

    private ControlServer listen(ControlServer.Handler handler) throws IOException {
        return ControlServer.open(place, ADA, handler, line -> {});
    }

    private Answer<Concluded, String> ask(Duration bound) throws IOException {
        try (ControlClient client = ControlClient.find(List.of(place), ADA).orElseThrow()) {
            return client.ask(REQUEST, bound);
        }
    }

    private SocketChannel visit() throws IOException {
        SocketChannel channel = SocketChannel.open(StandardProtocolFamily.UNIX);
        channel.connect(UnixDomainSocketAddress.of(place.socketOf(ADA)));
        return channel;
    }

    @Test
    void whatIsAskedIsHeardAndWhatIsAnsweredIsTold() throws IOException {
        List<Answer<Concluded, String>> answers = List.of(
                Answer.done(Concluded.CONCLUDED),
                Answer.refused("it does not lead"),
                Answer.unknown("the store is away"));
        for (Answer<Concluded, String> each : answers) {
            server.close();
            server = listen(request -> {
                heard.add(request);
                return CompletableFuture.completedFuture(each);
            });
            assertThat(ask(BOUND)).isEqualTo(each);
            assertThat(heard.remove()).isEqualTo(REQUEST);
        }
    }

    @Test
    void anAnswerThatIsLostOrLateIsUnknown() throws IOException {
        assertThat(ask(Duration.ofMillis(100)))
                .isEqualTo(Answer.unknown("it took the request on, and did not answer within 0.1 s"));

        CompletableFuture<Answer<Concluded, String>> asked = CompletableFuture.supplyAsync(() -> {
            try {
                return ask(BOUND);
            } catch (IOException e) {
                throw new IllegalStateException(e);
            }
        });
        take();
        take();
        server.close();
        assertThat(asked.join()).isEqualTo(Answer.unknown("its answer was lost: it ended"));
    }

    private TransferRequest take() {
        try {
            return heard.take();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Whoever gave up waiting must not be surprised by what comes of a request. */
    @Test
    void whatSomebodyAskedWhoIsGoneIsNotCarriedOut() throws IOException, InterruptedException {
        server.close();
        CountDownLatch stopped = new CountDownLatch(1);
        CountDownLatch goesOn = new CountDownLatch(1);
        server = listen(request -> {
            heard.add(request);
            stopped.countDown();
            try {
                goesOn.await();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
            return CompletableFuture.completedFuture(Answer.refused("by the first"));
        });
        try (SocketChannel first = visit()) {
            first.write(Message.of(REQUEST.lines()));
            stopped.await();
            try (SocketChannel impatient = visit()) {
                impatient.write(Message.of(REQUEST.lines()));
            }
            goesOn.countDown();
            assertThat(ask(BOUND)).isEqualTo(Answer.refused("by the first"));
        }

        assertThat(heard).as("the first and the last").hasSize(2);
    }

    @Test
    @Tag("process")
    void whoeverSaysNothingHoldsNobodyUpAndIsShownOut() throws IOException {
        answer.complete(Answer.done(Concluded.CONCLUDED));
        List<SocketChannel> silent = new ArrayList<>();
        try {
            silent.add(visit());
            assertThat(ask(BOUND)).isInstanceOf(Answer.Done.class);
            for (int more = 0; more < 14; more++) {
                silent.add(visit());
            }
            assertThat(ask(BOUND)).as("beside fifteen").isInstanceOf(Answer.Done.class);
            for (SocketChannel channel : silent) {
                assertThat(channel.read(ByteBuffer.allocate(1))).isNegative();
            }
        } finally {
            for (SocketChannel channel : silent) {
                channel.close();
            }
        }
    }

    @Test
    void whatIsNoRequestIsRefusedAndWhatIsTooLongIsShownOut() throws IOException {
        for (String text : List.of("signet control 2\n\n", "GET / HTTP/1.1\n\n", "signet control 1\nresign\nx\n\n")) {
            assertThat(said(text)).startsWith("refused\nit does not ");
        }
        assertThat(said("signet control 1\ntransfer\nx\nmany\nb~1\n1\n\n")).startsWith("refused\n");
        assertThat(said("x".repeat(Message.LARGEST))).isEmpty();
        assertThat(heard).isEmpty();
    }

    private String said(String text) throws IOException {
        try (SocketChannel channel = visit()) {
            channel.write(ByteBuffer.wrap(text.getBytes(java.nio.charset.StandardCharsets.UTF_8)));
            ByteBuffer read = ByteBuffer.allocate(Message.LARGEST);
            while (channel.read(read) >= 0) {
                // until it ends
            }
            return new String(read.array(), 0, read.position(), java.nio.charset.StandardCharsets.UTF_8);
        }
    }

    @Test
    void theSocketGoesWithItsServerAndThoseOfTheDeadAreSweptAway() throws IOException {
        Path socket = place.socketOf(ADA);
        assertThat(socket).exists();
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(place.folder())))
                .isEqualTo("rwx------");
        Path dead = place.socketOf(new CandidateId("dead", "1"));
        ServerSocketChannel.open(StandardProtocolFamily.UNIX)
                .bind(UnixDomainSocketAddress.of(dead))
                .close();
        assertThat(dead).exists();
        assertThat(ControlClient.find(List.of(place), new CandidateId("dead", "1")))
                .isEmpty();

        Sweep.of(place.folder());

        assertThat(dead).doesNotExist();
        assertThat(socket).exists();
        server.close();
        assertThat(socket).doesNotExist();
        assertThat(ControlClient.find(List.of(place), ADA)).isEmpty();
    }

    @Test
    void aFolderThatOthersMayEnterOrThatIsNoneIsRefusedByBoth() throws IOException {
        for (String rights : List.of("rwxr-x---", "rwx-----x", "rwx---r--")) {
            Files.setPosixFilePermissions(place.folder(), PosixFilePermissions.fromString(rights));
            assertRefused(place, "others may enter the folder");
        }
        Files.setPosixFilePermissions(place.folder(), PosixFilePermissions.fromString("rwx------"));
        assertRefused(
                new ControlPlace(Files.createSymbolicLink(folder.resolve("link"), place.folder())), "is no folder");
        assertRefused(new ControlPlace(Files.createFile(folder.resolve("file"))), "is no folder");
    }

    private static void assertRefused(ControlPlace place, String why) {
        assertThatThrownBy(() -> ControlServer.open(place, ADA, request -> new CompletableFuture<>(), line -> {}))
                .isInstanceOf(IOException.class)
                .hasMessageContaining(why);
        assertThatThrownBy(() -> ControlClient.find(List.of(place), ADA))
                .isInstanceOf(IOException.class)
                .hasMessageContaining(why);
    }

    @Test
    void aPathThatIsTooLongIsSaidToBe() throws IOException {
        Path deep = Files.createDirectory(folder.resolve("x".repeat(80)));
        assertThatThrownBy(() -> new ControlPlace(deep).socketOf(ADA))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("a socket's 103 at most");
    }
}
