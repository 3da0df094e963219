package dev.signet.fence.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.signet.Stamp;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/** The plain command of a database, in a process of its own, that is spoken to; and scripts. */
final class Shell implements AutoCloseable {

    final Process process;
    private final String echo;
    private final Writer input;
    private final BufferedReader output;
    private int asked;

    /** @param echo how it is told to print a line, which stands for {@code %s} */
    Shell(ProcessBuilder command, String echo) throws IOException {
        this.echo = echo;
        process = command.start();
        input = process.outputWriter(StandardCharsets.UTF_8);
        output = process.inputReader(StandardCharsets.UTF_8);
    }

    /** As {@code signet run} starts one. */
    static ProcessBuilder command(Stamp stamp, Map<String, String> environment, String... command) {
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().putAll(environment);
        builder.environment().put("SIGNET_ROLE", stamp.role().name());
        builder.environment().put("SIGNET_STORE_ID", stamp.storeId().value());
        builder.environment().put("SIGNET_TOKEN", stamp.token().toString());
        builder.environment().put("SIGNET_TERM_ID", stamp.termId().secret());
        return builder;
    }

    static Ended script(ProcessBuilder script) throws IOException, InterruptedException {
        Process process = script.start();
        process.getOutputStream().close();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return new Ended(process.waitFor(), output);
    }

    record Ended(int code, String output) {}

    void send(String script) {
        Thread writer = new Thread(() -> {
            try {
                input.write(script);
                input.flush();
            } catch (IOException e) {
                // the shell is gone; the reader says so
            }
        });
        writer.setDaemon(true);
        writer.start();
    }

    /** What it printed for this and whatever was sent before. */
    String run(String sql) throws IOException {
        String end = "-- end of " + ++asked;
        send(sql + "\n" + echo.formatted(end) + "\n");
        StringBuilder printed = new StringBuilder();
        for (String line = output.readLine(); line != null && !line.equals(end); line = output.readLine()) {
            printed.append(line).append('\n');
        }
        return printed.toString();
    }

    void signal(String name) throws IOException, InterruptedException {
        Process kill = new ProcessBuilder("kill", "-" + name, Long.toString(process.pid())).start();
        assertThat(kill.waitFor()).isZero();
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }
}
