package dev.signet.servers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What all servers have in common, on one that starts at once. */
@Tag("process")
class ServerTest {

    @Test
    void aServerThatEndsBeforeItAnswersFailsWithItsLogAndLeavesNothing() {
        List<Path> folders = new ArrayList<>();
        WebServer broken = new WebServer() {
            @Override
            List<String> command() {
                folders.add(folder);
                return List.of("sh", "-c", "echo I would rather not; exit 3");
            }
        };

        assertThatThrownBy(broken::start)
                .isInstanceOf(ServerException.class)
                .hasMessageContaining("web ended with 3")
                .hasMessageContaining("I would rather not");
        assertThat(folders)
                .singleElement()
                .satisfies(folder -> assertThat(folder).doesNotExist());
    }

    @Test
    void aServerThatLosesItsPortTakesAnother() throws IOException {
        List<ServerSocket> quicker = new ArrayList<>();
        try (WebServer server = WebServer.started(new WebServer() {
            @Override
            List<String> command() {
                if (quicker.isEmpty()) {
                    try {
                        quicker.add(new ServerSocket(port(), 1, InetAddress.getLoopbackAddress()));
                    } catch (IOException e) {
                        throw new UncheckedIOException(e);
                    }
                }
                return super.command();
            }

            @Override
            void ask() throws IOException, InterruptedException {
                if (port() == quicker.get(0).getLocalPort()) {
                    throw new IOException("this one never answers");
                }
                super.ask();
            }
        })) {
            assertThat(server.port()).isNotEqualTo(quicker.get(0).getLocalPort());
            assertThat(server.isRunning()).isTrue();
        } finally {
            quicker.get(0).close();
        }
    }

    @Test
    void aServerThatDoesNotEndInGoodOrderIsKilled() {
        WebServer stubborn = new WebServer() {
            @Override
            List<String> command() {
                List<String> command = new ArrayList<>(List.of("sh", "-c", "trap '' TERM; \"$@\"; sleep 60", "sh"));
                command.addAll(super.command());
                return command;
            }

            @Override
            Duration longestStop() {
                return Duration.ofMillis(300);
            }
        };
        try (WebServer server = WebServer.started(stubborn)) {
            server.stop();

            assertThat(server.isRunning()).isFalse();
            assertThatThrownBy(server::ask).isInstanceOf(IOException.class);
            server.restart();
            assertThat(server.isRunning()).isTrue();
        }
    }

    @Test
    void portsDifferAndAreNotThoseThatClientsGet() {
        assertThat(IntStream.of(Ports.free(20)).boxed()).doesNotHaveDuplicates().allMatch(port -> port < 32_768);
    }

    @Test
    void aMissingProgramFailsAndNamesItsPackage() {
        assertThatThrownBy(() -> Programs.find("no-such-daemon", "no-such-package", List.of()))
                .isInstanceOf(ServerException.class)
                .hasMessageContaining("'no-such-daemon' is missing")
                .hasMessageContaining("apt-get install no-such-package");
    }

    @Test
    void aClosedServerRefusesEverything() {
        WebServer server = WebServer.started(new WebServer());
        server.close();

        assertThatThrownBy(server::restart)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("is closed");
    }
}
