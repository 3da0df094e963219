package dev.signet.app.control;

import java.io.IOException;
import java.net.ConnectException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.SocketChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;

/** Removes the sockets at which nobody listens any more: whoever is killed leaves its own behind. */
final class Sweep {

    /** Per sweep: it is done by whoever starts, who has better to do. */
    private static final int MOST = 100;

    private Sweep() {}

    /** What cannot be removed stays, and does no harm. */
    static void of(Path folder) {
        int looked = 0;
        try (DirectoryStream<Path> sockets = Files.newDirectoryStream(folder, "*" + ControlPlace.SUFFIX)) {
            for (Path socket : sockets) {
                if (looked++ >= MOST) {
                    return;
                }
                if (isDead(socket)) {
                    Files.deleteIfExists(socket);
                }
            }
        } catch (IOException e) {
            // as above
        }
    }

    /** Only a refusal says so: whoever is stopped, or has many to serve, is there. */
    private static boolean isDead(Path socket) {
        try (SocketChannel channel = SocketChannel.open(StandardProtocolFamily.UNIX)) {
            channel.configureBlocking(false);
            channel.connect(UnixDomainSocketAddress.of(socket));
            return false;
        } catch (ConnectException e) {
            return true;
        } catch (IOException e) {
            return false;
        }
    }
}
