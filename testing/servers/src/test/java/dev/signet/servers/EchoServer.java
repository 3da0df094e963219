package dev.signet.servers;

import java.io.IOException;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** Sends back every byte, and tells the test what it received. */
final class EchoServer implements AutoCloseable {

    static final int END = -1;
    static final int BROKEN = -2;

    private final ServerSocket listener;
    private final BlockingQueue<Socket> accepted = new LinkedBlockingQueue<>();
    private final BlockingQueue<Integer> received = new LinkedBlockingQueue<>();

    EchoServer() {
        listener = Ports.listen(50);
        Thread thread = new Thread(this::accept, "echo");
        thread.setDaemon(true);
        thread.start();
    }

    int port() {
        return listener.getLocalPort();
    }

    private void accept() {
        try {
            while (true) {
                Socket socket = listener.accept();
                accepted.add(socket);
                Thread thread = new Thread(() -> echo(socket), "echo of one");
                thread.setDaemon(true);
                thread.start();
            }
        } catch (IOException e) {
            accepted.clear();
        }
    }

    private void echo(Socket socket) {
        try (socket) {
            socket.setTcpNoDelay(true);
            for (int read = socket.getInputStream().read();
                    read >= 0;
                    read = socket.getInputStream().read()) {
                received.add(read);
                socket.getOutputStream().write(read);
            }
            received.add(END);
        } catch (IOException e) {
            received.add(BROKEN);
        }
    }

    /** The server's side of the next connection. */
    Socket connection() throws InterruptedException {
        return accepted.poll(10, TimeUnit.SECONDS);
    }

    /** The next byte, {@link #END} or {@link #BROKEN}; null if there is none so soon. */
    Integer received(long millis) throws InterruptedException {
        return received.poll(millis, TimeUnit.MILLISECONDS);
    }

    /** Returns when connections are refused. Idempotent. */
    @Override
    public void close() {
        if (!listener.isClosed()) {
            Ports.leave(listener);
        }
    }
}
