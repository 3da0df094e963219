package dev.signet.benchmarks.quorum;

import static dev.signet.benchmarks.contest.Contestant.micros;

import dev.signet.benchmarks.contest.ContestantProcess;
import dev.signet.benchmarks.server.Arena;
import dev.signet.benchmarks.server.Figures;
import dev.signet.benchmarks.server.Report;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Very many sessions of a few processes, each with a role of its own. */
final class SessionsPart implements Comparison.Part {

    private static final int PROCESSES = 4;

    @Override
    public String title(Size size) {
        return String.format(
                Locale.ROOT,
                "Sessions: %,d in %d processes, a role each, then %d s of renewals; %s",
                size.sessions(),
                PROCESSES,
                size.rest().toSeconds(),
                size.timing());
    }

    @Override
    public void measure(Kind kind, Trio servers, Report report, Size size) {
        List<ContestantProcess> processes = new ArrayList<>();
        try {
            for (int i = 0; i < PROCESSES; i++) {
                processes.add(kind.contestant(servers, size.timing()));
            }
            open(kind, processes, report, size.sessions() / PROCESSES);
            processes.forEach(ContestantProcess::renewals);
            Load load = Load.begin(
                    servers.processes(),
                    processes.stream().map(ContestantProcess::handle).toList());
            Arena.pause(size.rest());
            report.line(kind, "at rest", load.text());
            if (kind.isSignet()) {
                Figures renewals = new Figures();
                processes.forEach(process -> renewals.addAll(process.renewals()));
                report.line(kind, "a renewal, of one session in ten", renewals.text("%.1f ms"));
            }
        } finally {
            processes.forEach(ContestantProcess::close);
        }
    }

    private static void open(Kind kind, List<ContestantProcess> processes, Report report, int each) {
        long begun = micros();
        for (int i = 0; i < processes.size(); i++) {
            processes.get(i).say("sessions " + i * each + " " + each);
        }
        long last = begun;
        for (ContestantProcess process : processes) {
            Moments.awaitElected(process, each);
            last = Math.max(last, Moments.last(process.elected()));
        }
        Figures opened = new Figures();
        opened.add((last - begun) / 1e6);
        report.line(kind, "until each leads its role", opened.text("%.2f s"));
    }
}
