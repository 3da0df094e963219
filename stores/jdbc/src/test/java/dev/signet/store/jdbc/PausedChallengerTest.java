package dev.signet.store.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.signet.Answer;
import dev.signet.FencingToken;
import dev.signet.Role;
import dev.signet.store.Acquire;
import dev.signet.store.Grant;
import dev.signet.store.NotGranted;
import dev.signet.store.RoleView;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestReporter;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A challenger that is stopped in the midst of its transaction, and keeps what it has locked. */
@Tag("process")
@Execution(ExecutionMode.CONCURRENT)
class PausedChallengerTest {

    private static final Role STUCK = Role.of("stuck");
    private static final int STUCK_ROLES = 400;
    private static final Duration LONG = Duration.ofMinutes(5);
    private static final Duration SHORT = Duration.ofMillis(10);
    private static final Duration SLACK = Duration.ofSeconds(8);

    private Site site;

    @AfterEach
    void close() {
        site.close();
    }

    /** Stands still at one statement until it may go on, which is longer than the server allows. */
    private static final class Sleeper implements Disturbance {

        private final CountDownLatch goOn;
        private final int at;
        private int sent;
        private volatile boolean armed;
        private volatile boolean asleep;

        Sleeper(int at, CountDownLatch goOn) {
            this.at = at;
            this.goOn = goOn;
        }

        @Override
        public void before(Step step) throws SQLException {
            if (armed && step.isWrite() && sent++ == at) {
                asleep = true;
                try {
                    goOn.await();
                } catch (InterruptedException e) {
                    throw new SQLException(e);
                }
            }
        }
    }

    private record Challenger(Sleeper sleeper, Acquire request, CompletableFuture<Answer<Grant, NotGranted>> answer) {}

    @ParameterizedTest
    @EnumSource(Product.class)
    void whereverAChallengerIsStoppedAThirdGetsTheRole(Product product, TestReporter reporter) {
        site = Site.on(product);
        CountDownLatch goOn = new CountDownLatch(1);
        List<Challenger> challengers = new ArrayList<>();
        Ask bob = site.candidate(LONG);
        boolean asleep = true;
        while (asleep) {
            Sleeper sleeper = new Sleeper(challengers.size(), goOn);
            Role role = Role.of("role " + challengers.size());
            new Ask(bob.store).open(SHORT).acquire(role);
            Ask challenger = new Ask(site.store(sleeper, Site.OPTIONS)).open(LONG);
            Site.await("expired", SLACK, () -> challenger.read(role).claimable());
            Acquire request = challenger.request(challenger.read(role));
            sleeper.armed = true;
            CompletableFuture<Answer<Grant, NotGranted>> answer =
                    challenger.store.acquire(request, LONG).toCompletableFuture();
            Site.await("asleep or granted", SLACK, () -> sleeper.asleep || answer.isDone());
            asleep = sleeper.asleep;
            challengers.add(new Challenger(sleeper, request, answer));
        }
        List<Long> waits = new ArrayList<>();
        long began = System.nanoTime();
        for (Challenger each : challengers.subList(0, challengers.size() - 1)) {
            Role role = each.request.role();
            Acquire request = bob.request(bob.read(role));
            Grant grant = Ask.done(bob.store.acquire(request, LONG));
            assertThat(grant.token()).isEqualTo(FencingToken.of(2));
            waits.add(Site.since(began).toMillis());
        }
        reporter.publishEntry(product + ": ms until the third had each of them", waits.toString());
        assertThat(waits.size()).as("statements at which it was stopped").isGreaterThan(4);
        assertThat(Duration.ofMillis(waits.get(waits.size() - 1)))
                .isLessThan(Site.OPTIONS.attempt().plus(SLACK));

        goOn.countDown();
        for (Challenger each : challengers.subList(0, challengers.size() - 1)) {
            assertThat(Ask.now(each.answer)).isNotInstanceOf(Answer.Done.class);
        }
        assertThat(Ask.now(challengers.get(challengers.size() - 1).answer)).isInstanceOf(Answer.Done.class);
    }

    /** Somebody with no time-out, so that whatever waits for it waits until the test ends. */
    private Connection locked(String row) throws SQLException {
        Connection connection = site.transaction();
        assertThat(Product.number(connection, "SELECT count(*) FROM (SELECT 1 FROM " + row + " FOR UPDATE) AS locked"))
                .isEqualTo(1);
        return connection;
    }

