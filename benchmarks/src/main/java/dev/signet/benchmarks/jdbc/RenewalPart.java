package dev.signet.benchmarks.jdbc;

import dev.signet.Advertised;
import dev.signet.Answer;
import dev.signet.CandidateId;
import dev.signet.Namespace;
import dev.signet.Role;
import dev.signet.TermId;
import dev.signet.benchmarks.contest.Contestant;
import dev.signet.benchmarks.server.Arena;
import dev.signet.benchmarks.server.Figures;
import dev.signet.benchmarks.server.Report;
import dev.signet.store.Acquire;
import dev.signet.store.OpenSession;
import dev.signet.store.Release;
import dev.signet.store.SessionId;
import dev.signet.store.jdbc.DriverDataSource;
import dev.signet.store.jdbc.JdbcStore;
import dev.signet.store.jdbc.JdbcStoreOptions;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicLong;

/** How long the store takes to answer a renewal: alone, and while 32 roles are taken and given back all the time. */
final class RenewalPart implements Comparison.Part {

    private static final Duration TIMEOUT = Duration.ofSeconds(5);
    private static final Duration SHORTEST_PAUSE = Duration.ofMillis(10);
    private static final int IN_FLIGHT = 32;

    @Override
    public void measure(Arena arena, Report report, Size size) throws SQLException {
        report.part("Renewal: from the request to the store's answer");
        String url = Kind.SIGNET.prepare(arena, Kind.SIGNET.databaseFor("renewal"));
        try (JdbcStore store =
                JdbcStore.open(DriverDataSource.of(url), Namespace.DEFAULT, JdbcStoreOptions.defaults())) {
            SessionId session = open(store);
            renewals(store, session, size.renewals());
            report.line(
                    Kind.SIGNET,
                    "at rest",
                    renewals(store, session, size.renewals()).text("%.2f ms"));
            try (Traffic traffic = new Traffic(store)) {
                Arena.pause(Duration.ofSeconds(1));
                long before = traffic.grants();
                long begun = System.nanoTime();
                Figures beside = renewals(store, session, size.renewals());
                double grants = (traffic.grants() - before) / ((System.nanoTime() - begun) / 1e9);
                report.line(Kind.SIGNET, "beside %.0f grants/s".formatted(grants), beside.text("%.2f ms"));
            }
        }
    }

    private static SessionId open(JdbcStore store) {
        SessionId session = SessionId.random();
        CandidateId candidate = CandidateId.incarnationOf("benchmark");
        OpenSession request = new OpenSession(session, candidate, Advertised.NOTHING, Duration.ofSeconds(60));
        done(store.open(request, TIMEOUT));
        return session;
    }

    private static Figures renewals(JdbcStore store, SessionId session, int count) {
        Figures figures = new Figures();
        for (int i = 0; i < count; i++) {
            Arena.pause(SHORTEST_PAUSE.plus(Arena.upTo(SHORTEST_PAUSE)));
            long begun = System.nanoTime();
            done(store.renew(session, TIMEOUT));
            figures.add((System.nanoTime() - begun) / 1e6);
        }
        return figures;
    }

    private static <D, R> D done(CompletionStage<Answer<D, R>> answer) {
        return answer.toCompletableFuture()
                .join()
                .fold(
                        value -> value,
                        why -> {
                            throw new IllegalStateException("refused: " + why);
                        },
                        unknown -> {
                            throw new IllegalStateException(unknown.cause());
                        });
    }

    /** Each role on its own: taken, given back, taken again. */
    private static final class Traffic implements AutoCloseable {

        private final JdbcStore store;
        private final SessionId session;
        private final AtomicLong grants = new AtomicLong();
        private volatile boolean over;

        Traffic(JdbcStore store) {
            this.store = store;
            this.session = open(store);
            for (int role = 0; role < IN_FLIGHT; role++) {
                take(Role.of(Contestant.role(role)), 1, 0);
            }
        }

        long grants() {
            return grants.get();
        }

        private void take(Role role, long attempt, long version) {
            if (over) {
                return;
            }
            Acquire acquire = new Acquire(session, role, attempt, TermId.random(), 0, version);
            CompletionStage<Void> unused = store.acquire(acquire, TIMEOUT)
                    .thenAccept(answer -> answer.handle(
                            grant -> {
                                grants.incrementAndGet();
                                giveBack(role, attempt, grant.version());
                            },
                            why -> System.err.println("refused: " + why),
                            unknown -> take(role, attempt, version)));
        }

        private void giveBack(Role role, long attempt, long version) {
            CompletionStage<Void> unused = store.release(new Release(session, role, attempt, version), TIMEOUT)
                    .thenAccept(answer -> answer.handle(
                            view -> take(role, attempt + 1, view.version()),
                            gone -> {},
                            unknown -> giveBack(role, attempt, version)));
        }

        @Override
        public void close() {
            over = true;
        }
    }
}
