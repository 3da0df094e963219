package dev.signet.servers;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.File;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * One member of a ZooKeeper ensemble, or all of it, set up as ZooKeeper is by default: a tick of 2 s, and each write forced to the
 * disk. Its program is on the class path of this JVM; whoever starts one depends on {@code org.apache.zookeeper:zookeeper}, on the two
 * libraries that its server wants and its POM leaves out, {@code metrics-core} and {@code snappy-java}, and on {@code slf4j-simple}.
 */
public final class ZooKeeperServer extends Server {

    private static final String MAIN = "org.apache.zookeeper.server.quorum.QuorumPeerMain";

    /** One of each library that the server needs, and where to find those that are missing. */
    private static final List<String> NEEDED = List.of(
            MAIN,
            "org.apache.jute.Record",
            "com.codahale.metrics.Reservoir",
            "org.xerial.snappy.Snappy",
            "org.slf4j.Logger",
            "org.slf4j.simple.SimpleServiceProvider");

    private static final int QUORUM = 1;
    private static final int ELECTION = 2;
    private static final int LONGEST_ANSWER_MILLIS = 2_000;

    private static final String CONFIGURATION = """
            dataDir=%s
            tickTime=2000
            initLimit=10
            syncLimit=5
            maxClientCnxns=0
            admin.enableServer=false
            4lw.commands.whitelist=srvr,conf
            """;

    private final List<ZooKeeperServer> members;
    private final Path data = folder.resolve("data");

    private ZooKeeperServer(List<ZooKeeperServer> members) {
        super("zookeeper", Account.OF_THE_CALLER, 3);
        this.members = members;
    }

    /** @throws ServerException if a library is missing, or it does not come up; then the message has its log */
    public static ZooKeeperServer alone() {
        return ensemble(1).get(0);
    }

    /**
     * An ensemble that has a leader. Its members are frozen, killed, restarted and closed each by itself.
     *
     * @throws ServerException if it does not come up
     */
    public static List<ZooKeeperServer> ensemble(int size) {
        return Cluster.start(() -> {
            List<ZooKeeperServer> members = new ArrayList<>();
            for (int i = 0; i < size; i++) {
                members.add(new ZooKeeperServer(members));
            }
            return members;
        });
    }

    /** Where clients of this member connect, as they write it. */
    public String endpoint() {
        return host() + ":" + port();
    }

    @Override
    void prepare() {
        run(List.of("mkdir", data.toString()), Map.of());
        if (members.size() > 1) {
            write("data/myid", String.valueOf(number()));
        }
    }

    private int number() {
        return members.indexOf(this) + 1;
    }

    /** Its configuration names the ports of all. */
    @Override
    List<String> command() {
        String configuration = CONFIGURATION.formatted(data)
                + (members.size() == 1
                        ? "clientPortAddress=%s%nclientPort=%d%n".formatted(host(), port())
                        : members.stream().map(ZooKeeperServer::line).collect(Collectors.joining()));
        Path file = write("zoo.cfg", configuration);
        return List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Dzookeeper.jmx.log4j.disable=true",
                "-cp",
                classPath(),
                MAIN,
                file.toString());
    }

    private String line() {
        return "server.%1$d=%2$s:%3$d:%4$d;%2$s:%5$d%n"
                .formatted(number(), host(), port(QUORUM), port(ELECTION), port());
    }

    /** Of these libraries and nothing else of the caller's. */
    private static String classPath() {
        Set<String> found = new LinkedHashSet<>();
        for (String name : NEEDED) {
            try {
                found.add(Path.of(Class.forName(name, false, ZooKeeperServer.class.getClassLoader())
                                .getProtectionDomain()
                                .getCodeSource()
                                .getLocation()
                                .toURI())
                        .toString());
            } catch (ClassNotFoundException e) {
                throw new ServerException(
                        name + " is missing on the class path: ZooKeeper's server needs org.apache.zookeeper:zookeeper,"
                                + " io.dropwizard.metrics:metrics-core, org.xerial.snappy:snappy-java and"
                                + " org.slf4j:slf4j-simple",
                        e);
            } catch (URISyntaxException e) {
                throw new ServerException("cannot tell where " + name + " is", e);
            }
        }
        return String.join(File.pathSeparator, found);
    }

    /** A member that has a leader, or is alone, has a mode; its folder is nobody else's. */
    @Override
    void ask() throws IOException {
        if (!answer("conf").contains("dataDir=" + data)) {
            throw new IOException("another server answers at port " + port());
        }
        mode();
    }

    /** Whether it leads the others. */
    public boolean isLeader() {
        try {
            return mode().equals("leader");
        } catch (IOException e) {
            return false;
        }
    }

    private String mode() throws IOException {
        return answer("srvr")
                .lines()
                .filter(line -> line.startsWith("Mode: "))
                .map(line -> line.substring("Mode: ".length()))
                .findFirst()
                .orElseThrow(() -> new IOException("it does not serve yet"));
    }

    /** By one of its words of four letters. */
    private String answer(String word) throws IOException {
        try (Socket socket = new Socket()) {
            socket.setSoTimeout(LONGEST_ANSWER_MILLIS);
            socket.connect(new InetSocketAddress(host(), port()), LONGEST_ANSWER_MILLIS);
            socket.getOutputStream().write(word.getBytes(US_ASCII));
            return new String(socket.getInputStream().readAllBytes(), US_ASCII);
        }
    }
}
