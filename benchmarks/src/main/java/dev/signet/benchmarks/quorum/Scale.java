package dev.signet.benchmarks.quorum;

import dev.signet.benchmarks.contest.Contestant;
import dev.signet.benchmarks.contest.ContestantProcess;
import dev.signet.benchmarks.contest.Timing;
import dev.signet.benchmarks.server.Disk;
import dev.signet.benchmarks.server.Figures;
import dev.signet.benchmarks.server.Report;
import dev.signet.store.quorum.wire.VoterStatus;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Collections;
import java.util.List;
import java.util.Map;

/** Starts three voters, measures on them, prints the figures as they come, and ends by itself. */
public final class Scale {

    private static final Duration LONGEST = Duration.ofMinutes(2);
    private static final Duration TO_WATCH = Duration.ofSeconds(5);
    private static final String ROLE = Contestant.role(0);

    private final Report report;
    private final Voters voters;

    private record Size(int mass, int massRounds, Duration rest, int takeovers, int handovers) {
        private static final Size FULL = new Size(10_000, 3, Duration.ofSeconds(30), 20, 40);
        private static final Size TINY = new Size(200, 1, Duration.ofSeconds(3), 1, 3);
    }

    private Scale(Report report, Voters voters) {
        this.report = report;
        this.voters = voters;
    }

    /** [--tiny] [mass|handover|takeover]..., all of them if none is named. */
    public static void main(String[] args) throws IOException {
        List<String> named = List.of(args);
        Size size = named.contains("--tiny") ? Size.TINY : Size.FULL;
        boolean all = named.stream().allMatch("--tiny"::equals);
        Report report = new Report(System.out, Report.Detail.FIGURES);
        try (Voters voters = new Voters()) {
            Disk.describe(report, voters.folder());
            Scale scale = new Scale(report, voters);
            if (all || named.contains("mass")) {
                scale.mass(size);
            }
            if (all || named.contains("handover")) {
                scale.handover(size.handovers());
            }
            if (all || named.contains("takeover")) {
                scale.takeover(size.takeovers());
            }
        }
    }

    /** Each round with another candidate's process; the successor waits for all roles from the beginning. */
    private void mass(Size size) throws IOException {
        report.part(String.format("Mass: %,d roles on one session, %s", size.mass(), Timing.USUAL));
        Figures taken = new Figures();
        Figures spread = new Figures();
        ContestantProcess holder = candidate();
        for (int round = 0; round < size.massRounds(); round++) {
            long begun = micros();
            if (round == 0) {
                holder.say("campaign " + size.mass());
                require(holder.awaitElected(size.mass(), LONGEST));
                taken.add((last(holder.elected()) - begun) / 1e6);
                rest(size);
            }
            ContestantProcess successor = candidate();
            successor.say("campaign " + size.mass());
            Voters.pause(TO_WATCH);
            holder.kill();
            require(successor.awaitElected(size.mass(), LONGEST));
            spread.add((last(successor.elected())
                            - Collections.min(successor.elected().values()))
                    / 1e6);
            holder = successor;
        }
        report.line("Signet", "taken", taken.text("%.2f s"));
        report.line("Signet", "taken over, first to last", spread.text("%.2f s"));
        holder.kill();
        Voters.pause(Timing.USUAL.lease().plusSeconds(2));
    }

    /** While nothing happens but heartbeats. */
    private void rest(Size size) throws IOException {
        double cpu = voters.cpuSeconds();
        long bytes = voters.bytes();
        long index = voters.leader().map(VoterStatus::committedIndex).orElse(-1L);
        Voters.pause(size.rest());
        double seconds = size.rest().toMillis() / 1e3;
        report.line(
                "Signet",
                "at rest",
                String.format(
                        "%.2f %% of a processor for each voter, %d entries and %d bytes of log in %.0f s",
                        100 * (voters.cpuSeconds() - cpu) / seconds / 3,
                        voters.leader().map(VoterStatus::committedIndex).orElse(-1L) - index,
                        voters.bytes() - bytes,
                        seconds));
    }

    private void handover(int rounds) {
        report.part("Hand-over: from resigning to the successor's listener, " + Timing.USUAL);
        Figures figures = new Figures();
        try (ContestantProcess one = candidate();
                ContestantProcess another = candidate()) {
            ContestantProcess leader = one;
            ContestantProcess other = another;
            leader.say("campaign 1");
            require(leader.awaitElected(1, LONGEST));
            other.say("campaign 1");
            for (int round = 0; round < rounds; round++) {
                Voters.pause(Duration.ofMillis(400));
                leader.forget();
                other.forget();
                leader.say("resign " + ROLE);
                require(other.awaitElected(1, LONGEST));
                figures.add((last(other.elected()) - last(leader.resigned())) / 1e3);
                leader.say("again " + ROLE);
                ContestantProcess before = leader;
                leader = other;
                other = before;
            }
        }
        report.line("Signet", "", figures.text("%.1f ms"));
        Voters.pause(Timing.USUAL.lease().plusSeconds(2));
    }

    /** Candidates of one process, each with a session of its own, that die together. */
    private void takeover(int roles) {
        report.part("Take-over after kill -9: from the kill to the successor's listener, " + Timing.USUAL);
        Figures figures = new Figures();
        try (ContestantProcess holder = candidate();
                ContestantProcess successor = candidate()) {
            holder.say("apart " + roles);
            require(holder.awaitElected(roles, LONGEST));
            successor.say("campaign " + roles);
            Voters.pause(Timing.USUAL.lease().plus(TO_WATCH));
            require(successor.elected().isEmpty());
            long killed = micros();
            holder.kill();
            require(successor.awaitElected(roles, LONGEST));
            successor.elected().values().forEach(at -> figures.add((at - killed) / 1e6));
        }
        report.line("Signet", "renewals are up to 2 s old", figures.text("%.2f s"));
    }

    private ContestantProcess candidate() {
        return new ContestantProcess(QuorumContestant.class, List.of(voters.place()), Timing.USUAL).awaitReady();
    }

    private static long last(Map<String, Long> times) {
        return Collections.max(times.values());
    }

    private static long micros() {
        return ChronoUnit.MICROS.between(Instant.EPOCH, Instant.now());
    }

    private static void require(boolean holds) {
        if (!holds) {
            throw new IllegalStateException("not within " + LONGEST + ", or too early");
        }
    }
}