    private static List<CompletableFuture<Answer<Grant, NotGranted>>> acquireAll(Ask ask, String what, boolean fresh) {
        List<CompletableFuture<Answer<Grant, NotGranted>>> answers = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            Role role = Role.of(what + i);
            if (!fresh) {
                ask.release(ask.acquire(role));
            }
            Acquire request = ask.request(ask.read(role));
            answers.add(ask.store.acquire(request, Ask.TIMEOUT).toCompletableFuture());
        }
        return answers;
    }

    private void nobodyElseWaits(Ask bob, Acquire stuck) {
        CompletableFuture<Answer<Grant, NotGranted>> waits =
                bob.store.acquire(stuck, LONG).toCompletableFuture();
        List<CompletableFuture<Answer<Grant, NotGranted>>> others = acquireAll(bob, "fresh ", true);
        others.addAll(acquireAll(bob, "known ", false));
        for (int i = 0; i < 20; i++) {
            assertThat(bob.renew()).isTrue();
        }
        others.forEach(Ask::done);
        assertThat(waits).as("the one that has to wait").isNotDone();
    }

    @ParameterizedTest
    @EnumSource(Product.class)
    void whoHoldsARolesRecordHoldsUpNoOtherRoleAndNoRenewal(Product product) throws SQLException {
        site = Site.on(product);
        Ask bob = site.candidate(LONG);
        Ask ada = new Ask(site.store()).open(LONG);
        Grant first = ada.acquire(STUCK);
        ada.release(first);
        Acquire request = bob.request(bob.read(STUCK));
        locked("signet_role WHERE namespace = 'default' AND name = 'stuck'");

        nobodyElseWaits(bob, request);
        assertThat(ada.renew()).isTrue();
    }

    @ParameterizedTest
    @EnumSource(Product.class)
    void whoHoldsAnEmptyRecordHoldsUpNoOtherRole(Product product) throws SQLException {
        site = Site.on(product);
        Ask bob = site.candidate(LONG);
        site.execute("INSERT INTO signet_role (namespace, name, version, token) VALUES ('default', 'stuck', 0, 0)");
        locked("signet_role WHERE namespace = 'default' AND name = 'stuck'");

        nobodyElseWaits(bob, bob.request(RoleView.absent(STUCK)));
    }

    @ParameterizedTest
    @EnumSource(Product.class)
    void whoHoldsTheSessionThatIsToEndHoldsUpNoOtherRole(Product product) throws SQLException {
        site = Site.on(product);
        Ask bob = site.candidate(LONG);
        Ask dead = site.candidate(SHORT);
        dead.acquire(STUCK);
        Site.await("expired", SLACK, () -> bob.read(STUCK).claimable());
        Connection holder =
                locked("signet_session WHERE number = (SELECT holder FROM signet_role WHERE name = 'stuck')");

        nobodyElseWaits(bob, bob.request(bob.read(STUCK)));
        holder.rollback();
        assertThat(dead.renew())
                .as("the one that was stuck has taken it by now")
                .isIn(true, false);
    }

    @ParameterizedTest
    @EnumSource(Product.class)
    void whoHoldsWhatASessionHoldsHoldsUpNoOtherSession(Product product) throws SQLException {
        site = Site.on(product);
        Ask bob = site.candidate(LONG);
        Ask ada = new Ask(bob.store).open(LONG);
        locked("signet_holding WHERE session = (SELECT min(number) FROM signet_session)");

        CompletableFuture<Answer<Grant, NotGranted>> waits =
                bob.store.acquire(bob.request(RoleView.absent(STUCK)), LONG).toCompletableFuture();
        acquireAll(ada, "fresh ", true).forEach(Ask::done);
        assertThat(ada.renew()).isTrue();
        assertThat(bob.renew()).isTrue();
        assertThat(waits).isNotDone();
    }

    /** More of them than one transaction carries: they may not keep all others out of it. */
    @ParameterizedTest
    @EnumSource(Product.class)
    void hundredsOfRecordsThatAreHeldHoldUpNoOtherRole(Product product) throws SQLException {
        site = Site.on(product);
        Ask bob = site.candidate(LONG);
        Connection holder = site.transaction();
        for (int i = 0; i < STUCK_ROLES; i++) {
            Site.execute(
                    holder,
                    "INSERT INTO signet_role (namespace, name, version, token) VALUES ('default', 'stuck" + i
                            + "', 1, 0)");
        }
        holder.commit();
        Site.execute(holder, "UPDATE signet_role SET version = 1");
        List<CompletableFuture<Answer<Grant, NotGranted>>> stuck = new ArrayList<>();
        for (int i = 0; i < STUCK_ROLES; i++) {
            Role role = Role.of("stuck" + i);
            Acquire request =
                    bob.request(new RoleView(role, 1, 0, Optional.empty(), true, Optional.empty(), Optional.empty()));
            stuck.add(bob.store.acquire(request, LONG).toCompletableFuture());
        }
        acquireAll(bob, "fresh ", true).forEach(Ask::done);
        assertThat(stuck).noneMatch(CompletableFuture::isDone);
        holder.rollback();
        stuck.forEach(Ask::done);
    }
}
