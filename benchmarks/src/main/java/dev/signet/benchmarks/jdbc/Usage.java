package dev.signet.benchmarks.jdbc;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.stream.Stream;

/**
 * What one database of the server was asked to do since this was made, by pg_stat_statements, which counts every statement, BEGIN
 * and COMMIT too; and what the processes took of the processors meanwhile.
 */
final class Usage {

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

    record Result(double seconds, double statements, double serverCpuSeconds, double clientsCpuSeconds) {

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
        double statements = number("SELECT coalesce(sum(calls), 0) FROM pg_stat_statements s JOIN pg_database d"
                + " ON d.oid = s.dbid WHERE d.datname = '" + database + "'");
        return new Result(seconds, statements, serverSeconds() - serverBefore, clientSeconds() - clientsBefore);
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
