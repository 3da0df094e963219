package dev.signet.benchmarks.quorum;

import static dev.signet.benchmarks.quorum.Moments.require;

import dev.signet.benchmarks.contest.Contestant;
import dev.signet.benchmarks.contest.ContestantProcess;
import dev.signet.benchmarks.resource.SharedResource;
import dev.signet.benchmarks.server.Arena;
import dev.signet.benchmarks.server.Figures;
import dev.signet.benchmarks.server.Report;
import java.io.IOException;
import java.time.Duration;

/**
 * For how long nobody could write: at the resource, from the last commit of the old term to the first of the new one. A leader writes
 * every half a millisecond, and its successor waits all the time.
 */
final class HandoverPart implements Comparison.Part {

    private static final String ROLE = Contestant.role(0);
    private static final Duration LONGEST = Duration.ofSeconds(30);
    private static final int WRITES = 20;

    private enum Way {
        TRANSFER("by transfer", 700),
        RESIGN("by resigning", 700),
        /** With a session of its own that has to be opened again. */
        STOP("by a clean stop", 1_500);

        private final String label;
        private final int millisToWaitAgain;

        /** @param millisToWaitAgain for whoever gave up, until it waits again */
        Way(String label, int millisToWaitAgain) {
            this.label = label;
            this.millisToWaitAgain = millisToWaitAgain;
        }
    }

    @Override
    public String title(Size size) {
        return "Hand-over: last commit of the old leader to first of the new; " + size.timing();
    }

    @Override
    public void measure(Kind kind, Trio servers, Report report, Size size) throws IOException {
        try (SharedResource resource = new SharedResource();
                ContestantProcess one = kind.contestant(servers, size.timing());
                ContestantProcess another = kind.contestant(servers, size.timing())) {
            ContestantProcess leader = one;
            ContestantProcess other = another;
            lead(leader, resource);
            awaitCommits(resource, leader);
            lead(other, resource);
            Arena.pause(kind.toWaitFor(1));
            for (Way way : Way.values()) {
                if (way == Way.TRANSFER && !kind.isSignet()) {
                    continue;
                }
                Figures figures = new Figures();
                for (int round = -size.unmeasured(); round < size.handovers(); round++) {
                    Arena.pause(Duration.ofMillis(way.millisToWaitAgain));
                    resource.forget();
                    awaitCommits(resource, leader);
                    say(way, leader, other);
                    awaitCommits(resource, other);
                    if (way != Way.TRANSFER) {
                        lead(leader, resource);
                    }
                    double millis = (resource.of(other.pid()).firstNanos()
                                    - resource.of(leader.pid()).lastNanos())
                            / 1e6;
                    require(millis > 0 || !kind.isSignet(), kind + ": the old leader wrote after the new one");
                    if (round >= 0) {
                        figures.add(millis);
                    }
                    ContestantProcess before = leader;
                    leader = other;
                    other = before;
                }
                report.line(kind, way.label, figures.text("%.1f ms"));
            }
        }
    }

    private static void lead(ContestantProcess process, SharedResource resource) {
        process.say("lead " + ROLE + " " + resource.port());
    }

    private static void say(Way way, ContestantProcess leader, ContestantProcess other) {
        switch (way) {
            case TRANSFER -> leader.say("transfer " + ROLE + " " + other.name());
            case RESIGN -> leader.say("resign " + ROLE);
            case STOP -> leader.say("close");
        }
    }

    private static void awaitCommits(SharedResource resource, ContestantProcess process) {
        require(resource.await(process.pid(), WRITES, LONGEST), "it does not lead within " + LONGEST);
    }
}
