package dev.signet.app.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/** A folder in which {@code signet run} is called, with a state folder and so a default store of its own, and nothing that needs a fence. */
final class Terminal implements AutoCloseable {
    static final String ROLE = "nightly";

    private final Path folder;
    private final List<SignetProcess> started = new ArrayList<>();
    private final List<Process> locks = new ArrayList<>();

    Terminal(Path folder) {
        this.folder = folder;
    }

    SignetProcess run(String name, String... command) throws IOException {
        return run(name, List.of(), command);
    }

    SignetProcess run(String name, List<String> options, String... command) throws IOException {
        return run(name, Map.of(), options, command);
    }

    SignetProcess run(String name, Map<String, String> environment, List<String> options, String... command)
            throws IOException {
        List<String> words = new ArrayList<>(List.of("run", "--role", ROLE, "--unfenced", "a test"));
        words.addAll(options);
        words.add("--");
        words.addAll(Arrays.asList(command));
        return signet(name, environment, words.toArray(new String[0]));
    }

    SignetProcess signet(String name, Map<String, String> environment, String... words) throws IOException {
        SignetProcess process = SignetProcess.start(folder, name, environment, List.of(words));
        started.add(process);
        return process;
    }

    /** A command that ends well before the next begins. */
    void done(Map<String, String> environment, String... words) throws IOException {
        SignetProcess process = signet(String.join("-", words), environment, words);
        assertThat(process.exitCode()).as(process.err()).isZero();
    }

    /** Asks for the role of this test to be handed over. */
    SignetProcess transfer(String name, Map<String, String> environment, String to, String... more) throws IOException {
        List<String> words = new ArrayList<>(List.of("transfer", "--role", ROLE, "--to", to));
        words.addAll(Arrays.asList(more));
        return signet(name, environment, words.toArray(new String[0]));
    }

    /** Waits until the store counts it among those that campaign, so that the role can be handed over to it. */
    void awaitCampaigning(Map<String, String> environment, SignetProcess run) {
        String candidate = run.candidate();
        SignetProcess.Wait.until(
                () -> status(environment).contains(candidate), () -> candidate + " to campaign\n" + run.err());
    }

    /** One leads, another waits, and is handed the role, which then goes back: at leases so long that whoever leads was handed it. */
    void handOverAndBack(Map<String, String> environment) throws IOException {
        List<String> slow = List.of("--lease-duration", "120s", "--renew-deadline", "80s", "--retry-period", "2s");
        SignetProcess giver = run("giver", environment, with(slow, "--id", "giver"), "sleep", "1000");
        long token = giver.token();
        SignetProcess taker = run("taker", environment, with(slow, "--id", "taker"), "sleep", "1000");
        awaitCampaigning(environment, taker);

        SignetProcess there = transfer("there", environment, "taker");
        assertThat(there.exitCode()).as(there.err()).isZero();
        taker.awaitLeading(token + 1);
        SignetProcess back = transfer("back", environment, giver.candidate());
        assertThat(back.exitCode()).as(back.err()).isZero();
        giver.awaitLeading(token + 2);
        assertThat(there.err() + back.err()).isEmpty();
    }

    private static List<String> with(List<String> options, String... more) {
        List<String> all = new ArrayList<>(options);
        all.addAll(List.of(more));
        return all;
    }

    private String status(Map<String, String> environment) {
        try {
            SignetProcess status = signet("status-of-the-role", environment, "status", "--role", ROLE);
            status.exitCode();
            return status.out();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    Path store() {
        return folder.resolve("state").resolve("signet").resolve("signet.db");
    }

    String query(String sql) {
        return Shell.text(folder, "sqlite3 -readonly -cmd '.timeout 5000' " + store() + " \"" + sql + "\"");
    }

    /** Whether anybody holds the role. */
    boolean isHeld() {
        return query("SELECT count(*) FROM signet_role WHERE holder IS NOT NULL")
                .equals("1");
    }

    /** When the holder's lease ends, on the boot clock. */
    long leaseEndsAtNanos() {
        return Long.parseLong(
                query("SELECT s.ends_at_nanos FROM signet_role r JOIN signet_session s ON s.number = r.holder"));
    }

    boolean exists(String file) {
        return Files.exists(folder.resolve(file));
    }

    String read(String file) {
        SignetProcess.Wait.until(() -> exists(file), () -> "the file " + file);
        return Shell.text(folder, "cat '" + file + "'");
    }

    /** Keeps everybody from writing to the store, until {@link #unlockStore} or the end of the test. */
    void lockStore() throws IOException {
        Process sqlite = new ProcessBuilder("sqlite3", "-cmd", ".timeout 60000", store().toString()).start();
        locks.add(sqlite);
        OutputStream in = sqlite.getOutputStream();
        in.write("BEGIN IMMEDIATE;\nSELECT 'locked';\n".getBytes(StandardCharsets.UTF_8));
        in.flush();
        BufferedReader out = new BufferedReader(new InputStreamReader(sqlite.getInputStream(), StandardCharsets.UTF_8));
        if (!"locked".equals(out.readLine())) {
            throw new AssertionError("the store could not be locked");
        }
    }

    void unlockStore() {
        locks.forEach(Process::destroyForcibly);
        locks.clear();
    }

    /** The guard of a run. */
    long guardPid(SignetProcess run) {
        return Long.parseLong(Shell.text(folder, "pgrep -P " + run.pid() + " -f signet-guard"));
    }

    @Override
    public void close() {
        unlockStore();
        started.forEach(SignetProcess::close);
    }
}
