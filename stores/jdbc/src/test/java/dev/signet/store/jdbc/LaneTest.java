package dev.signet.store.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.signet.Answer;
import dev.signet.Namespace;
import dev.signet.StoreId;
import dev.signet.store.Concluded;
import dev.signet.store.SessionGone;
import dev.signet.store.StoreRefusal;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a lane does where more is asked than can be done. */
class LaneTest {

    private static final int CROWD = 300;
    private static final Duration SHORT = Duration.ofMillis(400);
    private static final Duration LONG = Duration.ofSeconds(60);

    @TempDir
    Path folder;

    @Test
    void inACrowdNothingIsDoneForWhoWillBeGoneByThen() throws Exception {
        Path file = folder.resolve("signet.db");
        LocalStore.init(file);
        AtomicInteger done = new AtomicInteger();
        AtomicInteger doneInVain = new AtomicInteger();
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch asked = new CountDownLatch(1);
        try (Lane lane = lane(file)) {
            List<CompletableFuture<?>> answers = new ArrayList<>();
            List<Call<?, ?>> old = new ArrayList<>();
            Call<Concluded, SessionGone> first = call(LONG, () -> {
                begun.countDown();
                await(asked);
                old.forEach(LaneTest::awaitLate);
            });
            lane.submit(first);
            await(begun);
            for (int i = 0; i < CROWD; i++) {
                Call<Concluded, SessionGone> call = call(SHORT, doneInVain::incrementAndGet);
                old.add(call);
                lane.submit(call);
            }
            for (int i = 0; i < 2 * CROWD; i++) {
                Call<Concluded, SessionGone> call = call(LONG, done::incrementAndGet);
                answers.add(call.answer(() -> "").toCompletableFuture());
                lane.submit(call);
            }
            asked.countDown();
            CompletableFuture.allOf(answers.toArray(CompletableFuture[]::new)).get(30, TimeUnit.SECONDS);
        }

        assertThat(done).hasValue(2 * CROWD);
        assertThat(doneInVain).hasValue(0);
    }

    private static void awaitLate(Call<?, ?> call) {
        while (!call.isLate()) {
            Thread.onSpinWait();
        }
    }

    private static void await(CountDownLatch latch) {
        try {
            assertThat(latch.await(30, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private static Call<Concluded, SessionGone> call(Duration timeout, Runnable work) {
        return new Call<>(
                Call.Weight.LIGHT,
                Optional.empty(),
                (link, id) -> {
                    work.run();
                    return Answer.done(Concluded.CONCLUDED);
                },
                why -> Answer.unknown(why.message()),
                timeout);
    }

    private static Lane lane(Path file) {
        Transactions transactions = new Transactions(Namespace.DEFAULT, new Leases());
        return new Lane(Database.Use.WRITES, new OneFile(file), transactions, "lane", () -> {});
    }

    private record OneFile(Path file) implements Database {

        @Override
        public Opened connect(Use use) throws SQLException {
            return new Opened(SqliteLink.to(file), StoreId.random(), Optional.empty());
        }

        @Override
        public String whileConnecting() {
            return "";
        }

        @Override
        public boolean isStill(Opened opened) {
            return true;
        }

        @Override
        public Optional<StoreRefusal> refusal(SQLException fault) {
            return Optional.empty();
        }

        @Override
        public boolean isBusy(SQLException fault) {
            return false;
        }

        @Override
        public boolean isLost(SQLException fault) {
            return false;
        }

        @Override
        public void pause(int tries) {}
    }
}
