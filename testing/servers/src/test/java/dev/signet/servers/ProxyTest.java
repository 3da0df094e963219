package dev.signet.servers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.ConnectException;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("process")
class ProxyTest {

    private static final int SOON = 300;
    private static final int IN_THE_END = 20_000;

    private EchoServer server;
    private Proxy proxy;
    private Socket client;

    @BeforeEach
    void connect() throws Exception {
        server = new EchoServer();
        proxy = Proxy.to("127.0.0.1", server.port());
        client = newClient();
        assertThat(echoOf(client, 1)).isEqualTo(1);
        assertThat(server.received(IN_THE_END)).isEqualTo(1);
    }

    @AfterEach
    void close() throws IOException {
        client.close();
        proxy.close();
        server.close();
    }

    private Socket newClient() throws IOException {
        Socket socket = new Socket(proxy.host(), proxy.port());
        socket.setTcpNoDelay(true);
        return socket;
    }

    private static int echoOf(Socket socket, int value) throws IOException {
        socket.getOutputStream().write(value);
        return next(socket, IN_THE_END);
    }

    private static int next(Socket socket, int millis) throws IOException {
        socket.setSoTimeout(millis);
        return socket.getInputStream().read();
    }

    private static void hearsNothing(Socket socket) {
        assertThatThrownBy(() -> next(socket, SOON)).isInstanceOf(SocketTimeoutException.class);
    }

    @Test
    void theEndOfAStreamPassesAndWhatWasOnItsWayArrivesBefore() throws IOException {
        client.getOutputStream().write(new byte[] {2, 3});
        client.shutdownOutput();

        assertThat(next(client, IN_THE_END)).isEqualTo(2);
        assertThat(next(client, IN_THE_END)).isEqualTo(3);
        assertThat(next(client, IN_THE_END)).isEqualTo(EchoServer.END);
    }

    @Test
    void aDelayHoldsEachWayAndDoesNotAddUp() throws IOException, InterruptedException {
        Duration delay = Duration.ofMillis(400);
        proxy.delay(delay);

        long begun = System.nanoTime();
        for (int value = 0; value < 20; value++) {
            client.getOutputStream().write(value);
            Thread.sleep(10); // so that each travels by itself
        }
        for (int value = 0; value < 20; value++) {
            assertThat(next(client, IN_THE_END)).isEqualTo(value);
            assertThat(Duration.ofNanos(System.nanoTime() - begun)).isGreaterThan(delay.multipliedBy(2));
        }
        assertThat(Duration.ofNanos(System.nanoTime() - begun)).isLessThan(delay.multipliedBy(10));
    }

    @Test
    void cutMeansResetForThoseThereAreAndRefusedForNewOnes() throws Exception {
        proxy.cut();

        assertThatThrownBy(() -> next(client, IN_THE_END))
                .isInstanceOf(SocketException.class)
                .hasMessageContaining("reset");
        assertThat(server.received(IN_THE_END)).isEqualTo(EchoServer.BROKEN);
        assertThatThrownBy(this::newClient).isInstanceOf(ConnectException.class);

        proxy.heal();
        try (Socket later = newClient()) {
            assertThat(echoOf(later, 2)).isEqualTo(2);
        }
    }

    @Test
    void inABlackHoleConnectionsStayAndWhatWasSentArrivesAfterHealing() throws Exception {
        proxy.blackHole();
        client.getOutputStream().write(2);

        hearsNothing(client);
        assertThat(server.received(0)).isNull();
        proxy.heal();
        assertThat(next(client, IN_THE_END)).isEqualTo(2);
    }

    @Test
    void ofANewConnectionInABlackHoleTheServerHearsAfterHealing() throws Exception {
        server.connection();
        proxy.blackHole();
        try (Socket later = newClient()) {
            later.getOutputStream().write(2);
            hearsNothing(later);
            assertThat(server.received(0)).isNull();

            proxy.heal();
            assertThat(next(later, IN_THE_END)).isEqualTo(2);
        }
    }

    @Test
    void withABlackHoleToTheServerOnlyClientsStillHear() throws Exception {
        proxy.blackHoleToServer();
        client.getOutputStream().write(2);
        server.connection().getOutputStream().write(77);

        assertThat(next(client, IN_THE_END)).isEqualTo(77);
        assertThat(server.received(SOON)).isNull();
        proxy.heal();
        assertThat(next(client, IN_THE_END)).isEqualTo(2);
    }

