package dev.signet.fence.jdbc;

import static dev.signet.testkit.FenceStamps.LEDGER;
import static dev.signet.testkit.FenceStamps.NEW;
import static dev.signet.testkit.FenceStamps.OLD;
import static dev.signet.testkit.FenceStamps.ROLE;
import static dev.signet.testkit.FenceStamps.STORE;
import static dev.signet.testkit.FenceStamps.stamp;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.signet.Answer;
import dev.signet.ResourceName;
import dev.signet.Role;
import dev.signet.Stamp;
import dev.signet.fence.jdbc.MariaDbSite.User;
import dev.signet.testkit.FenceWriter;
import dev.signet.testkit.IsolationLevel;
import java.sql.Connection;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Who stands in the way of a seal is ended for it, and nobody else. */
@Tag("process")
@Execution(ExecutionMode.CONCURRENT)
class MariaDbRescueTest {

    private static final Duration LONG = Duration.ofSeconds(20);

    private final HeldUpsHeard heldUps = new HeldUpsHeard();

    private MariaDbSite site(User user) {
        MariaDbSite site = MariaDbSite.of(user, MariaDbDialect::new);
        site.init(LEDGER, ROLE, STORE);
        assertThat(sealed(site, OLD, LONG)).isTrue();
        site.fence.onHeldUp(heldUp -> {
            throw new IllegalStateException("a listener that throws");
        });
        site.fence.onHeldUp(heldUps);
        return site;
    }

    private static boolean sealed(JdbcSite site, Stamp stamp, Duration timeout) {
        return site.fence.seal(stamp, timeout).toCompletableFuture().join() instanceof Answer.Done;
    }

    @Test
    void writerThatStandsStillIsEndedAndTold() throws Exception {
        try (MariaDbSite site = site(User.ENDS_BLOCKERS);
                FenceWriter old = site.begin(IsolationLevel.REPEATABLE_READ)) {
            old.check(OLD);
            old.write("late", OLD);
            assertThat(sealed(site, NEW, LONG)).isTrue();
            assertThat(catchThrowable(old::commit)).isNotNull();
            assertThat(site.rows()).isEmpty();
            assertThat(heldUps.only()).satisfies(heldUp -> {
                assertThat(heldUp.resource()).isEqualTo(LEDGER);
                assertThat(heldUp.ended()).isTrue();
                assertThat(heldUp.blocker()).contains("of root from 127.0.0.1");
            });
        }
    }

    @Test
    void whoMayNotSeeTheBlockerIsToldWhichRightsItTakes() throws Exception {
        try (MariaDbSite site = site(User.OWNER);
                FenceWriter old = site.begin(IsolationLevel.READ_COMMITTED)) {
            old.check(OLD);
            assertThat(sealed(site, NEW, Duration.ofSeconds(3))).isFalse();
            old.write("in time", OLD);
            old.commit();
            assertThat(heldUps.only()).satisfies(heldUp -> {
                assertThat(heldUp.ended()).isFalse();
                assertThat(heldUp.why()).contains("PROCESS").contains("CONNECTION ADMIN");
            });
        }
    }

    @Test
    void nobodyIsEndedForASealThatIsRefusedOrRaisesNothing() {
        try (MariaDbSite site = site(User.ENDS_BLOCKERS);
                FenceWriter own = site.begin(IsolationLevel.REPEATABLE_READ)) {
            own.check(OLD);
            Duration some = Duration.ofSeconds(3);
            for (Stamp none : List.of(
                    OLD, stamp(6), stamp(9_000_000), new Stamp(Role.of("other"), NEW.token(), NEW.termId(), STORE))) {
                assertThat(sealed(site, none, some)).isFalse();
            }
            own.write("kept", OLD);
            own.commit();
            assertThat(site.rows()).containsExactly("kept");
            heldUps.areNone();
        }
    }

    @Test
    void writersOfOtherResourcesGoOn() {
        try (MariaDbSite site = site(User.ENDS_BLOCKERS);
                JdbcFence other = new JdbcFence(site.source, ResourceName.of("other"), MariaDbSite.OPTIONS, null);
                FenceWriter beside = new JdbcWriter(other, connection(site));
                FenceWriter old = site.begin(IsolationLevel.REPEATABLE_READ)) {
            other.init(ROLE, STORE);
            assertThat(other.seal(OLD, LONG).toCompletableFuture().join()).isInstanceOf(Answer.Done.class);
            beside.check(OLD);
            old.check(OLD);
            assertThat(sealed(site, NEW, LONG)).isTrue();
            beside.write("beside", OLD);
            beside.commit();
            assertThat(site.rows()).containsExactly("beside");
        }
    }

    private static Connection connection(JdbcSite site) {
        return JdbcSite.asking(() -> {
            Connection connection = site.source.getConnection();
            connection.setAutoCommit(false);
            return connection;
        });
    }

    @Test
    void preparedTransactionIsReported() throws Exception {
        try (MariaDbSite site = site(User.ENDS_BLOCKERS)) {
            FenceWriter old = site.beginToPrepare(IsolationLevel.REPEATABLE_READ);
            JdbcWriter around = (JdbcWriter) old;
            around.execute("UPDATE signet_fence SET max_token = 6");
            Runnable commit = old.prepare();
            old.close();
            assertThat(sealed(site, NEW, Duration.ofSeconds(4))).isFalse();
            assertThat(heldUps.only()).satisfies(heldUp -> {
                assertThat(heldUp.blocker()).contains("XA RECOVER");
                assertThat(heldUp.ended()).isFalse();
            });
            commit.run();
            assertThat(sealed(site, NEW, LONG)).isTrue();
        }
    }
}
