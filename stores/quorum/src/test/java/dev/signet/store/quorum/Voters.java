package dev.signet.store.quorum;

import dev.signet.servers.Hosts;
import dev.signet.servers.Ports;
import dev.signet.store.quorum.wire.Address;
import dev.signet.store.quorum.wire.VoterStatus;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** A quorum of voters in processes of their own, in a folder of its own. */
final class Voters implements AutoCloseable {

    private final Path folder;
    private final List<VoterProcess> all = new ArrayList<>();

    private Voters(List<String> hosts, IntFunction<List<String>> prefixes) {
        try {
            folder = Files.createTempDirectory("signet-voters");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        SortedMap<String, Address> addresses = new TreeMap<>();
        int[] ports = Ports.free(hosts.size());
        for (int i = 0; i < hosts.size(); i++) {
            addresses.put(Integer.toString(i + 1), new Address(hosts.get(i), ports[i]));
        }
        for (int i = 0; i < hosts.size(); i++) {
            String id = Integer.toString(i + 1);
            all.add(new VoterProcess(id, addresses, folder.resolve("voter-" + id), prefixes.apply(i)));
        }
    }

    /** That run, each on a host of its own. */
    static Voters start(Hosts hosts, int size) {
        return started(prepare(hosts, size));
    }

    /** That run. */
    static Voters start(int size, String... options) {
        return started(prepare(size), options);
    }

    private static Voters started(Voters voters, String... options) {
        voters.all.forEach(voter -> voter.begin(options));
        voters.all.forEach(voter -> voter.child().expect("started"));
        return voters;
    }

    static Voters prepare(Hosts hosts, int size) {
        return new Voters(IntStream.range(0, size).mapToObj(hosts::address).toList(), hosts::on);
    }

    /** That do not run yet. */
    static Voters prepare(int size) {
        return prepare(size, index -> List.of());
    }

    /** @param prefixes for each, a command that runs the rest of its line */
    static Voters prepare(int size, IntFunction<List<String>> prefixes) {
        return new Voters(Collections.nCopies(size, "127.0.0.1"), prefixes);
    }

    /** Where nobody listens. */
    static Address free() {
        return new Address("127.0.0.1", Ports.free(1)[0]);
    }

    List<VoterProcess> all() {
        return List.copyOf(all);
    }

    VoterProcess get(int index) {
        return all.get(index);
    }

    /** The place of the one that says that it leads, once one does. */
    int leader() {
        QuorumStoreOptions options = QuorumStoreOptions.of(addresses());
        return Trio.eventually(() -> {
            List<QuorumStatus.Told> told = QuorumStatus.ask(options, Duration.ofSeconds(2));
            return IntStream.range(0, told.size())
                    .filter(i -> told.get(i).status().filter(VoterStatus::leads).isPresent())
                    .boxed()
                    .findFirst();
        });
    }

    String[] addresses() {
        return all.stream().map(voter -> voter.address().toString()).toArray(String[]::new);
    }

    @Override
    public void close() {
        all.forEach(VoterProcess::close);
        delete(folder);
    }

    static void delete(Path folder) {
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
