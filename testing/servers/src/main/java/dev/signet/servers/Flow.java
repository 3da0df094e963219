package dev.signet.servers;

import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;

/**
 * One way of one connection. What is read waits in a queue for its passage; so do the end of the stream and a reset, since a network
 * that loses everything loses them too. When the queue is full nothing more is read, and the sender's writes block in the end.
 */
final class Flow {

    private static final int LONGEST_QUEUE = 64;
    private static final int CHUNK_BYTES = 16_384;

    private enum Kind {
        BYTES,
        END,
        RESET
    }

    private record Chunk(Kind kind, ByteBuffer bytes, long setOutNanos) {}

    private final Weather weather;
    private final Weather.Way way;
    private final Socket from;
    private final Socket to;
    private final Runnable onEnd;
    private final Runnable onReset;
    private final BlockingQueue<Chunk> queue = new ArrayBlockingQueue<>(LONGEST_QUEUE);
    private final Thread reader;
    private final Thread writer;

    /**
     * @param onEnd runs when nothing more can arrive on this way
     * @param onReset runs when the news of a reset has arrived
     */
    Flow(Weather weather, Weather.Way way, Socket from, Socket to, Runnable onEnd, Runnable onReset) {
        this.weather = weather;
        this.way = way;
        this.from = from;
        this.to = to;
        this.onEnd = onEnd;
        this.onReset = onReset;
        this.reader = Proxy.thread(this::read, "reads " + way);
        this.writer = Proxy.thread(this::write, "writes " + way);
    }

    void start() {
        reader.start();
        writer.start();
    }

    void stop() {
        reader.interrupt();
        writer.interrupt();
    }

    private void read() {
        try {
            queue.put(new Chunk(readToTheEnd(), ByteBuffer.allocate(0), System.nanoTime()));
        } catch (InterruptedException e) {
            return; // stopped
        }
    }

    private Kind readToTheEnd() throws InterruptedException {
        byte[] buffer = new byte[CHUNK_BYTES];
        try {
            InputStream input = from.getInputStream();
            for (int read = input.read(buffer); read >= 0; read = input.read(buffer)) {
                queue.put(new Chunk(Kind.BYTES, ByteBuffer.wrap(Arrays.copyOf(buffer, read)), System.nanoTime()));
            }
            return Kind.END;
        } catch (IOException e) {
            return Kind.RESET;
        }
    }

    private void write() {
        try {
            while (true) {
                Chunk chunk = queue.take();
                weather.awaitPassage(way, chunk.setOutNanos());
                switch (chunk.kind()) {
                    case BYTES -> to.getOutputStream().write(chunk.bytes().array());
                    case END -> {
                        to.shutdownOutput();
                        onEnd.run();
                        return;
                    }
                    case RESET -> {
                        onReset.run();
                        return;
                    }
                }
            }
        } catch (IOException e) {
            // The receiver is gone. The sender hears of it on the other way, in the weather that is there.
            onEnd.run();
        } catch (InterruptedException e) {
            return; // stopped
        }
    }
}
