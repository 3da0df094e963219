package dev.signet.app.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.signet.app.child.BootClock;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/**
 * A folder with a store, a ledger whose table the database itself protects, and a shell script that writes to it with the plain
 * {@code sqlite3} command: the README's first example, with two terminals or more.
 */
final class Ledger {
    static final String ROLE = "nightly";

    /** The default. */
    private static final Duration LEASE = Duration.ofSeconds(15);

    /** Writes a row every quarter of a second, for ever; what is refused goes to {@code NAME.refused}. */
    private static final String SCRIPT = """
            echo "$SIGNET_TERM_ID" > "term-$SIGNET_TOKEN"
            while :; do
                sqlite3 -cmd '.timeout 3000' ledger.db "INSERT INTO ledger (writer, at, signet_token, signet_term) \
            VALUES ('$1', julianday('now'), $SIGNET_TOKEN, '$SIGNET_TERM_ID')" 2>> "$1.refused"
                sleep 0.25
            done
            """;

    private final Path folder;

    Ledger(Path folder) throws IOException {
        this.folder = folder;
        Files.writeString(folder.resolve("writer.sh"), SCRIPT);
        Shell.text(
                folder,
                "sqlite3 ledger.db 'CREATE TABLE ledger (id INTEGER PRIMARY KEY, writer TEXT NOT NULL, at REAL NOT NULL,"
                        + " signet_token INTEGER NOT NULL, signet_term TEXT)'");
        try (SignetProcess init = start("init", "init", "--store", "local:store.db")) {
            assertThat(init.exitCode()).as(init.err()).isZero();
        }
        fence("init", "--role", ROLE, "--store", "local:store.db");
        fence("protect", "--table", "ledger");
    }

    private void fence(String verb, String... more) throws IOException {
        List<String> words = new ArrayList<>(List.of("fence", verb, "--protect", "sqlite:ledger.db#ledger"));
        words.addAll(List.of(more));
        try (SignetProcess fence = start("fence-" + verb, words.toArray(new String[0]))) {
            assertThat(fence.exitCode()).as(fence.err()).isZero();
        }
    }

    private SignetProcess start(String name, String... arguments) throws IOException {
        return SignetProcess.start(folder, name, Map.of(), List.of(arguments));
    }

    /** Campaigns, at the default timings, to run the script. */
    SignetProcess campaign(String name) throws IOException {
        return run(name, List.of(), "sh", "writer.sh", name);
    }

    SignetProcess run(String name, List<String> options, String... command) throws IOException {
        List<String> words = new ArrayList<>(List.of(
                "run",
                "--role",
                ROLE,
                "--store",
                "local:store.db",
                "--protect",
                "sqlite:ledger.db#ledger",
                "--id",
                name));
        words.addAll(options);
        words.add("--");
        words.addAll(Arrays.asList(command));
        return start(name, words.toArray(new String[0]));
    }

    long rows(String where) {
        return Long.parseLong(query("ledger.db", "SELECT count(*) FROM ledger WHERE " + where));
    }

    String query(String file, String sql) {
        return Shell.text(folder, "sqlite3 -readonly -cmd '.timeout 5000' " + file + " \"" + sql + "\"");
    }

    /** What the database answers to a write under the term that had this token. */
    Shell.Result writeAs(long token) {
        return Shell.run(
                folder,
                "sqlite3 -cmd '.timeout 5000' ledger.db \"INSERT INTO ledger (writer, at, signet_token, signet_term)"
                        + " VALUES ('zombie', 0, " + token + ", '$(cat term-" + token + ")')\"");
    }

    String refusedTo(String name) throws IOException {
        return Files.readString(folder.resolve(name + ".refused"));
    }

    /** Of the session that holds the role: how often it was renewed, and when its lease ends on the boot clock. */
    record Lease(long renewals, long endsAtNanos) {}

    Lease lease() {
        String[] columns = query(
                        "store.db",
                        "SELECT s.renewals, s.ends_at_nanos FROM signet_role r JOIN signet_session s ON s.number = r.holder")
                .split("\\|", -1);
        return new Lease(Long.parseLong(columns[0]), Long.parseLong(columns[1]));
    }

    /** Returns right after the holder's session was renewed. */
    Lease awaitRenewal() {
        long before = lease().renewals();
        SignetProcess.Wait.until(() -> lease().renewals() > before, () -> "a renewal");
        Lease lease = lease();
        Duration left =
                Duration.ofNanos(lease.endsAtNanos() - BootClock.ofHost().now().hundredths() * 10_000_000L);
        assertThat(left).as("what a renewal leaves of a lease").isBetween(LEASE.minusSeconds(5), LEASE.plusMillis(20));
        return lease;
    }

    Path folder() {
        return folder;
    }
}
