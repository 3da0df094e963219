package dev.signet.store.quorum.voter;

import static org.assertj.core.api.Assertions.assertThat;

import dev.signet.StoreId;
import dev.signet.servers.Ports;
import dev.signet.store.quorum.state.Command;
import dev.signet.store.quorum.state.Ledger;
import dev.signet.store.quorum.state.LiveSession;
import dev.signet.store.quorum.state.Reply;
import dev.signet.store.quorum.wire.Address;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** A command that the ledger has a fault with: it is in the log, so that each voter meets it, and meets it again after each start. */
@Execution(ExecutionMode.CONCURRENT)
class PoisonTest {

    private static final UUID GROUP = new UUID(5, 6);
    private static final Duration LEASE = Duration.ofSeconds(15);
    private static final long PATIENCE_SECONDS = 30;

    private static final Command BEFORE = new Command.Close(Entries.HERE, Entries.session("before"));
    private static final Command HALFWAY = Entries.open("halfway", LEASE);

    /** Fails at one command before it has begun with it, and at another after it has done its part. */
    private static final class Faulty extends ReplicatedLedger {

        Faulty(LongSupplier nanos, Listener listener) {
            super(nanos, listener);
        }

        @Override
        Reply carryOut(Ledger to, Command command, long raftTerm) {
            if (command.equals(BEFORE)) {
                throw new IllegalStateException("planted");
            }
            Reply reply = super.carryOut(to, command, raftTerm);
            if (command.equals(HALFWAY)) {
                throw new NullPointerException("planted");
            }
            return reply;
        }
    }

    private static void assertFault(Reply reply) {
        assertThat(reply)
                .isInstanceOfSatisfying(
                        Reply.Unsupported.class,
                        told -> assertThat(told.why()).startsWith("it could not be carried out"));
    }

    /** Else it would live for as long as this leader leads. */
    @Test
    void aSessionThatWasOpenedHalfwayExpiresAsAnyOther() {
        Entries entries = new Entries(Faulty::new);
        entries.ledger().lead(2);

        assertFault(entries.apply(2, HALFWAY));

        assertThat(entries.lives("halfway")).isTrue();
        entries.pass(LEASE);
        assertThat(entries.ledger().asLeader(2, led -> led.clock().sessions().takeDue(led.nowNanos())))
                .contains(List.of(Entries.key("halfway")));
    }

    /** Whose end is in the log already: a renewal that is answered with yes must not be overtaken by it. */
    @Test
    void whatIsEndingMeanwhileIsNotRenewed() {
        Entries entries = new Entries(Faulty::new);
        entries.ledger().lead(2);
        entries.apply(2, Entries.open("a", LEASE));
        entries.pass(LEASE);
        assertThat(entries.ledger().asLeader(2, led -> led.clock().sessions().takeDue(led.nowNanos())))
                .contains(List.of(Entries.key("a")));

        assertFault(entries.apply(2, BEFORE));

        assertThat(entries.ledger().asLeader(2, led -> led.clock().sessions().renew(Entries.key("a"), led.nowNanos())))
                .contains(Deadlines.Renewal.ENDING);
    }

    @Test
    @Tag("process")
    void threeVotersAnswerItAndGoOnAlikeAndDoSoAgainAfterAStart(@TempDir Path folder) {
        SortedMap<String, Address> voters = new TreeMap<>();
        for (int port : Ports.free(3)) {
            voters.put(Integer.toString(voters.size() + 1), new Address("127.0.0.1", port));
        }
        try (Group group = new Group(voters, folder, true)) {
            assertThat(group.propose(new Command.Found(new StoreId("store")))).isInstanceOf(Reply.Founded.class);
            assertThat(group.propose(Entries.open("a", LEASE))).isInstanceOf(Reply.Opened.class);

            assertFault(group.propose(BEFORE));
            assertFault(group.propose(HALFWAY));

            assertThat(group.propose(Entries.open("b", LEASE))).isInstanceOf(Reply.Opened.class);
            group.assertAlike("a", "b", "halfway");
        }
        try (Group again = new Group(voters, folder, false)) {
            assertThat(again.propose(Entries.open("c", LEASE))).isInstanceOf(Reply.Opened.class);
            assertFault(again.propose(BEFORE));
            again.assertAlike("a", "b", "c", "halfway");
        }
    }

    /** Real Raft, and no voter around it. */
    private static final class Group implements AutoCloseable {

        private final List<ReplicatedLedger> ledgers = new ArrayList<>();
        private final List<OwnRaft> rafts = new ArrayList<>();

        Group(SortedMap<String, Address> voters, Path folder, boolean fresh) {
            voters.keySet().forEach(id -> {
                ReplicatedLedger ledger = new Faulty(System::nanoTime, new Entries.Deaf());
                VoterOptions options = VoterOptions.of(id, voters, folder.resolve(id))
                        .electing(Duration.ofMillis(500), Duration.ofSeconds(1));
                ledgers.add(ledger);
                try {
                    Files.createDirectories(options.data());
                    OwnRaft raft =
                            OwnRaft.build(options, RaftSettings.Tuning.DEFAULT, GROUP, true, fresh, ledger, List.of());
                    rafts.add(raft);
                    raft.start();
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            });
        }

        /** To whoever leads, until it is answered. */
        Reply propose(Command command) {
            long until = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
            while (System.nanoTime() - until < 0) {
                for (OwnRaft raft : rafts) {
                    if (raft.leadsIn(raft.raftTerm())) {
                        try (Proposer proposer = new Proposer(raft.server(), raft.group())) {
                            CompletableFuture<Reply> answer = proposer.propose(command);
                            return answer.orTimeout(PATIENCE_SECONDS, TimeUnit.SECONDS)
                                    .join();
                        } catch (CompletionException e) {
                            assertThat(e.getCause())
                                    .as("of a leader that is not one yet")
                                    .isInstanceOf(NotProposed.class);
                        }
                    }
                }
                rest();
            }
            throw new AssertionError("nobody takes " + command);
        }

        /** Once all have applied as much as the first. */
        void assertAlike(String... live) {
            long last = ledgers.stream()
                    .mapToLong(ledger -> ledger.getLastAppliedTermIndex().getIndex())
                    .max()
                    .orElseThrow();
            long until = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
            for (ReplicatedLedger ledger : ledgers) {
                while (ledger.getLastAppliedTermIndex().getIndex() < last) {
                    assertThat(System.nanoTime() - until).as("in time").isNegative();
                    rest();
                }
                assertThat(ledger.read(Ledger::snapshot))
                        .isEqualTo(ledgers.get(0).read(Ledger::snapshot));
                List<LiveSession> sessions = ledger.read(Ledger::sessions);
                assertThat(sessions)
                        .extracting(session -> session.candidate().name())
                        .containsExactlyInAnyOrder(live);
            }
        }

        private static void rest() {
            try {
                Thread.sleep(20);
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        }

        @Override
        public void close() {
            rafts.forEach(raft -> raft.close(Duration.ofSeconds(10)));
        }
    }
}
