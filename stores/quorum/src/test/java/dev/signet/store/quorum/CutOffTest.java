package dev.signet.store.quorum;

import static org.assertj.core.api.Assertions.assertThat;

import dev.signet.Advertised;
import dev.signet.Answer;
import dev.signet.CandidateId;
import dev.signet.Namespace;
import dev.signet.Role;
import dev.signet.TermId;
import dev.signet.servers.Hosts;
import dev.signet.store.Acquire;
import dev.signet.store.Grant;
import dev.signet.store.NotGranted;
import dev.signet.store.OpenSession;
import dev.signet.store.Renewed;
import dev.signet.store.SessionGone;
import dev.signet.store.SessionId;
import dev.signet.store.quorum.wire.VoterStatus;
import dev.signet.testkit.JavaChild;
import java.time.Duration;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The Raft leader is cut off from the other voters, with a holder beside it that still reaches it. */
@Tag("process")
class CutOffTest {

    private static final Duration LEASE = Duration.ofSeconds(8);
    private static final Duration TRY = Duration.ofMillis(800);
    private static final Role ROLE = Role.of("ledger");

    /**
     * The holder is told of no renewal that it sent after the cable was pulled; another is granted the role, not before a whole lease
     * has passed since the last renewal that the holder was told of; and when the cable is back, the holder is told that its session
     * is gone.
     */
    @Test
    void aLeaderThatIsCutOffRenewsNothing() {
        try (Hosts hosts = Hosts.make(3);
                Voters voters = Voters.start(hosts, 3)) {
            int leader = leader(hosts, voters);
            int another = (leader + 1) % 3;
            JavaChild holder = contender(hosts, leader, voters, "holder");
            holder.expect("granted 1 ");
            JavaChild waiter = contender(hosts, another, voters, "waiter");
            try (holder;
                    waiter) {
                waiter.expect("waiting");
                holder.expect("renewed");
                hosts.cutOff(leader);
                long cut = System.nanoTime();

                long granted = Long.parseLong(waiter.expect("granted 2 "));
                hosts.mend(leader);

                long lastRenewed = 0;
                while (true) {
                    String line = holder.next();
                    if (line.equals("gone")) {
                        break;
                    }
                    if (line.startsWith("renewed ")) {
                        lastRenewed = Math.max(lastRenewed, Long.parseLong(line.substring("renewed ".length())));
                    }
                }
                assertThat(lastRenewed)
                        .as("sent last of those that were renewed")
                        .isLessThan(cut);
                assertThat(Duration.ofNanos(granted - lastRenewed)).isGreaterThanOrEqualTo(LEASE);
            }
        }
    }

    private static int leader(Hosts hosts, Voters voters) {
        try (JavaChild asker = JavaChild.startUnder(hosts.on(0), Asker.class, voters.addresses())) {
            String leader = asker.expect("leader ");
            return IntStream.range(0, 3)
                    .filter(index -> voters.addresses()[index].equals(leader))
                    .findFirst()
                    .orElseThrow();
        }
    }

    private static JavaChild contender(Hosts hosts, int host, Voters voters, String name) {
        return JavaChild.startUnder(hosts.on(host), Contender.class, name, String.join(",", voters.addresses()));
    }

    /** Says who leads the quorum. */
    static final class Asker {

        private Asker() {}

        public static void main(String[] addresses) throws InterruptedException {
            while (true) {
                var leader = QuorumStatus.ask(QuorumStoreOptions.of(addresses), Duration.ofSeconds(2)).stream()
                        .filter(told -> told.status().filter(VoterStatus::leads).isPresent())
                        .findFirst();
                if (leader.isPresent()) {
                    System.out.println("leader " + leader.get().address());
                    return;
                }
                Thread.sleep(100);
            }
        }
    }

    /** Waits for the role, and renews its session all the time until it is gone. */
    static final class Contender {

        private Contender() {}

        public static void main(String[] arguments) throws InterruptedException {
            SessionId session = SessionId.random();
            TermId term = TermId.random();
            try (QuorumStore store =
                    QuorumStore.open(QuorumStoreOptions.of(arguments[1].split(",", -1)), Namespace.DEFAULT)) {
                open(store, session, arguments[0]);
                boolean granted = false;
                long attempt = 1;
                while (true) {
                    long sent = System.nanoTime();
                    Answer<Renewed, SessionGone> renewal =
                            store.renew(session, TRY).toCompletableFuture().join();
                    if (renewal instanceof Answer.Done) {
                        System.out.println("renewed " + sent);
                    } else if (renewal instanceof Answer.Refused) {
                        System.out.println("gone");
                        return;
                    }
                    if (!granted) {
                        var view = store.read(ROLE, TRY).toCompletableFuture().join();
                        long version = view.fold(seen -> seen.version(), refused -> 0L, unknown -> 0L);
                        Answer<Grant, NotGranted> answer = store.acquire(
                                        new Acquire(session, ROLE, attempt, term, 0, version), TRY)
                                .toCompletableFuture()
                                .join();
                        if (answer instanceof Answer.Done<Grant, NotGranted> done) {
                            granted = true;
                            System.out.println("granted " + done.value().token() + " " + System.nanoTime());
                        } else if (answer instanceof Answer.Refused) {
                            attempt++;
                            System.out.println("waiting");
                        }
                    }
                    Thread.sleep(50);
                }
            }
        }

        private static void open(QuorumStore store, SessionId session, String name) {
            while (!(store.open(
                                    new OpenSession(session, new CandidateId(name, "1"), Advertised.NOTHING, LEASE),
                                    Duration.ofSeconds(10))
                            .toCompletableFuture()
                            .join()
                    instanceof Answer.Done)) {
                System.out.println("opening");
            }
        }
    }
}
