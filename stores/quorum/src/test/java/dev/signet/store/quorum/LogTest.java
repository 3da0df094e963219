package dev.signet.store.quorum;

import static org.assertj.core.api.Assertions.assertThat;

import dev.signet.store.quorum.state.Codec;
import dev.signet.store.quorum.state.Reply;
import dev.signet.store.quorum.wire.Address;
import dev.signet.store.quorum.wire.Replacement;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.ratis.client.RaftClient;
import org.apache.ratis.conf.RaftProperties;
import org.apache.ratis.protocol.Message;
import org.apache.ratis.protocol.RaftClientReply;
import org.apache.ratis.protocol.RaftGroup;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.protocol.RaftPeer;
import org.apache.ratis.thirdparty.com.google.protobuf.ByteString;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** What is in the log of three voters, and what comes of it at each of them. */
@Tag("process")
@Execution(ExecutionMode.CONCURRENT)
class LogTest {

    private static final Duration LONG = Duration.ofHours(1);
    private static final String[] SMALL = {"--snapshot-every=20", "--segment=2000"};

    private final Trio trio = Trio.start(SMALL);

    @TempDir
    private Path folder;

    @AfterEach
    void close() {
        trio.close();
    }

    private void fill(String name, int many) {
        for (int i = 0; i < many; i++) {
            trio.open(name + i, LONG);
        }
    }