    @Test
    void withABlackHoleToTheClientOnlyTheServerStillHears() throws Exception {
        proxy.blackHoleToClient();
        client.getOutputStream().write(2);

        assertThat(server.received(IN_THE_END)).isEqualTo(2);
        hearsNothing(client);
        proxy.heal();
        assertThat(next(client, IN_THE_END)).isEqualTo(2);
    }

    @Test
    void aBlackHoleSwallowsTheEndOfAConnectionToo() throws Exception {
        proxy.blackHoleToServer();
        client.setSoLinger(true, 0);
        client.close();

        assertThat(server.received(SOON)).isNull();
        proxy.heal();
        assertThat(server.received(IN_THE_END)).isEqualTo(EchoServer.BROKEN);
    }

    /** The server's kernel answers with a reset what arrives for a connection that is closed there. */
    @Test
    void aClientInABlackHoleDoesNotHearThatTheServerIsGone() throws Exception {
        proxy.blackHoleToClient();
        server.connection().close();
        client.getOutputStream().write(2);
        hearsNothing(client);
        client.getOutputStream().write(3);
        hearsNothing(client);

        proxy.heal();
        assertThatThrownBy(() -> {
                    if (next(client, IN_THE_END) < 0) {
                        throw new SocketException("end");
                    }
                })
                .isInstanceOf(SocketException.class);
    }

    @Test
    void whoeverSendsIntoABlackHoleIsHeldUpInTheEnd() throws Exception {
        proxy.blackHole();
        CompletableFuture<Void> sending = CompletableFuture.runAsync(() -> {
            try {
                client.getOutputStream().write(new byte[50_000_000]);
            } catch (IOException e) {
                throw new IllegalStateException(e);
            }
        });

        Thread.sleep(1_000);
        assertThat(sending).isNotDone();
        proxy.cut();
        assertThatThrownBy(sending::join).hasRootCauseInstanceOf(SocketException.class);
    }

    @Test
    void aServerThatIsDownLooksLikeAReset() throws Exception {
        server.close();
        try (Socket later = newClient()) {
            assertThatThrownBy(() -> next(later, IN_THE_END)).isInstanceOf(SocketException.class);
        }
    }

    @Test
    void closedItTakesItsThreadsAndConnectionsAlong() throws Exception {
        proxy.blackHole();
        proxy.close();
        proxy.close();

        assertThatThrownBy(() -> next(client, IN_THE_END)).isInstanceOf(SocketException.class);
        assertThatThrownBy(this::newClient).isInstanceOf(ConnectException.class);
        assertThatThrownBy(proxy::heal).isInstanceOf(IllegalStateException.class);
        long begun = System.nanoTime();
        while (Thread.getAllStackTraces().keySet().stream()
                .anyMatch(thread -> thread.getName().startsWith("proxy "))) {
            assertThat(Duration.ofNanos(System.nanoTime() - begun)).isLessThan(Duration.ofSeconds(10));
            Thread.sleep(20);
        }
    }

    @Test
    void beforePostgresItDeservesItsName() throws SQLException {
        PostgresServer postgres = Servers.postgres();
        String database = "proxy_test";
        postgres.createDatabase(database);
        try (Proxy network = Proxy.to(postgres)) {
            String url = postgres.jdbcUrl(database, network) + "&socketTimeout=1";
            try (Connection connection = DriverManager.getConnection(url)) {
                connection.createStatement().execute("CREATE TABLE written (n INT)");
                network.blackHoleToClient();
                assertThatThrownBy(() -> connection.createStatement().execute("INSERT INTO written VALUES (1)"))
                        .isInstanceOf(SQLException.class)
                        .hasRootCauseInstanceOf(SocketTimeoutException.class);
            }
            network.heal();
            try (Connection connection = DriverManager.getConnection(url)) {
                assertThat(ServerContract.select(connection, "SELECT COUNT(*) FROM written"))
                        .as("the outcome was unknown to the client")
                        .isEqualTo(1);
            }
        }
    }
}
