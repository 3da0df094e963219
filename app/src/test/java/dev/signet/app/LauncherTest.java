package dev.signet.app;

import static org.assertj.core.api.Assertions.assertThat;

import dev.signet.servers.EtcdServer;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** The real {@code ./signet}: what only a process shows, such as streams, signals, a full disk and the locale. */
@Tag("process")
@Execution(ExecutionMode.CONCURRENT)
class LauncherTest {

    private static final String SIGNET =
            Path.of(System.getProperty("signet.root"), "signet").toString();

    @TempDir
    private Path folder;

    /** So that no test's stderr tells of the build. */
    @BeforeAll
    static void build() throws Exception {
        assertThat(new ProcessBuilder(SIGNET, "version")
                        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                        .redirectError(ProcessBuilder.Redirect.DISCARD)
                        .start()
                        .waitFor())
                .isZero();
    }

    private record Ended(int code, String out, String err) {}

    private Process start(List<String> command) throws IOException {
        ProcessBuilder builder = new ProcessBuilder(command)
                .directory(folder.toFile())
                .redirectOutput(folder.resolve("out").toFile())
                .redirectError(folder.resolve("err").toFile());
        builder.environment().keySet().removeIf(name -> name.startsWith("SIGNET_"));
        builder.environment().put("XDG_STATE_HOME", folder.resolve("state").toString());
        return builder.start();
    }

    private Ended end(Process process) throws Exception {
        assertThat(process.waitFor(60, TimeUnit.SECONDS)).as("it ends").isTrue();
        return new Ended(process.exitValue(), read("out"), read("err"));
    }

    private String read(String name) throws IOException {
        return Files.readString(folder.resolve(name), StandardCharsets.UTF_8);
    }

    private Ended signet(String... arguments) throws Exception {
        List<String> command = new ArrayList<>(List.of(SIGNET));
        command.addAll(Arrays.asList(arguments));
        return end(start(command));
    }

    private Ended shell(String script, String... arguments) throws Exception {
        List<String> command = new ArrayList<>(List.of("bash", "-c", script, SIGNET));
        command.addAll(Arrays.asList(arguments));
        return end(start(command));
    }

    @Test
    void whatIsAskedForIsOnStdoutAndComplaintsAreOnStderr() throws Exception {
        assertThat(signet("version").out()).startsWith("signet ").hasLineCount(1);
        assertThat(signet("init").code()).isZero();

        Ended status = signet("status", "--json");
        Ended wrong = signet("status", "--store", "consul://host");

        assertThat(status.code()).isZero();
        assertThat(status.err()).isEmpty();
        assertThat(status.out())
                .startsWith("{\"store\":\"local:")
                .endsWith("}\n")
                .hasLineCount(1);
        assertThat(wrong.code()).isEqualTo(64);
        assertThat(wrong.out()).isEmpty();
        assertThat(wrong.err())
                .startsWith("signet: --store: 'consul:' is no scheme")
                .hasLineCount(1);
    }

    @Test
    void aNameThatTheLocaleCannotReadIsRefused() throws Exception {
        Ended typed = shell("LC_ALL=C \"$0\" status --role r$'\\xc3\\xb4'le");
        Ended variable = shell("LC_ALL=C SIGNET_ROLE=r$'\\xc3\\xb4'le \"$0\" status");

        assertThat(typed.code()).isEqualTo(64);
        assertThat(typed.err()).contains("LC_ALL=C.UTF-8");
        assertThat(variable.err()).contains("SIGNET_ROLE: holds characters");
    }

    @Test
    void onAFullDiskNothingIsMade() throws Exception {
        Ended full = shell(
                "unshare --user --map-root-user --mount sh -c "
                        + "'mkdir state && mount -t tmpfs -o size=16k none state && \"$0\" init; code=$?; find state; exit $code' \"$0\"");

        assertThat(full.err()).contains("there is no room left to write").hasLineCount(1);
        assertThat(full.code()).isEqualTo(78);
        assertThat(full.out().lines()).allMatch(left -> left.equals("state") || left.equals("state/signet"));
    }

    @Test
    void aReadOnlyStateFolder() throws Exception {
        Ended readOnly = shell("unshare --user --map-root-user --mount sh -c "
                + "'mkdir state && mount -t tmpfs -o ro none state && exec \"$0\" init' \"$0\"");

        assertThat(readOnly.code()).isEqualTo(78);
        assertThat(readOnly.err())
                .contains("state")
                .contains("name another place")
                .hasLineCount(1);
    }

