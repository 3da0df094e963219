package dev.signet.servers;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/** One member of an etcd cluster, or all of it. */
public final class EtcdServer extends Server {

    private static final Duration LONGEST_REQUEST = Duration.ofSeconds(5);
    private static final int ATTEMPTS = 3;

    private static final int PEERS = 1;
    private static final int HEALTH = 2;

    private final List<EtcdServer> members;
    private final Path data = folder.resolve("data");

    private EtcdServer(List<EtcdServer> members) {
        super("etcd", Account.OF_THE_CALLER, 3);
        this.members = members;
    }

    /**
     * A cluster of one.
     *
     * @throws ServerException if the program is missing, or does not come up; then the message has its log
     */
    public static EtcdServer alone() {
        return cluster(1).get(0);
    }

    /**
     * A cluster that has a leader. Its members are frozen, killed, restarted and closed each by itself.
     *
     * @throws ServerException if it does not come up
     */
    public static List<EtcdServer> cluster(int size) {
        for (int attempt = 1; ; attempt++) {
            List<EtcdServer> members = new ArrayList<>();
            for (int i = 0; i < size; i++) {
                members.add(new EtcdServer(members));
            }
            try {
                together(members, EtcdServer::start);
                return List.copyOf(members);
            } catch (ServerException e) {
                members.forEach(EtcdServer::close);
                if (attempt == ATTEMPTS) {
                    throw e;
                }
            }
        }
    }

    /** Starts what was stopped; none answers before most of them run. */
    public static void startTogether(List<EtcdServer> members) {
        together(members, EtcdServer::restart);
    }

    private static void together(List<EtcdServer> members, Consumer<EtcdServer> what) {
        List<CompletableFuture<Void>> starts = members.stream()
                .map(member -> CompletableFuture.runAsync(
                        () -> what.accept(member), task -> new Thread(task, "starts").start()))
                .toList();
        try {
            CompletableFuture.allOf(starts.toArray(CompletableFuture[]::new)).join();
        } catch (CompletionException e) {
            throw new ServerException("a cluster of etcd did not come up", e);
        }
    }

    @Override
    void prepare() {}

    @Override
    List<String> command() {
        return List.of(
                Programs.etcd(),
                "--name=" + name(),
                "--data-dir=" + data,
                "--listen-client-urls=" + url(0),
                "--advertise-client-urls=" + url(0),
                "--listen-peer-urls=" + url(PEERS),
                "--initial-advertise-peer-urls=" + url(PEERS),
                "--listen-metrics-urls=" + url(HEALTH),
                "--initial-cluster="
                        + members.stream()
                                .map(one -> one.name() + "=" + one.url(PEERS))
                                .collect(Collectors.joining(",")),
                "--initial-cluster-token=" + members.get(0).name(),
                "--unsafe-no-fsync",
                "--logger=zap");
    }

    private String name() {
        return folder.getFileName().toString();
    }

    private String url(int index) {
        return "http://" + host() + ":" + port(index);
    }

    /**
     * Takes a backup of all that it knows now, for which it is stopped and started again.
     *
     * @return puts it back to that, in the same way; of a cluster of one
     */
    public Runnable backUp() {
        Path backup = folder.resolve("backup");
        stop();
        copy(data, backup);
        restart();
        return () -> {
            stop();
            copy(backup, data);
            restart();
        };
    }

    private void copy(Path from, Path to) {
        run(List.of("rm", "-rf", to.toString()), Map.of());
        run(List.of("cp", "-a", from.toString(), to.toString()), Map.of());
    }

    /** Writes a key, whatever else is there. */
    public void put(String key, String value) {
        post("/v3/kv/put", "{\"key\":\"" + base64(key) + "\",\"value\":\"" + base64(value) + "\"}");
    }

    private static String base64(String text) {
        return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
    }

    /** By its gateway, which takes JSON for each of its requests. */
    private String post(String path, String body) {
        try {
            return answer(
                    HttpRequest.newBuilder(URI.create(url(0) + path)).POST(HttpRequest.BodyPublishers.ofString(body)));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new ServerException("interrupted", e);
        }
    }

    /** Where clients of this member connect. */
    public String endpoint() {
        return url(0);
    }

    /** Healthy is a member that knows a leader and can write; its name is nobody else's. */
    @Override
    void ask() throws IOException, InterruptedException {
        String members = answer(HttpRequest.newBuilder(URI.create(url(0) + "/v3/cluster/member/list"))
                .POST(HttpRequest.BodyPublishers.ofString("{}")));
        if (!members.contains('"' + name() + '"')) {
            throw new IOException("another server answers at port " + port());
        }
        answer(HttpRequest.newBuilder(URI.create(url(HEALTH) + "/health")));
    }

    private static String answer(HttpRequest.Builder request) throws IOException, InterruptedException {
        var answer =
                HttpClient.newHttpClient().send(request.timeout(LONGEST_REQUEST).build(), BodyHandlers.ofString());
        if (answer.statusCode() != 200) {
            throw new IOException(answer.statusCode() + ": " + answer.body());
        }
        return answer.body();
    }
}
