package dev.signet.store.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.signet.Answer;
import dev.signet.FencingToken;
import dev.signet.Role;
import dev.signet.store.Acquire;
import dev.signet.store.Grant;
import dev.signet.store.HeldDigest;
import dev.signet.store.Release;
import dev.signet.store.RoleView;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A grant whose COMMIT is still on its way to the server when its caller has given up, and asks for something else over another
 * connection: C16 where it is the database that is late.
 */
@Tag("process")
@Execution(ExecutionMode.CONCURRENT)
class LateDeliveryTest {

    private static final Role LEDGER = Role.of("ledger");
    private static final Duration LONG = Duration.ofMinutes(5);
    private static final Duration BRIEF = Duration.ofMillis(300);

    /** Keeps back one COMMIT of a grant, whose sender is told that its connection broke. */
    private static final class Postman implements Disturbance {

        private final AtomicBoolean armed = new AtomicBoolean();
        private volatile long keptId = -1;
        private volatile Connection kept;

        void keepNext() {
            armed.set(true);
        }

        void deliver() throws SQLException {
            kept.commit();
        }

        @Override
        public void before(Step step) throws SQLException {
            if (step.id() == keptId) {
                throw new SQLException("the connection is broken", "08006");
            }
            if (step.isWrite() && step.isCommit() && armed.getAndSet(false)) {
                keptId = step.id();
                kept = step.connection();
                throw new SQLException("the connection broke", "08006");
            }
        }

        @Override
        public boolean keeps(long id) {
            return id == keptId;
        }
    }

    private Site site;
    private Postman postman;
    private Ask ada;
    private Acquire late;

    @AfterEach
    void close() {
        site.close();
    }

    private void give(Product product, JdbcStoreOptions options) {
        site = Site.on(product);
        postman = new Postman();
        ada = new Ask(site.store(postman, options)).open(LONG);
        late = ada.request(ada.read(LEDGER));
        postman.keepNext();
        assertThat(Ask.isUnknown(Ask.now(ada.store.acquire(late, Ask.TIMEOUT)))).isTrue();
    }

    private Release release() {
        return new Release(ada.session, LEDGER, late.attempt(), late.expectedVersion());
    }

    private void assertHolds(Map<Role, FencingToken> held) {
        assertThat(Ask.done(ada.store.held(ada.session, Ask.TIMEOUT)).stream().map(Grant::token))
                .containsExactlyInAnyOrderElementsOf(held.values());
        assertThat(Ask.done(ada.store.renew(ada.session, Ask.TIMEOUT)).heldDigest())
                .hasValue(HeldDigest.of(held));
    }

    @ParameterizedTest
    @EnumSource(Product.class)
    void aReleaseIsUnknownUntilTheGrantHasArrivedAndThenFreesIt(Product product) throws SQLException {
        give(product, Site.PATIENT);
        assertThat(Ask.isUnknown(Ask.now(ada.store.release(release(), BRIEF)))).isTrue();
        assertHolds(Map.of());
        postman.deliver();
        assertHolds(Map.of(LEDGER, FencingToken.FIRST));
        RoleView view = Ask.done(ada.store.release(release(), Ask.TIMEOUT));

        assertThat(view.claimable()).isTrue();
        assertHolds(Map.of());
        assertThat(Ask.now(ada.store.acquire(late, Ask.TIMEOUT))).isInstanceOf(Answer.Refused.class);
        assertThat(site.candidate(LONG).acquire(LEDGER).token()).isEqualTo(FencingToken.of(2));
    }

    @ParameterizedTest
    @EnumSource(Product.class)
    void askedAnewItIsTheSameGrantOnceItHasArrived(Product product) throws SQLException {
        give(product, Site.PATIENT);
        assertThat(Ask.isUnknown(Ask.now(ada.store.acquire(late, BRIEF)))).isTrue();
        postman.deliver();
        Grant grant = Ask.done(ada.store.acquire(late, Ask.TIMEOUT));

        assertThat(grant.token()).isEqualTo(FencingToken.FIRST);
        assertThat(grant.termId()).isEqualTo(late.termId());
        assertHolds(Map.of(LEDGER, FencingToken.FIRST));
    }

    @ParameterizedTest
    @EnumSource(Product.class)
    void anotherCandidateIsNotGrantedWhatMayBeGrantedAlready(Product product) throws SQLException {
        give(product, Site.PATIENT);
        Ask bob = site.candidate(LONG);
        Acquire request = bob.request(bob.read(LEDGER));
        assertThat(Ask.isUnknown(Ask.now(bob.store.acquire(request, BRIEF)))).isTrue();
        postman.deliver();

        assertThat(Ask.now(bob.store.acquire(request, Ask.TIMEOUT))).isInstanceOf(Answer.Refused.class);
        assertHolds(Map.of(LEDGER, FencingToken.FIRST));
    }

    @ParameterizedTest
    @EnumSource(Product.class)
    void aGrantThatArrivesAfterItsSessionWasClosedIsNobodys(Product product) throws SQLException {
        give(product, Site.PATIENT);
        Ask.done(ada.store.close(ada.session, Ask.TIMEOUT));
        postman.deliver();

        assertThat(ada.renew()).isFalse();
        assertThat(site.candidate(LONG).acquire(LEDGER).token()).isEqualTo(FencingToken.of(2));
    }

    @ParameterizedTest
    @EnumSource(Product.class)
    void theServerEndsWhatIsTooLateAndTheTokenIsNotLost(Product product) {
        give(product, Site.OPTIONS);
        Ask bob = site.candidate(LONG);
        Acquire request = bob.request(bob.read(LEDGER));

        Grant grant = Ask.done(bob.store.acquire(request, Ask.TIMEOUT));
        assertThat(grant.token()).isEqualTo(FencingToken.FIRST);
        assertThat(Ask.now(ada.store.acquire(late, Ask.TIMEOUT))).isInstanceOf(Answer.Refused.class);
        assertHolds(Map.of());
    }

    /** No lock of a row: SKIP LOCKED does not pass it by, so the statement itself hangs. */
    @ParameterizedTest
    @EnumSource(Product.class)
    void aStatementThatHangsOnTheServerGrantsNothingAfterItsCallerGaveUp(Product product) throws SQLException {
        site = Site.on(product);
        ada = new Ask(site.store(Disturbance.NONE, Site.PATIENT)).open(LONG);
        ada.release(ada.acquire(LEDGER));
        late = ada.request(ada.read(LEDGER));
        Connection locked = site.transaction();
        Site.execute(
                locked, product == Product.POSTGRESQL ? "LOCK TABLE signet_role" : "LOCK TABLES signet_role WRITE");
        assertThat(Ask.isUnknown(Ask.now(ada.store.acquire(late, BRIEF)))).isTrue();
        assertThat(Ask.isUnknown(Ask.now(ada.store.release(release(), BRIEF)))).isTrue();
        Acquire anew = ada.request(new RoleView(
                LEDGER,
                late.expectedVersion(),
                1,
                java.util.Optional.empty(),
                true,
                java.util.Optional.empty(),
                java.util.Optional.empty()));
        assertThat(Ask.isUnknown(Ask.now(ada.store.acquire(anew, BRIEF)))).isTrue();
        Site.execute(locked, product == Product.POSTGRESQL ? "COMMIT" : "UNLOCK TABLES");

        Grant grant = Ask.done(ada.store.acquire(anew, Ask.TIMEOUT));
        assertThat(grant.token()).isEqualTo(FencingToken.of(2));
        assertHolds(Map.of(LEDGER, FencingToken.of(2)));
    }
}