    @Test
    void watchEndsWellByTermAndIsInterruptedByInt() throws Exception {
        signet("init");

        assertThat(watchEndedBy("TERM").code()).isZero();
        assertThat(watchEndedBy("INT").code()).isEqualTo(130);
    }

    private Ended watchEndedBy(String signal) throws Exception {
        Files.deleteIfExists(folder.resolve("out"));
        Process watch = start(List.of(SIGNET, "watch", "--role", "nightly"));
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        while (!read("out").contains("never led")) {
            assertThat(watch.isAlive() && System.nanoTime() < deadline)
                    .as(read("err"))
                    .isTrue();
            Thread.sleep(20);
        }
        new ProcessBuilder("kill", "-" + signal, Long.toString(watch.pid()))
                .start()
                .waitFor();
        return end(watch);
    }

    /** The runnable jar is what people get: nothing of its parts may be lost when they are put into one. */
    @Test
    void theJarHasEveryDriverAndItsLicence() throws IOException {
        Path built = Path.of(System.getProperty("signet.root"), ".signet", "signet.jar");
        try (ZipFile jar = new ZipFile(built.toFile())) {
            List<String> names = jar.stream().map(ZipEntry::getName).toList();
            assertThat(names)
                    .doesNotHaveDuplicates()
                    .contains(
                            "META-INF/LICENSE",
                            "META-INF/licenses/README",
                            "META-INF/licenses/LGPL-2.1",
                            "META-INF/licenses/postgresql",
                            "META-INF/licenses/protobuf",
                            "META-INF/licenses/ratis-thirdparty");
            assertThat(services(jar, "java.sql.Driver"))
                    .containsExactlyInAnyOrder("org.sqlite.JDBC", "org.postgresql.Driver", "org.mariadb.jdbc.Driver");
            assertThat(services(jar, "io.grpc.NameResolverProvider"))
                    .contains("io.grpc.internal.DnsNameResolverProvider", "io.grpc.netty.UdsNameResolverProvider");
            assertThat(services(jar, "io.grpc.LoadBalancerProvider"))
                    .contains(
                            "io.grpc.internal.PickFirstLoadBalancerProvider",
                            "io.grpc.util.OutlierDetectionLoadBalancerProvider");
            assertThat(services(jar, "org.apache.ratis.thirdparty.io.grpc.NameResolverProvider"))
                    .contains("org.apache.ratis.thirdparty.io.grpc.internal.DnsNameResolverProvider");
            assertThat(services(jar, "org.apache.ratis.thirdparty.io.grpc.LoadBalancerProvider"))
                    .contains("org.apache.ratis.thirdparty.io.grpc.internal.PickFirstLoadBalancerProvider");
            assertThat(services(jar, "org.apache.ratis.metrics.MetricRegistries"))
                    .contains("org.apache.ratis.metrics.impl.MetricRegistriesImpl");
        }
    }

    private static List<String> services(ZipFile jar, String type) throws IOException {
        try (InputStream in = jar.getInputStream(jar.getEntry("META-INF/services/" + type))) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8).lines().toList();
        }
    }

    /** The jar as it is built brings what it takes to talk to etcd. */
    @Test
    void aStoreInEtcdIsUsed() throws Exception {
        try (EtcdServer server = EtcdServer.alone()) {
            String store = "etcd://" + server.host() + ":" + server.port();

            Ended made = signet("init", "--store", store);
            Ended status = signet("status", "--store", store);

            assertThat(made.err() + status.err()).isEmpty();
            assertThat(made.out()).startsWith("made the store " + store);
            assertThat(status.out()).contains("no role was ever led here");
        }
    }

    @Test
    void completionIsUnderstoodByBash() throws Exception {
        Ended completed = shell("source <(\"$0\" completion bash) && COMP_WORDS=(./signet fence st) COMP_CWORD=2 && "
                + "complete -p signet && _complete_signet && echo \"${COMPREPLY[@]}\"");

        assertThat(completed.err()).isEmpty();
        assertThat(completed.out())
                .contains("complete -o default -F _complete_signet signet")
                .contains("status");
    }
}
