package dev.signet.servers;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("process")
class EtcdServerTest {

    private static String post(EtcdServer server, String path, String body) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(URI.create(server.endpoint() + path))
                .timeout(Duration.ofSeconds(10))
                .POST(HttpRequest.BodyPublishers.ofString(body))
                .build();
        return HttpClient.newHttpClient().send(request, BodyHandlers.ofString()).body();
    }

    private static String base64(String text) {
        return Base64.getEncoder().encodeToString(text.getBytes(UTF_8));
    }

    private static void put(EtcdServer server, String key, String value) throws IOException, InterruptedException {
        assertThat(post(
                        server,
                        "/v3/kv/put",
                        "{\"key\":\"%s\",\"value\":\"%s\"}".formatted(base64(key), base64(value))))
                .contains("revision");
    }

    private static void assertHas(EtcdServer server, String key, String value)
            throws IOException, InterruptedException {
        assertThat(post(server, "/v3/kv/range", "{\"key\":\"%s\"}".formatted(base64(key))))
                .contains(base64(value));
    }

    @Test
    void killedAndRestartedItHasWhatWasWritten() throws Exception {
        try (EtcdServer server = EtcdServer.alone()) {
            put(server, "kept", "yes");
            server.kill();
            assertThatThrownBy(() -> put(server, "lost", "yes")).isInstanceOf(IOException.class);

            server.restart();

            assertHas(server, "kept", "yes");
        }
    }

    @Test
    void itForcesItsWritesToTheDiskIfItIsToldTo() throws Exception {
        try (EtcdServer quick = EtcdServer.alone();
                EtcdServer careful = EtcdServer.alone(EtcdOptions.defaults().forcingWrites())) {
            put(careful, "kept", "yes");

            assertThat(commandLine(quick)).contains("--unsafe-no-fsync");
            assertThat(commandLine(careful)).contains("--data-dir").doesNotContain("--unsafe-no-fsync");
        }
    }

    private static String commandLine(EtcdServer server) {
        return server.processes().get(0).info().commandLine().orElseThrow();
    }

    @Test
    void threeOfThemAreOneStoreAndDoWithoutOne() throws Exception {
        List<EtcdServer> members = EtcdServer.cluster(3);
        try {
            put(members.get(0), "from the first", "yes");
            assertHas(members.get(2), "from the first", "yes");

            members.get(0).kill();
            members.get(1).restart();

            put(members.get(1), "without the first", "yes");
            members.get(0).restart();
            assertHas(members.get(0), "without the first", "yes");
        } finally {
            members.forEach(EtcdServer::close);
        }
    }

    @Test
    void theOneThatIsCutOffTakesNothingAndCatchesUpLater() throws Exception {
        List<EtcdServer> members = EtcdServer.clusterOfLinks(3);
        try {
            EtcdServer apart =
                    members.stream().filter(EtcdServer::isLeader).findFirst().orElseThrow();
            List<EtcdServer> others =
                    members.stream().filter(member -> member != apart).toList();

            apart.cutOff();
            put(apart, "lost", "yes", false);
            awaitLeader(others);
            put(others.get(0), "kept", "yes");
            assertHas(others.get(1), "kept", "yes");
            apart.join();

            awaitLeader(members);
            apart.restart();
            assertHas(apart, "kept", "yes");
        } finally {
            members.forEach(EtcdServer::close);
        }
    }

    private static void put(EtcdServer server, String key, String value, boolean taken)
            throws IOException, InterruptedException {
        String answer =
                post(server, "/v3/kv/put", "{\"key\":\"%s\",\"value\":\"%s\"}".formatted(base64(key), base64(value)));
        assertThat(answer.contains("revision")).as(answer).isEqualTo(taken);
    }

    private static void awaitLeader(List<EtcdServer> of) throws InterruptedException {
        long begun = System.nanoTime();
        while (of.stream().noneMatch(EtcdServer::isLeader)) {
            assertThat(System.nanoTime() - begun).isLessThan(60_000_000_000L);
            Thread.sleep(50);
        }
    }
}
