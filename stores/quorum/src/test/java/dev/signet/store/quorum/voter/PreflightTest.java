package dev.signet.store.quorum.voter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.signet.servers.Ports;
import dev.signet.store.quorum.wire.Address;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Voter 1 of 3 starts; what is said at the places of the others is written here. */
class PreflightTest {

    private static final UUID ANOTHER = new UUID(9, 9);
    private static final UUID FOLDER = new UUID(0, 2);

    @TempDir
    private Path place;

    private final int[] ports = Ports.free(3);
    private final Peers peers = new Peers(null, Runnable::run);
    private DataFolder folder;
    private VoterOptions options;
    private UUID group;

    @BeforeEach
    void open() throws VoterException {
        folder = DataFolder.open(place);
        SortedMap<String, Address> voters = new TreeMap<>();
        for (int i = 0; i < ports.length; i++) {
            voters.put(Integer.toString(i + 1), new Address("127.0.0.1", ports[i]));
        }
        options = VoterOptions.of("1", voters, place);
        group = Owner.group(options);
    }

    @AfterEach
    void close() {
        peers.close();
        folder.close();
    }

    private Owner owner() throws VoterException {
        return owner(options);
    }

    private Owner owner(VoterOptions as) throws VoterException {
        try (Peers asked = new Peers(null, Runnable::run)) {
            return new Preflight(as, folder, asked).owner();
        }
    }

    private void assertRefused(VoterOptions as, String... why) throws VoterException {
        var before = folder.owner();
        assertThatThrownBy(() -> owner(as))
                .isInstanceOf(VoterException.class)
                .hasMessageContainingAll(why)
                .hasMessageNotContaining("Exception");
        assertThat(folder.owner()).as("what is left behind").isEqualTo(before);
    }

    private void makeLog(UUID of) throws IOException {
        Path current = Files.createDirectories(
                place.resolve("raft").resolve(of.toString()).resolve("current"));
        assertThat(Files.createFile(current.resolve("raft-meta"))).exists();
    }

    private Speaker second(UUID of) throws IOException {
        return Speaker.begun(ports[1], "2", of, Set.of("1", "2", "3"), Map.of());
    }

    @Test
    void anEmptyFolderGetsAnIdAndKeepsIt() throws VoterException {
        Owner first = owner();

        assertThat(first.begun()).isFalse();
        assertThat(first.group()).isEqualTo(group);
        assertThat(first.folders()).containsOnlyKeys("1");
        assertThat(folder.owner()).contains(first);
        assertThat(owner()).isEqualTo(first);
    }

    @Test
    void whoAnswersAtOnceIsMetAtOnce() throws Exception {
        try (Speaker second = Speaker.waiting(ports[1], "2", group, Map.of("2", FOLDER))) {
            assertThat(second).isNotNull();
            assertThat(owner().folders()).containsKey("1").containsEntry("2", FOLDER);
        }
        assertThat(owner().folders()).containsEntry("2", FOLDER);
    }

    /** By nobody: the others know the folder's id with the old list, and it is another then. */
    @Test
    void withAnotherListAFolderThatHadNoPartYetBeginsAnew() throws VoterException {
        Owner first = owner();
        SortedMap<String, Address> corrected = new TreeMap<>(options.voters());
        corrected.put("3", new Address("127.0.0.1", Ports.free(1)[0]));

        Owner second = owner(VoterOptions.of("1", corrected, place));

        assertThat(second.group()).isNotEqualTo(first.group());
        assertThat(second.folders().get("1")).isNotEqualTo(first.folders().get("1"));
    }

    @Test
    void aFolderThatHadAPartGoesOnWithAnotherList() throws Exception {
        Owner first = owner().begunNow();
        folder.belongTo(first);
        makeLog(group);
        SortedMap<String, Address> later = new TreeMap<>(options.voters());
        later.remove("3");
        later.put("4", new Address("127.0.0.1", ports[2]));

        assertThat(owner(VoterOptions.of("1", later, place))).isEqualTo(first);
    }

