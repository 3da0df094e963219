package dev.signet.store.jdbc;

import dev.signet.Answer;
import dev.signet.Namespace;
import dev.signet.Role;
import dev.signet.StoreException;
import dev.signet.store.Acquire;
import dev.signet.store.Grant;
import dev.signet.store.NotGranted;
import dev.signet.store.RoleView;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;

/** What the tests run in a process of its own; it says what it does on standard output, a line each. */
final class StoreProcess {

    private static final Role LEDGER = Role.of("ledger");

    private StoreProcess() {}

    public static void main(String... args) throws Exception {
        Path path = Path.of(args[1]);
        switch (args[0]) {
            case "lead" -> lead(path, Duration.ofMillis(Long.parseLong(args[2])));
            case "renew" -> renew(path, Integer.parseInt(args[2]), Duration.ofMillis(Long.parseLong(args[3])));
            case "lock" -> lock(path);
            case "fill" -> fill(path);
            case "refused" -> refused(path);
            case "churn" ->
                churn(args[1], Integer.parseInt(args[2]), Integer.parseInt(args[3]), Integer.parseInt(args[4]));
            default -> throw new IllegalArgumentException(args[0]);
        }
    }

    private static void say(String line) {
        System.out.println(line);
        System.out.flush();
    }

    private static LocalStore open(Path file) {
        return LocalStore.open(file, Namespace.DEFAULT, LocalStoreOptions.defaults());
    }

    /** Takes the role and renews until it is told that its session is gone. */
    private static void lead(Path file, Duration lease) {
        try (LocalStore store = open(file)) {
            Ask ask = new Ask(store).open(lease);
            say("leads " + ask.acquire(LEDGER).token());
            while (true) {
                long sent = HostClock.system().nanos();
                if (!ask.renew()) {
                    say("gone");
                    return;
                }
                say("renewed " + sent);
                LockSupport.parkNanos(lease.toNanos() / 10);
            }
        }
    }

    /** Renews in a loop, by as many stores as threads, and says how often each did and how long it waited at most. */
    private static void renew(Path file, int threads, Duration time) throws InterruptedException {
        List<Thread> running = new ArrayList<>();
        CountDownLatch opened = new CountDownLatch(threads);
        for (int i = 0; i < threads; i++) {
            running.add(new Thread(() -> {
                try (LocalStore store = open(file)) {
                    Ask ask = new Ask(store).open(Duration.ofMinutes(1));
                    ask.renew();
                    opened.countDown();
                    opened.await();
                    long end = System.nanoTime() + time.toNanos();
                    long count = 0;
                    long longest = 0;
                    for (long began = System.nanoTime(); began < end; count++) {
                        ask.renew();
                        long now = System.nanoTime();
                        longest = Math.max(longest, now - began);
                        began = now;
                    }
                    say("renewals " + count + " " + longest / 1_000);
                } catch (InterruptedException | AssertionError e) {
                    say("failed " + e);
                    opened.countDown();
                }
            }));
        }
        running.forEach(Thread::start);
        for (Thread thread : running) {
            thread.join();
        }
        say("done");
    }

    /** Takes the write lock, writes what must never be seen, and keeps it. */
    private static void lock(Path file) throws Exception {
        try (SqliteLink link = SqliteLink.to(file)) {
            link.beginWriting(true);
            link.execute("UPDATE signet_role SET token = token + 1000");
            link.execute("DELETE FROM signet_session");
            say("locked");
            System.in.read();
        }
    }

    /** Takes roles of a store on a server, and gives most of them back. */
    private static void churn(String url, int seed, int roles, int millis) {
        try (JdbcStore store =
                JdbcStore.open(DriverDataSource.of(url), Namespace.DEFAULT, JdbcStoreOptions.defaults())) {
            say("changed " + ServerWatchTest.churn(store, seed, roles, Duration.ofMillis(millis)));
        }
    }

    /** On a file system of its own that is small: acquires until it is full, makes room, and asks the same once more. */
    private static void fill(Path folder) throws IOException {
        Path ballast = Files.write(folder.resolve("ballast"), new byte[200_000]);
        Path file = folder.resolve("signet.db");
        LocalStore.init(file);
        try (LocalStore store = open(file)) {
            Ask ask = new Ask(store).open(Duration.ofMinutes(1));
            Acquire unanswered = null;
            for (int i = 0; unanswered == null && i < 10_000; i++) {
                Acquire request = ask.request(RoleView.absent(Role.of("role " + i + " " + "x".repeat(150))));
                Answer<Grant, NotGranted> answer = Ask.now(store.acquire(request, Ask.TIMEOUT));
                if (answer instanceof Answer.Unknown<Grant, NotGranted> unknown) {
                    say("unknown " + unknown.cause());
                    unanswered = request;
                } else if (answer instanceof Answer.Refused<Grant, NotGranted> refused) {
                    say("refused " + refused);
                    return;
                }
            }
            Files.delete(ballast);
            for (int i = 0; i < 2; i++) {
                say("then " + Ask.done(store.acquire(unanswered, Ask.TIMEOUT)).token());
            }
        }
    }

    /** Says why no store can be made or opened there, and what lies there then. */
    private static void refused(Path file) throws IOException {
        try {
            LocalStore.init(file);
            say("initialised");
            open(file).close();
            say("opened");
        } catch (StoreException e) {
            say(e.kind() + " " + e.getMessage());
        }
        try (Stream<Path> files = Files.list(file.getParent())) {
            say("files " + files.map(each -> each.getFileName().toString()).toList());
        }
    }
}
