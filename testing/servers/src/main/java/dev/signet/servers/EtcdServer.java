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
import java.util.Optional;
import java.util.stream.Collectors;

/** One member of an etcd cluster, or all of it. */
public final class EtcdServer extends Server {

    private static final Duration LONGEST_REQUEST = Duration.ofSeconds(5);

    private static final int PEERS = 1;
    private static final int HEALTH = 2;
    /** Without TLS, for the tests' own hands. */
    private static final int BACK_DOOR = 3;

    private final EtcdOptions options;
    private final List<EtcdServer> members;
    private final Path data = folder.resolve("data");
    private final Certificates certificates = Certificates.in(folder);
    private volatile String rootPassword = "";

    private final Optional<PeerLinks> links;
    private final Optional<Proxy> door;

    private EtcdServer(EtcdOptions options, List<EtcdServer> members, Optional<PeerLinks> links) {
        super("etcd", Account.OF_THE_CALLER, 4);
        this.options = options;
        this.members = members;
        this.links = links;
        this.door = links.map(between -> between.before(this, port(PEERS)));
    }

    /**
     * A cluster of one.
     *
     * @throws ServerException if the program is missing, or does not come up; then the message has its log
     */
    public static EtcdServer alone() {
        return alone(EtcdOptions.defaults());
    }

    /** The same, set up so. */
    public static EtcdServer alone(EtcdOptions options) {
        return cluster(1, options, false).get(0);
    }

    /**
     * A cluster that has a leader. Its members are frozen, killed, restarted and closed each by itself.
     *
     * @throws ServerException if it does not come up
     */
    public static List<EtcdServer> cluster(int size) {
        return cluster(size, EtcdOptions.defaults(), false);
    }

    /** The same, set up so. */
    public static List<EtcdServer> cluster(int size, EtcdOptions options) {
        return cluster(size, options, false);
    }

    /** The same, whose members can be cut off from each other. On Linux. */
    public static List<EtcdServer> clusterOfLinks(int size) {
        return cluster(size, EtcdOptions.defaults(), true);
    }

    private static List<EtcdServer> cluster(int size, EtcdOptions options, boolean linked) {
        return Cluster.start(() -> {
            List<EtcdServer> members = new ArrayList<>();
            Optional<PeerLinks> links = linked ? Optional.of(new PeerLinks(members)) : Optional.empty();
            for (int i = 0; i < size; i++) {
                members.add(new EtcdServer(options, members, links));
            }
            return members;
        });
    }

    /** Starts what was stopped; none answers before most of them run. */
    public static void startTogether(List<EtcdServer> members) {
        Cluster.together(members, EtcdServer::restart);
    }

    @Override
    void prepare() {
        if (options.transport() == Transport.TLS) {
            certificates.make(this);
        }
    }

    @Override
    List<String> command() {
        List<String> command = new ArrayList<>(List.of(
                Programs.etcd(),
                "--name=" + name(),
                "--data-dir=" + data,
                "--listen-client-urls=" + endpoint() + "," + url(BACK_DOOR),
                "--advertise-client-urls=" + endpoint(),
                "--auth-token-ttl=" + options.tokensLast().toSeconds(),
                "--bcrypt-cost=4",
                "--listen-peer-urls=" + url(PEERS),
                "--initial-advertise-peer-urls=" + peerUrl(),
                "--listen-metrics-urls=" + url(HEALTH),
                "--initial-cluster="
                        + members.stream()
                                .map(one -> one.name() + "=" + one.peerUrl())
                                .collect(Collectors.joining(",")),
                "--initial-cluster-token=" + members.get(0).name(),
                "--logger=zap"));
        if (!options.forcesWrites()) {
            command.add("--unsafe-no-fsync");
        }
        if (options.transport() == Transport.TLS) {
            command.addAll(List.of("--cert-file=" + certificates.certificate(), "--key-file=" + certificates.key()));
        }
        if (options.asksForCertificates()) {
            command.addAll(List.of("--client-cert-auth", "--trusted-ca-file=" + certificates.authority()));
        }
        return command;
    }

    /** Who is to be believed to be this server, and its clients, in PEM. */
    public Path authority() {
        return certificates.ofServer(options.transport());
    }