    private static SortedMap<String, byte[]> snapshots(Path data) {
        try (Stream<Path> files = Files.walk(data)) {
            SortedMap<String, byte[]> found = new TreeMap<>();
            for (Path file : files.filter(one -> one.getFileName().toString().matches("snapshot\\.\\d+_\\d+"))
                    .toList()) {
                found.put(file.getFileName().toString(), Files.readAllBytes(file));
            }
            return found;
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private static void assertSameSnapshots(Path... folders) {
        List<SortedMap<String, byte[]>> all =
                Stream.of(folders).map(LogTest::snapshots).toList();
        Set<String> common = new TreeSet<>(all.get(0).keySet());
        all.forEach(each -> common.retainAll(each.keySet()));
        assertThat(common).as("snapshots of one index").isNotEmpty();
        for (String name : common) {
            all.forEach(each ->
                    assertThat(each.get(name)).as(name).isEqualTo(all.get(0).get(name)));
        }
    }

    private long applied(int voter) {
        try {
            return trio.line(voter).status().appliedIndex();
        } catch (CompletionException e) {
            return -1 - voter;
        }
    }

    private void untilAllHaveApplied() {
        Trio.eventually(() -> Optional.of(applied(0)).filter(index -> index == applied(1) && index == applied(2)));
    }

    /** As a Raft client of anybody's could put it there; each voter meets it, and meets it again after each start. */
    @Test
    void anEntryThatIsNoCommandIsAnsweredAndHarmsNobody() throws Exception {
        RaftGroup group = RaftGroup.valueOf(
                RaftGroupId.valueOf(trio.line(0).peek().group()),
                trio.voters().all().stream()
                        .map(voter -> RaftPeer.newBuilder()
                                .setId(trio.line(trio.voters().all().indexOf(voter))
                                        .peek()
                                        .voter())
                                .setAddress(voter.address().toString())
                                .build())
                        .toList());
        try (RaftClient client = RaftClient.newBuilder()
                .setRaftGroup(group)
                .setProperties(new RaftProperties())
                .build()) {
            for (byte[] poison : List.of(
                    new byte[0],
                    new byte[] {1},
                    new byte[] {(byte) 0xff, 0, 0, 0},
                    "DROP TABLE sessions".getBytes(StandardCharsets.UTF_8),
                    new byte[100_000])) {
                RaftClientReply reply = client.async()
                        .send(Message.valueOf(ByteString.copyFrom(poison)))
                        .get(20, TimeUnit.SECONDS);
                assertThat(Codec.reply(reply.getMessage().getContent().toByteArray()))
                        .isInstanceOf(Reply.Unsupported.class);
            }
        }
        trio.open("a", LONG);
        untilAllHaveApplied();

        trio.voters().all().forEach(VoterProcess::kill);
        trio.voters().all().forEach(voter -> voter.begin(SMALL));
        trio.voters().all().forEach(voter -> voter.child().expect("started"));

        assertThat(trio.ask(Direct.held("a"))).isInstanceOf(Reply.Holds.class);
        trio.open("b", LONG);
        untilAllHaveApplied();
    }

    @Test
    void allVotersMakeTheSameSnapshotsOfTheSameLog() {
        fill("a", 30);
        for (int i = 0; i < 30; i++) {
            String role = "role-" + i;
            assertThat(trio.tell(Direct.take("a" + i, role, 0))).isInstanceOf(Reply.Granted.class);
        }
        untilAllHaveApplied();

        assertSameSnapshots(
                trio.voter(0).data(), trio.voter(1).data(), trio.voter(2).data());
    }

    /** Of what it missed the others have only a snapshot. */
    @Test
    void aVoterThatWasAwayForLongIsGivenASnapshot() {
        fill("a", 10);
        int away = trio.others(trio.leader())[0];
        trio.voter(away).kill();
        long known = snapshots(trio.voter(away).data()).size();
        fill("b", 80);

        trio.voter(away).start(SMALL);
        untilAllHaveApplied();

        fill("c", 30);
        untilAllHaveApplied();
        assertThat(snapshots(trio.voter(away).data())).hasSizeGreaterThanOrEqualTo((int) known);
        assertSameSnapshots(
                trio.voter(0).data(), trio.voter(1).data(), trio.voter(2).data());
        int other = trio.others(away)[0];
        assertThat(trio.line(away).status().sessions()).isEqualTo(120);
        assertThat(trio.line(other).status().sessions()).isEqualTo(120);
    }

    @Test
    void aVoterInThePlaceOfAnotherIsGivenASnapshot() throws Exception {
        fill("a", 80);
        int gone = trio.others(trio.leader())[0];
        trio.voter(gone).kill();
        SortedMap<String, Address> listed = new TreeMap<>();
        for (int other : trio.others(gone)) {
            listed.put(trio.line(other).peek().voter(), trio.voter(other).address());
        }
        listed.put("4", Voters.free());
        try (VoterProcess fourth = new VoterProcess("4", listed, folder.resolve("four"), List.of())) {
            fourth.start("--join", SMALL[0], SMALL[1]);
            assertThat(QuorumCare.replace(
                            QuorumStoreOptions.of(trio.voters().addresses()),
                            new Replacement(Integer.toString(gone + 1), "4", fourth.address()),
                            Duration.ofSeconds(30)))
                    .isEmpty();
            fillAmong("c", 30, trio.others(gone));
            try (Direct line = new Direct(fourth.address())) {
                Trio.eventually(() -> Optional.of(line.status().sessions()).filter(sessions -> sessions == 110));
            }
            int other = trio.others(gone)[0];
            Trio.eventually(
                    () -> Optional.of(trio.line(other).status().sessions()).filter(sessions -> sessions == 110));
            assertSameSnapshots(fourth.data(), trio.voter(other).data());
        }
    }

    private void fillAmong(String name, int many, int... among) {
        for (int i = 0; i < many; i++) {
            trio.open(name + i, LONG, among);
        }
    }

    /** A heartbeat costs no write. On a machine that is busy otherwise there may be an election, which does. */
    @Test
    void renewalsLeaveTheLogAsItIs() {
        trio.open("a", Duration.ofSeconds(10));
        trio.open("b", LONG);
        Trio.eventually(() -> Optional.of(renewed()).filter(renewed -> renewed > 20));
    }

    /** How often within five seconds of one Raft term; 0 if it ended. */
    private int renewed() {
        int leader = trio.leader();
        untilAllHaveApplied();
        Trio.pass(Duration.ofSeconds(1));
        long raftTerm = trio.line(leader).peek().raftTerm();
        long before = applied(leader);
        Map<Integer, Long> sizes = logs();
        int renewed = 0;
        long until = System.nanoTime() + Duration.ofSeconds(5).toNanos();
        while (System.nanoTime() - until < 0) {
            for (String candidate : List.of("a", "b")) {
                Optional<Reply> reply = trio.line(leader).told(Direct.renew(candidate));
                renewed += reply.filter(Reply.Renewed.class::isInstance).isPresent() ? 1 : 0;
                assertThat(reply).isNotEqualTo(Optional.of(new Reply.Gone()));
            }
        }
        if (trio.line(leader).peek().raftTerm() != raftTerm) {
            return 0;
        }
        assertThat(applied(leader)).isEqualTo(before);
        assertThat(logs()).isEqualTo(sizes);
        return renewed;
    }

    private Map<Integer, Long> logs() {
        return Stream.of(0, 1, 2).collect(Collectors.toMap(Function.identity(), this::logBytes));
    }

    private long logBytes(int voter) {
        try (Stream<Path> files = Files.walk(trio.voter(voter).data())) {
            return files.filter(file -> file.getFileName().toString().startsWith("log_"))
                    .sorted(Comparator.naturalOrder())
                    .mapToLong(file -> file.toFile().length())
                    .sum();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    /** Snapshots and segments go as new ones come. */
    @Test
    void theFolderDoesNotGrowWithTheLog() {
        for (int round = 0; round < 5; round++) {
            for (int i = 0; i < 60; i++) {
                String candidate = "r" + i;
                trio.open(candidate, LONG);
            }
        }
        untilAllHaveApplied();
        for (int voter = 0; voter < 3; voter++) {
            assertThat(applied(voter)).isGreaterThan(300);
            int at = voter;
            Trio.eventually(() -> Optional.of(logBytes(at)).filter(bytes -> bytes < 20_000));
            assertThat(snapshots(trio.voter(voter).data())).hasSizeBetween(1, 4);
        }
    }
}
