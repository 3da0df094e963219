package dev.signet.benchmarks.resource;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** One process at a {@link SharedResource}. Thread-safe; each call is a round trip. */
public final class ResourceClient implements AutoCloseable {

    /** The token of those who have none. */
    public static final long UNFENCED = 0;

    private static final long BETWEEN_WRITES_NANOS = 500_000;

    private final Socket socket;
    private final DataInputStream in;
    private final DataOutputStream out;

    public ResourceClient(int port) {
        try {
            socket = new Socket(InetAddress.getLoopbackAddress(), port);
            socket.setTcpNoDelay(true);
            in = new DataInputStream(socket.getInputStream());
            out = new DataOutputStream(socket.getOutputStream());
            out.writeLong(ProcessHandle.current().pid());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** @return whether it was committed */
    public boolean write(long token) {
        return ask(SharedResource.WRITE, token);
    }

    /** @return whether the resource is sealed with this token and no higher one */
    public boolean seal(long token) {
        return ask(SharedResource.SEAL, token);
    }

    /** One write after the other, with half a millisecond between them, until one is refused. */
    public void writeWhile(BooleanSupplier mayGoOn, long token) {
        while (mayGoOn.getAsBoolean() && write(token)) {
            LockSupport.parkNanos(BETWEEN_WRITES_NANOS);
        }
    }

    private synchronized boolean ask(byte what, long token) {
        byte[] request =
                ByteBuffer.allocate(1 + Long.BYTES).put(what).putLong(token).array();
        try {
            out.write(request);
            return in.readBoolean();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
