package dev.signet.benchmarks.jdbc;

import dev.signet.benchmarks.contest.ContestantProcess;
import dev.signet.benchmarks.contest.Timing;
import java.util.ArrayList;
import java.util.List;

/** Several of one kind on one database. */
final class Processes implements AutoCloseable {

    private final List<ContestantProcess> all = new ArrayList<>();

    Processes(int count, Kind kind, String url, Timing timing) {
        for (int i = 0; i < count; i++) {
            all.add(new ContestantProcess(JdbcContestant.class, List.of(kind.name(), url), timing));
        }
        all.forEach(ContestantProcess::awaitReady);
    }

    List<ContestantProcess> all() {
        return all;
    }

    ContestantProcess get(int index) {
        return all.get(index);
    }

    void say(String command) {
        all.forEach(process -> process.say(command));
    }

    @Override
    public void close() {
        all.forEach(ContestantProcess::close);
    }
}
