package dev.signet.app.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.signet.app.run.SignetProcess.Wait;
import dev.signet.servers.Ports;
import dev.signet.store.quorum.QuorumStatus;
import dev.signet.store.quorum.QuorumStoreOptions;
import dev.signet.store.quorum.wire.VoterStatus;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** A quorum of {@code signet server} processes, of voters 1, 2 and so on. The terminal ends them. */
final class VoterGroup {
    private static final Duration ASK = Duration.ofSeconds(5);

    private final Terminal terminal;
    private final List<String> options;
    private final List<String> addresses;
    private final Map<Integer, SignetProcess> running = new TreeMap<>();
    /** Of all groups: their processes write into one folder. */
    private static final AtomicInteger STARTS = new AtomicInteger();

    VoterGroup(Terminal terminal, int size, String... options) {
        this.terminal = terminal;
        this.options = List.of(options);
        addresses = IntStream.of(Ports.free(size))
                .mapToObj(port -> "127.0.0.1:" + port)
                .toList();
    }

    VoterGroup startAll() throws IOException {
        for (int id = 1; id <= addresses.size(); id++) {
            begin(id);
        }
        running.forEach((id, voter) -> voter.awaitErr("takes part at"));
        awaitLeader(0);
        return this;
    }

    /** Until it takes part. */
    SignetProcess start(int id, String... more) throws IOException {
        SignetProcess voter = begin(id, more);
        voter.awaitErr("takes part at");
        return voter;
    }

    private SignetProcess begin(int id, String... more) throws IOException {
        SignetProcess voter = server(id, list(), "voter-" + id, more);
        running.put(id, voter);
        return voter;
    }

    /** Whatever comes of it. */
    SignetProcess server(int id, String voters, String data, String... more) throws IOException {
        List<String> words =
                new ArrayList<>(List.of("server", "--id", Integer.toString(id), "--voters", voters, "--data", data));
        words.addAll(options);
        words.addAll(List.of(more));
        return terminal.signet("server-" + id + "-" + STARTS.incrementAndGet(), Map.of(), words.toArray(new String[0]));
    }

    String list() {
        return IntStream.rangeClosed(1, addresses.size())
                .mapToObj(id -> id + "=" + address(id))
                .collect(Collectors.joining(","));
    }

    String address(int id) {
        return addresses.get(id - 1);
    }

    int port(int id) {
        return Integer.parseInt(address(id).replaceFirst(".*:", ""));
    }

    String uri() {
        return addresses.stream().collect(Collectors.joining(",", "quorum://", ""));
    }

    Map<String, String> environment() {
        return Map.of("SIGNET_STORE", uri());
    }

    SignetProcess voter(int id) {
        return running.get(id);
    }

    QuorumStoreOptions options() {
        return QuorumStoreOptions.of(addresses.toArray(new String[0]));
    }

    private Stream<VoterStatus> statuses() {
        return QuorumStatus.ask(options(), ASK).stream().flatMap(one -> one.status().stream());
    }

    private Optional<VoterStatus> leader() {
        return statuses()
                .filter(VoterStatus::leads)
                .max(Comparator.comparing(status -> status.self().raftTerm()));
    }

    /** Waits for one that is not {@code other}. */
    int awaitLeader(int other) {
        int[] found = {0};
        Wait.until(
                () -> {
                    found[0] = leader().filter(status -> status.storeId().isPresent())
                            .map(status -> Integer.parseInt(status.self().voter()))
                            .orElse(0);
                    return found[0] != 0 && found[0] != other;
                },
                () -> "a leader of the quorum; the voters said:\n" + said());
        return found[0];
    }

    String said() {
        return running.values().stream().map(SignetProcess::err).collect(Collectors.joining("\n"));
    }

    /** What {@code signet quorum status} says, and with which code it ends. */
    SignetProcess status(String... more) throws IOException {
        List<String> words = new ArrayList<>(List.of("quorum", "status", "--store", uri()));
        words.addAll(List.of(more));
        SignetProcess status =
                terminal.signet("status-" + STARTS.incrementAndGet(), Map.of(), words.toArray(new String[0]));
        status.exitCode();
        assertThat(status.err()).isEmpty();
        return status;
    }
}