    /**
     * Gives a client a certificate.
     *
     * @return it, and its key, in PEM
     */
    public List<Path> certificateOf(String name) {
        certificates.ofServer(options.transport());
        Certificates client = certificates.ofClient(this, name);
        return List.of(client.certificate(), client.key());
    }

    /** From now on it asks who comes, and knows root alone, with this password. */
    public void askForUsers(String password) {
        addUser("root", password);
        post("/v3/auth/role/add", "{\"name\":\"root\"}");
        post("/v3/auth/user/grant", "{\"user\":\"root\",\"role\":\"root\"}");
        post("/v3/auth/enable", "{}");
        rootPassword = password;
    }

    private String token() throws IOException, InterruptedException {
        String answer =
                answer(request("/v3/auth/authenticate", "{\"name\":\"root\",\"password\":\"" + rootPassword + "\"}"));
        return answer.replaceFirst("(?s).*\"token\":\"([^\"]*)\".*", "$1");
    }

    public void addUser(String name, String password) {
        post("/v3/auth/user/add", "{\"name\":\"" + name + "\",\"password\":\"" + password + "\"}");
    }

    /** Lets a user read and write all keys that begin so. */
    public void permit(String user, String prefix) {
        String role = "role-of-" + user;
        String end = prefix.substring(0, prefix.length() - 1) + (char) (prefix.charAt(prefix.length() - 1) + 1);
        post("/v3/auth/role/add", "{\"name\":\"" + role + "\"}");
        post(
                "/v3/auth/role/grant",
                "{\"name\":\"" + role + "\",\"perm\":{\"permType\":\"READWRITE\",\"key\":\"" + base64(prefix)
                        + "\",\"range_end\":\"" + base64(end) + "\"}}");
        post("/v3/auth/user/grant", "{\"user\":\"" + user + "\",\"role\":\"" + role + "\"}");
    }

    /** Puts it back as it was before {@link #permit}. */
    public void forbid(String user) {
        post("/v3/auth/role/delete", "{\"role\":\"role-of-" + user + "\"}");
    }

    private String name() {
        return folder.getFileName().toString();
    }

    /** By which the others know it. */
    private String peerUrl() {
        return door.map(proxy -> "http://" + proxy.host() + ":" + proxy.port()).orElseGet(() -> url(PEERS));
    }

    /** The others and it hear nothing more from each other; its clients do from it. Of a {@link #clusterOfLinks}. */
    public void cutOff() {
        links.orElseThrow().cutOff(this);
    }

    /** After {@link #cutOff}. */
    public void join() {
        links.orElseThrow().join(this);
    }

    /** Whether it believes to lead the others. */
    public boolean isLeader() {
        String status = post("/v3/maintenance/status", "{}");
        return field("member_id", status).equals(field("leader", status));
    }

    private static String field(String name, String json) {
        return json.replaceFirst("(?s).*\"" + name + "\":\"(\\d+)\".*", "$1");
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

    /** Has it forget all that came before now, but for what is there. */
    public void compact() {
        String found = post("/v3/kv/range", "{\"key\":\"" + base64("none") + "\"}");
        post("/v3/kv/compaction", "{\"revision\":\"" + field("revision", found) + "\",\"physical\":true}");
    }

    /** Writes a key, whatever else is there. */
    public void put(String key, String value) {
        post("/v3/kv/put", "{\"key\":\"" + base64(key) + "\",\"value\":\"" + base64(value) + "\"}");
    }

    private static String base64(String text) {
        return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
    }

    private HttpRequest.Builder request(String path, String body) {
        return HttpRequest.newBuilder(URI.create(url(BACK_DOOR) + path))
                .POST(HttpRequest.BodyPublishers.ofString(body));
    }

    /** By its gateway, which takes JSON for each of its requests. */
    private String post(String path, String body) {
        try {
            HttpRequest.Builder request = request(path, body);
            return answer(rootPassword.isEmpty() ? request : request.header("Authorization", token()));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new ServerException("interrupted", e);
        }
    }

    /** Where clients of this member connect. */
    public String endpoint() {
        return options.transport() == Transport.TLS ? "https" + url(0).substring("http".length()) : url(0);
    }

    /** Healthy is a member that knows a leader and can write; its name is nobody else's. */
    @Override
    void ask() throws IOException, InterruptedException {
        String members = answer(request("/v3/cluster/member/list", "{}"));
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
