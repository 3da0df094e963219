package dev.signet.store.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.signet.Answer;
import dev.signet.Namespace;
import dev.signet.Role;
import dev.signet.store.Acquire;
import dev.signet.store.Grant;
import dev.signet.store.NotGranted;
import dev.signet.store.Release;
import dev.signet.store.Renewed;
import dev.signet.store.RoleView;
import dev.signet.store.SessionGone;
import dev.signet.store.WatchObserver;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What callers see while somebody else has the write lock. */
class LockedStoreTest {

    private static final Role LEDGER = Role.of("ledger");
    private static final Duration LONG = Duration.ofSeconds(60);
    private static final Duration SHORT = Duration.ofMillis(100);

    @TempDir
    Path folder;

    private LocalStore store;
    private SqliteLink other;
    private Ask ada;

    @BeforeEach
    void open() throws SQLException {
        Path file = folder.resolve("signet.db");
        LocalStore.init(file);
        store = LocalStore.open(file, Namespace.DEFAULT, LocalStoreOptions.defaults());
        ada = new Ask(store).open(LONG);
        other = SqliteLink.to(file);
        other.beginWriting(false);
    }

    @AfterEach
    void close() throws SQLException {
        store.close();
        other.close();
    }

    @Test
    void aCallEndsWithItsTimeoutAsUnknown() {
        long began = System.nanoTime();
        assertThat(Ask.isUnknown(Ask.now(store.renew(ada.session, SHORT)))).isTrue();
        assertThat(Duration.ofNanos(System.nanoTime() - began)).isGreaterThanOrEqualTo(SHORT);
    }

    @Test
    void readsAndWatchesGoOn() throws InterruptedException {
        BlockingQueue<RoleView> views = new LinkedBlockingQueue<>();
        store.watch(LEDGER, new WatchObserver() {
            @Override
            public void observed(RoleView view) {
                views.add(view);
            }

            @Override
            public void broken(String cause) {}
        });

        assertThat(ada.read(LEDGER)).isEqualTo(RoleView.absent(LEDGER));
        assertThat(views.poll(30, TimeUnit.SECONDS)).isEqualTo(RoleView.absent(LEDGER));
    }

    @Test
    void aCallGoesThroughWhenTheLockIsFreeAgain() throws SQLException {
        CompletableFuture<Answer<Renewed, SessionGone>> renewal =
                store.renew(ada.session, LONG).toCompletableFuture();
        other.commit();

        assertThat(Ask.done(renewal)).isNotNull();
    }

    @Test
    void whatTimedOutInTheQueueIsNotDoneLater() throws SQLException {
        Acquire late = ada.request(RoleView.absent(LEDGER));
        assertThat(Ask.isUnknown(Ask.now(store.acquire(late, SHORT)))).isTrue();
        other.commit();

        assertThat(ada.renew()).isTrue();
        assertThat(ada.read(LEDGER).version()).isZero();
    }

    @Test
    void aHeartbeatOvertakesWhateverWaits() throws SQLException {
        List<CompletableFuture<?>> acquires = new ArrayList<>();
        List<String> order = new ArrayList<>();
        for (int i = 0; i < 3_000; i++) {
            Acquire request = ada.request(RoleView.absent(Role.of("role " + i)));
            acquires.add(store.acquire(request, LONG)
                    .thenRun(() -> order.add("acquire"))
                    .toCompletableFuture());
        }
        CompletableFuture<?> renewal = store.renew(ada.session, LONG)
                .thenRun(() -> order.add("renewal"))
                .toCompletableFuture();
        other.commit();
        CompletableFuture.allOf(acquires.toArray(CompletableFuture[]::new)).join();
        renewal.join();

        assertThat(order.indexOf("renewal"))
                .as("behind the batch that was under way, before all others")
                .isLessThanOrEqualTo(256);
    }

    @Test
    void whatDoesNotFitTheQueueIsUnknownAtOnceButForHeartbeats() throws SQLException {
        List<CompletableFuture<Answer<Grant, NotGranted>>> acquires = new ArrayList<>();
        for (int i = 0; i < CallQueue.MOST_WAITING + 600; i++) {
            Acquire request = ada.request(RoleView.absent(Role.of("role " + i)));
            acquires.add(store.acquire(request, LONG).toCompletableFuture());
        }
        CompletableFuture<Answer<Renewed, SessionGone>> renewal =
                store.renew(ada.session, LONG).toCompletableFuture();

        assertThat(acquires.get(acquires.size() - 1))
                .isCompletedWithValueMatching(answer -> answer.toString().contains("busy"));
        other.commit();
        assertThat(Ask.done(renewal)).isNotNull();
        long granted = acquires.stream()
                .map(Ask::now)
                .filter(answer -> answer instanceof Answer.Done)
                .count();
        assertThat(granted).isGreaterThanOrEqualTo(CallQueue.MOST_WAITING);
        assertThat(Ask.done(store.held(ada.session, LONG))).hasSize((int) granted);
    }

    @Test
    void closingTheStoreAnswersWhatWaitsAndDoesNotHang() {
        CompletableFuture<Answer<Renewed, SessionGone>> renewal =
                store.renew(ada.session, LONG).toCompletableFuture();
        CompletableFuture<Answer<RoleView, SessionGone>> release =
                store.release(new Release(ada.session, LEDGER, 1, 0), LONG).toCompletableFuture();
        long began = System.nanoTime();
        store.close();

        assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(Duration.ofSeconds(10));
        assertThat(renewal).isCompletedWithValueMatching(Ask::isUnknown);
        assertThat(release).isCompletedWithValueMatching(Ask::isUnknown);
    }
}
