package dev.signet.benchmarks.jdbc;

import dev.signet.benchmarks.contest.ContestantProcess;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/**
 * What one database of the server was asked to do since this was made, by pg_stat_statements, and what the processes took of the
 * processors meanwhile. BEGIN, COMMIT and ROLLBACK are left out: of those that a driver has prepared, the server forgets most.
 */
final class Usage {

    private static final int SHOWN = 24;
    private static final double TICKS_PER_SECOND = 100;

    private final Connection connection;
    private final String database;
    private final List<ContestantProcess> clients;
    private final long begunNanos;
    private final double serverBefore;
    private final double clientsBefore;

    private Usage(Connection connection, String database, List<ContestantProcess> clients) throws SQLException {
        this.connection = connection;
        this.database = database;
        this.clients = clients;
        this.serverBefore = serverSeconds();
        this.clientsBefore = clientSeconds();
        number("SELECT count(*) FROM (SELECT pg_stat_statements_reset()) AS reset");
        this.begunNanos = System.nanoTime();
    }

    static Usage begin(Connection atServer, String database, List<ContestantProcess> clients) throws SQLException {
        return new Usage(atServer, database, clients);
    }

    /** @param most which statements were asked most often, a line each */
    record Result(
            double seconds, double statements, double serverCpuSeconds, double clientsCpuSeconds, List<String> most) {

        double statementsPerSecond() {
            return statements / seconds;
        }

        double serverPercent() {
            return 100 * serverCpuSeconds / seconds;
        }

        double clientsPercent() {
            return 100 * clientsCpuSeconds / seconds;
        }
    }

    Result end() throws SQLException {
        double seconds = (System.nanoTime() - begunNanos) / 1e9;
        double statements = number("SELECT coalesce(sum(calls), 0)" + counted());
        double serverSeconds = serverSeconds() - serverBefore;
        double clientSeconds = clientSeconds() - clientsBefore;
        return new Result(seconds, statements, serverSeconds, clientSeconds, most());
    }

    private String counted() {
        return " FROM pg_stat_statements s JOIN pg_database d ON d.oid = s.dbid WHERE d.datname = '" + database
                + "' AND s.query NOT IN ('BEGIN', 'COMMIT', 'ROLLBACK')";
    }

    private List<String> most() throws SQLException {
        List<String> lines = new ArrayList<>();
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("SELECT calls, rows, total_exec_time,"
                        + " left(regexp_replace(query, '\\s+', ' ', 'g'), 120)" + counted()
                        + " ORDER BY calls DESC LIMIT " + SHOWN)) {
            while (rows.next()) {
                lines.add(String.format(
                        Locale.ROOT,
                        "%,9d times, %,10d rows, %,9.0f ms  %s",
                        rows.getLong(1),
                        rows.getLong(2),
                        rows.getDouble(3),
                        rows.getString(4)));
            }
        }
        return lines;
    }

    private double number(String sql) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(sql)) {
            row.next();
            return row.getDouble(1);
        }
    }

    private double clientSeconds() {
        return clients.stream().mapToDouble(ContestantProcess::cpuSeconds).sum();
    }

    /** Of the parent of our own backend and all its children, those that ended included. */
    private double serverSeconds() throws SQLException {
        ProcessHandle backend =
                ProcessHandle.of((long) number("SELECT pg_backend_pid()")).orElseThrow();
        ProcessHandle server = backend.parent().orElseThrow();
        return Stream.concat(Stream.of(server), server.children())
                        .mapToLong(Usage::ticks)
                        .sum()
                / TICKS_PER_SECOND;
    }

    private static long ticks(ProcessHandle process) {
        try {
            String stat = Files.readString(Path.of("/proc", String.valueOf(process.pid()), "stat"));
            // after the name: state is the third field; of the whole line, user, system and those of ended children are
            // 14 to 17
            String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
            long ticks = 0;
            for (int field = 11; field <= 14; field++) {
                ticks += Long.parseLong(fields[field]);
            }
            return ticks;
        } catch (IOException e) {
            if (process.isAlive()) {
                throw new UncheckedIOException(e);
            }
            return 0;
        }
    }
}
