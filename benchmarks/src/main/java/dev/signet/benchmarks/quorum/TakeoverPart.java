package dev.signet.benchmarks.quorum;

import static dev.signet.benchmarks.contest.Contestant.micros;
import static dev.signet.benchmarks.quorum.Moments.awaitElected;
import static dev.signet.benchmarks.quorum.Moments.require;

import dev.signet.benchmarks.contest.ContestantProcess;
import dev.signet.benchmarks.server.Arena;
import dev.signet.benchmarks.server.Figures;
import dev.signet.benchmarks.server.Report;
import java.util.Map;
import java.util.Objects;

/**
 * Holders of one process that die together, each with a session of its own, begun at its own moment of the period; to the listener of
 * their successor, from the kill and from the end of the lease.
 *
 * <p>The end of Signet's lease is counted from when the holder sent the last renewal that was answered, so that no take-over can come
 * before it that was not too early. That of jetcd is counted from the answer, which may be a moment late. ZooKeeper's client tells of no
 * renewals.
 */
final class TakeoverPart implements Comparison.Part {

    @Override
    public String title(Size size) {
        return "Take-over after kill -9, to the successor's listener; " + size.timing();
    }

    @Override
    public void measure(Kind kind, Trio servers, Report report, Size size) {
        int roles = size.takeovers();
        try (ContestantProcess holder = kind.contestant(servers, size.timing());
                ContestantProcess successor = kind.contestant(servers, size.timing())) {
            holder.say("apart " + roles);
            awaitElected(holder, roles);
            successor.say("campaign " + roles);
            // each has renewed at least once, and is not succeeded by that
            Arena.pause(size.timing().lease().plus(kind.toWaitFor(roles)));
            require(successor.elected().isEmpty(), kind + ": a holder that lives was succeeded");
            long killed = micros();
            holder.kill();
            awaitElected(successor, roles);
            report(kind, report, size, killed, holder.renewed(), successor.elected());
        }
    }

    private static void report(
            Kind kind, Report report, Size size, long killed, Map<String, Long> renewed, Map<String, Long> elected) {
        Figures afterKill = new Figures();
        Figures overLease = new Figures();
        elected.forEach((role, at) -> {
            afterKill.add((at - killed) / 1e6);
            if (kind != Kind.CURATOR) {
                long since = Objects.requireNonNull(renewed.get(role), role + " was never renewed");
                overLease.add((at - since) / 1e3 - size.timing().lease().toMillis());
            }
        });
        report.line(kind, "from the kill", afterKill.text("%.2f s"));
        if (overLease.count() > 0) {
            report.line(kind, "over the lease", overLease.text("%.0f ms"));
        }
        if (kind.isSignet()) {
            require(overLease.least() >= 0, kind + ": a role was taken over before its lease had passed");
        }
    }
}
