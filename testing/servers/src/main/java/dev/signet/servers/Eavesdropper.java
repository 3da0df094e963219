package dev.signet.servers;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.ServerSocket;
import java.net.Socket;

/** Somebody between clients and a server, on all addresses of this host, who passes on every byte and keeps a copy. */
public final class Eavesdropper implements AutoCloseable {

    private final ServerSocket listener;
    private final String host;
    private final int port;
    private final ByteArrayOutputStream copy = new ByteArrayOutputStream();

    private Eavesdropper(ServerSocket listener, String host, int port) {
        this.listener = listener;
        this.host = host;
        this.port = port;
    }

    public static Eavesdropper before(Server server) throws IOException {
        return before(server.host(), server.port());
    }

    public static Eavesdropper before(String host, int port) throws IOException {
        Eavesdropper between = new Eavesdropper(new ServerSocket(0), host, port);
        between.inBackground(between::accept);
        return between;
    }

    /** Where clients connect instead. */
    public int port() {
        return listener.getLocalPort();
    }

    /** All that passed so far, both ways. */
    public byte[] heard() {
        synchronized (copy) {
            return copy.toByteArray();
        }
    }

    private interface Work {
        void run() throws IOException;
    }

    private void inBackground(Work work) {
        Thread thread = new Thread(
                () -> {
                    try {
                        work.run();
                    } catch (IOException e) {
                        return; // one of the two has closed
                    }
                },
                "eavesdropper");
        thread.setDaemon(true);
        thread.start();
    }

    private void accept() throws IOException {
        while (true) {
            Socket client = listener.accept();
            Socket onwards = new Socket(host, port);
            inBackground(() -> pass(client, onwards));
            inBackground(() -> pass(onwards, client));
        }
    }

    private void pass(Socket from, Socket to) throws IOException {
        try (from;
                to) {
            InputStream in = from.getInputStream();
            OutputStream out = to.getOutputStream();
            byte[] buffer = new byte[8_192];
            for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
                synchronized (copy) {
                    copy.write(buffer, 0, read);
                }
                out.write(buffer, 0, read);
                out.flush();
            }
        }
    }

    @Override
    public void close() throws IOException {
        listener.close();
    }
}