    @Test
    void whereTheOthersHaveAStoreAnEmptyFolderIsRefused() throws Exception {
        try (Speaker second = second(group)) {
            assertThat(second).isNotNull();
            assertRefused(options, "the others have a store already, a-store", place.toString(), Preflight.REMEDY);
        }
    }

    @Test
    void aVoterOfAnotherQuorumIsRefused() throws Exception {
        try (Speaker second = Speaker.waiting(ports[1], "2", ANOTHER, Map.of("2", FOLDER))) {
            assertThat(second).isNotNull();
            assertRefused(options, "voter 2 at 127.0.0.1:" + ports[1], "another list of voters", options.list());
        }
    }

    @Test
    void whoHasBegunIsRefusedByThoseOnlyThatHaveToo() throws Exception {
        folder.belongTo(Owner.joining("1", group));
        makeLog(group);
        try (Speaker waits = Speaker.waiting(ports[1], "2", ANOTHER, Map.of("2", FOLDER))) {
            assertThat(waits).isNotNull();
            assertThat(owner().group()).isEqualTo(group);
        }
        try (Speaker second = second(ANOTHER)) {
            assertThat(second).isNotNull();
            assertRefused(options, "is of another quorum");
        }
    }

    @Test
    void anotherVoterAtTheAddressOfOneIsRefused() throws Exception {
        try (Speaker third = Speaker.waiting(ports[1], "3", group, Map.of("3", FOLDER))) {
            assertThat(third).isNotNull();
            assertRefused(options, "is voter 3, not 2: give every voter the same list");
        }
    }

    @Test
    void aFolderThatLostItsLogIsRefused() throws Exception {
        folder.belongTo(owner().begunNow());
        assertRefused(options, "has no log: it was lost", Preflight.REMEDY);

        makeLog(ANOTHER);
        assertRefused(options, "has no log: it was lost");
    }

    @Test
    void aFolderOfAnotherVoterIsRefused() throws VoterException {
        Owner first = owner();
        assertThat(first.voter()).isEqualTo("1");
        assertRefused(VoterOptions.of("2", options.voters(), place), "is that of voter 1, not of 2");
    }

    @Test
    void aLogOfNobodyIsRefused() throws IOException, VoterException {
        makeLog(group);
        assertRefused(options, "has a log, and nothing says whose");
    }

    /** The process ended between the two. */
    @Test
    void aLogWithoutTheWordThatItBeganIsOneThatDid() throws Exception {
        Owner first = owner();
        makeLog(group);

        assertThat(owner()).isEqualTo(first);
        assertThat(new FirstStart(options, folder, peers, first).mayBegin()).isTrue();
    }

    @Test
    void whoJoinsIsOfTheQuorumThatHasAStore() throws Exception {
        try (Speaker second = Speaker.begun(ports[1], "2", ANOTHER, Set.of("2", "3", "4"), Map.of())) {
            assertThat(second).isNotNull();
            assertThat(owner(options.joining(true))).isEqualTo(Owner.joining("1", ANOTHER));
        }
    }

    @Test
    void whoJoinsNobodyOrUnderAnIdThatVotesIsRefused() throws Exception {
        assertRefused(options.joining(true), "answered that has a store", options.list());
        try (Speaker second = second(group)) {
            assertThat(second).isNotNull();
            assertRefused(options.joining(true), "a voter 1 that votes already");
        }
    }

    @Test
    void aPortThatIsTakenIsRefused() throws Exception {
        try (ServerSocket taken = new ServerSocket(ports[0], 1, InetAddress.getByName("127.0.0.1"))) {
            assertThat(taken.isBound()).isTrue();
            assertRefused(options, "cannot listen at 127.0.0.1:" + ports[0], "another process has the port");
        }
    }
}
