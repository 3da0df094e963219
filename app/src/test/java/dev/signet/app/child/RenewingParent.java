package dev.signet.app.child;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;

/**
 * Stands for {@code signet run} in the tests: a JVM of its own, whose every renewal succeeds at once, that a test can kill, stop and go on.
 * Arguments: a folder, lease, deadline and retry period in milliseconds, a term id, and the command.
 *
 * <p>Writes what happens to {@code report} in the folder, and obeys the files that a test puts into {@code orders}: {@code terminate-MILLIS},
 * {@code kill}, {@code suspend}, {@code hold} (no more renewals), {@code renew} (once), {@code exit}.
 */
final class RenewingParent {
    private final Path folder;
    private final Duration retryPeriod;
    private final GuardedChild child;
    private final BootClock clock;
    private boolean holding;

    private RenewingParent(Path folder, Duration retryPeriod, GuardedChild child, BootClock clock) {
        this.folder = folder;
        this.retryPeriod = retryPeriod;
        this.child = child;
        this.clock = clock;
    }

    public static void main(String[] args) throws Exception {
        Path folder = Path.of(args[0]);
        GuardSettings settings =
                GuardSettings.of(millis(args[1]), millis(args[2]), Optional.of(Duration.ofMillis(600)));
        Map<String, String> environment = Map.of("SIGNET_TERM_ID", args[4], "SIGNET_TOKEN", "7");
        List<String> words = Arrays.asList(args).subList(5, args.length);
        BootClock clock = BootClock.ofHost();
        GuardedChild child;
        long begun = System.nanoTime();
        try {
            GuardHost.Found host = Boolean.getBoolean("unguarded")
                    ? new GuardHost.Found(Optional.empty(), Optional.of("no guard"))
                    : GuardHost.look();
            child = GuardedChild.start(ChildCommand.find(words), environment, settings, clock.now(), host);
        } catch (CommandNotRunnableException e) {
            System.err.println(e.getMessage());
            Runtime.getRuntime().halt(e.exitCode());
            return;
        }
        RenewingParent parent = new RenewingParent(folder, millis(args[3]), child, clock);
        parent.report("started " + child.pid() + " " + child.guardPid().orElse(-1L) + " "
                + (System.nanoTime() - begun) / 1_000_000);
        CompletableFuture<Void> lost = child.guardLost().thenAccept(why -> parent.report("lost " + why));
        CompletableFuture<ChildEnd> ended = child.ended();
        Runtime.getRuntime().addShutdownHook(new Thread(() -> {
            parent.report("signalled");
            child.terminate(settings.stop().onResign());
            ended.join();
            Runtime.getRuntime().halt(143);
        }));
        parent.renewUntil(ended);
        ChildEnd end = ended.join();
        if (end.by() == ChildEnd.By.LOST_GUARD) {
            lost.join();
        }
        parent.report("ended " + end.exitCode() + " " + end.by() + " "
                + end.survivors().size() + " " + child.groupGone());
        Runtime.getRuntime().halt(end.exitCode());
    }

    private void renewUntil(CompletableFuture<ChildEnd> ended) throws Exception {
        long next = System.nanoTime();
        while (!ended.isDone()) {
            obey();
            if (!holding && System.nanoTime() - next >= 0) {
                BootInstant sent = clock.now();
                child.renewed(sent);
                report(sent, "renewed");
                next = System.nanoTime() + retryPeriod.toNanos();
            }
            Thread.sleep(5);
        }
    }

    private void obey() throws IOException {
        try (Stream<Path> orders = Files.list(folder.resolve("orders"))) {
            for (Path order : orders.toList()) {
                Files.delete(order);
                String[] words = order.getFileName().toString().split("-");
                switch (words[0]) {
                    case "terminate" -> child.terminate(millis(words[1]));
                    case "kill" -> child.kill();
                    case "suspend" -> child.suspend();
                    case "hold" -> holding = true;
                    case "renew" -> child.renewed(clock.now());
                    case "exit" -> Runtime.getRuntime().halt(0);
                    default -> throw new IllegalArgumentException("order " + order);
                }
                report("obeyed " + words[0]);
            }
        }
    }

    private void report(String line) {
        report(clock.now(), line);
    }

    private synchronized void report(BootInstant when, String line) {
        try {
            Files.writeString(
                    folder.resolve("report"),
                    when.hundredths() + " " + line + "\n",
                    StandardOpenOption.CREATE,
                    StandardOpenOption.APPEND);
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    private static Duration millis(String text) {
        return Duration.ofMillis(Long.parseLong(text));
    }
}
