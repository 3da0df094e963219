package dev.signet.benchmarks.quorum;

import static dev.signet.benchmarks.contest.Contestant.micros;
import static dev.signet.benchmarks.quorum.Moments.awaitElected;
import static dev.signet.benchmarks.quorum.Moments.first;
import static dev.signet.benchmarks.quorum.Moments.last;
import static dev.signet.benchmarks.quorum.Moments.require;

import dev.signet.benchmarks.contest.ContestantProcess;
import dev.signet.benchmarks.server.Arena;
import dev.signet.benchmarks.server.Figures;
import dev.signet.benchmarks.server.Report;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Very many roles on one session: taken by one process; taken again by it after it slept beyond its lease; taken over by another that
 * waits for them, after {@code kill -9}.
 */
final class MassPart implements Comparison.Part {

    /** After the lease, for the store to see it, and those who wait. */
    private static final Duration BEYOND = Duration.ofSeconds(4);

    @Override
    public String title(Size size) {
        return String.format(
                Locale.ROOT, "Mass: %,d roles on one session, or as many as said; %s", size.mass(), size.timing());
    }

    @Override
    public void measure(Kind kind, Trio servers, Report report, Size size) {
        int held = kind.held(size.mass());
        List<ContestantProcess> processes = new ArrayList<>();
        try {
            warmUp(kind, servers, held, size);
            ContestantProcess holder = begin(kind, servers, size, processes);
            Load load = Load.begin(servers.processes(), List.of(holder.handle()));
            long begun = micros();
            holder.say("take " + held);
            awaitElected(holder, held);
            Figures taken = new Figures();
            taken.add((last(holder.elected()) - begun) / 1e6);
            report.line(
                    kind,
                    roles(held) + " taken",
                    taken.text("%.2f s")
                            + String.format(Locale.ROOT, "; servers %.1f s of a processor", load.serverSeconds()));
            if (kind == Kind.JETCD) {
                report.line(kind, "taken again", "left to its user: a lease that is lost stays lost");
            } else {
                takenAgain(kind, holder, held, report, size);
            }
            move(kind, servers, processes, report, size);
        } finally {
            processes.forEach(ContestantProcess::close);
        }
    }

    /** Servers run for long, and those in Java are slow at first: another process takes all once, and gives them back. */
    private static void warmUp(Kind kind, Trio servers, int roles, Size size) {
        try (ContestantProcess other = kind.contestant(servers, size.timing())) {
            other.say("take " + roles);
            awaitElected(other, roles);
            other.say("close");
            Arena.pause(kind.toWaitFor(roles));
        }
    }

    private static ContestantProcess begin(Kind kind, Trio servers, Size size, List<ContestantProcess> processes) {
        ContestantProcess process = kind.contestant(servers, size.timing());
        processes.add(process);
        return process;
    }

    private static void takenAgain(Kind kind, ContestantProcess holder, int roles, Report report, Size size) {
        holder.freeze();
        Arena.pause(size.timing().lease().plus(BEYOND));
        holder.forget();
        long thawed = micros();
        holder.thaw();
        awaitElected(holder, roles);
        Figures again = new Figures();
        again.add((last(holder.elected()) - thawed) / 1e6);
        report.line(kind, roles(roles) + " again, from waking", again.text("%.2f s"));
    }

    private static void move(Kind kind, Trio servers, List<ContestantProcess> processes, Report report, Size size) {
        int waited = kind.waited(size.mass());
        Figures spread = new Figures();
        Figures afterKill = new Figures();
        for (int move = 0; move < size.moves(); move++) {
            ContestantProcess holder = processes.get(processes.size() - 1);
            ContestantProcess successor = begin(kind, servers, size, processes);
            successor.say("campaign " + waited);
            Arena.pause(kind.toWaitFor(waited));
            require(successor.elected().isEmpty(), kind + ": a holder that lives was succeeded");
            long killed = micros();
            holder.kill();
            awaitElected(successor, waited);
            spread.add((last(successor.elected()) - first(successor.elected())) / 1e6);
            afterKill.add((last(successor.elected()) - killed) / 1e6);
        }
        report.line(kind, roles(waited) + " moved, first to last", spread.text("%.2f s"));
        report.line(kind, "from the kill to the last", afterKill.text("%.2f s"));
    }

    private static String roles(int count) {
        return String.format(Locale.ROOT, "%,d roles", count);
    }
}
