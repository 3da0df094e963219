package dev.signet.store.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.signet.CandidateId;
import dev.signet.FencingToken;
import dev.signet.Namespace;
import dev.signet.Role;
import dev.signet.StoreException;
import dev.signet.StoreId;
import dev.signet.TermId;
import dev.signet.store.Acquire;
import dev.signet.store.Grant;
import dev.signet.store.HeldDigest;
import dev.signet.store.Renewed;
import dev.signet.store.SessionId;
import dev.signet.store.StoreRefusal;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A file of an older layout, with a session that holds a role, is brought up to the present one by init. */
class UpgradeTest {

    private static final Role LEDGER = Role.of("ledger");
    private static final SessionId HOLDER = SessionId.random();
    private static final StoreId ID = StoreId.random();
    private static final long HELD = HeldDigest.of(Map.of(LEDGER, FencingToken.of(7)));

    @TempDir
    Path folder;

    private Path file;

    @BeforeEach
    void makeAStoreOfTheFirstLayout() throws SQLException {
        file = folder.resolve("signet.db");
        LocalStore.init(file);
        Path old = folder.resolve("old.db");
        try (SqliteLink link = SqliteLink.to(file)) {
            link.execute("VACUUM INTO '" + old + "'");
        }
        file = old;
        try (SqliteLink link = SqliteLink.to(file)) {
            for (String table : new String[] {"store", "session", "ended_session", "role", "campaign", "holding"}) {
                link.execute("DROP TABLE signet_" + table);
            }
            for (String statement : FileSchema.LAYOUT.steps().get(0)) {
                link.execute(statement);
            }
            link.execute("PRAGMA user_version = 1");
            link.update("INSERT INTO signet_store VALUES (1, ?)", ID.value());
            link.update(
                    "INSERT INTO signet_session (number, namespace, id, candidate, lease_nanos, boot_id, ends_at_nanos,"
                            + " renewals, held_digest) VALUES (3, ?, ?, ?, 15000000000, 'a boot', 1, 4, ?)",
                    bytes(Namespace.DEFAULT.name()),
                    bytes(HOLDER.value()),
                    bytes(CandidateId.incarnationOf("ada").toString()),
                    HELD);
            link.update(
                    "INSERT INTO signet_role (namespace, name, version, token, holder, attempt, term_high, term_low,"
                            + " candidate) VALUES (?, ?, 12, 7, 3, 1, 1, 2, ?)",
                    bytes(Namespace.DEFAULT.name()),
                    bytes(LEDGER.name()),
                    bytes(CandidateId.incarnationOf("ada").toString()));
        }
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    @Test
    void anOlderLayoutIsRefusedUntilItIsBroughtUp() {
        try (LocalStore store = open()) {
            StoreRefusal why =
                    Ask.now(store.read(LEDGER, Ask.TIMEOUT)).fold(seen -> null, refusal -> refusal, unknown -> null);

            assertThat(why.kind()).isEqualTo(StoreRefusal.Kind.OTHER_VERSION);
            assertThat(why.message()).contains("signet init --store local:" + file);
        }
    }

    @Test
    void askingForTheIdBringsNothingUp() {
        for (int time = 0; time < 2; time++) {
            assertThatThrownBy(() -> LocalStore.id(file))
                    .isInstanceOf(StoreException.class)
                    .hasMessageContaining("older layout version 1");
        }
        assertThat(LocalStore.layOut(file)).isEqualTo(new LaidOut(ID, 1, 2));
        assertThat(LocalStore.layOut(file)).isEqualTo(new LaidOut(ID, 2, 2));
        assertThat(LocalStore.id(file)).isEqualTo(ID);
    }

    @Test
    void askingForTheIdMakesNothing() {
        Path absent = folder.resolve("absent").resolve("signet.db");

        assertThatThrownBy(() -> LocalStore.id(absent))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("signet init --store local:" + absent);
        assertThat(absent.getParent()).doesNotExist();
        assertThat(LocalStore.layOut(absent).isMade()).isTrue();
    }

    @Test
    void initBringsItUpAndLosesNothing() {
        assertThat(LocalStore.init(file)).isEqualTo(ID);
        assertThat(LocalStore.init(file)).isEqualTo(ID);

        try (LocalStore store = open()) {
            Renewed renewed = Ask.done(store.renew(HOLDER, Ask.TIMEOUT));
            assertThat(renewed.heldDigest()).hasValue(HELD);
            assertThat(Ask.done(store.held(HOLDER, Ask.TIMEOUT)))
                    .extracting(grant -> grant.token().value())
                    .containsExactly(7L);
            Grant next = Ask.done(store.acquire(new Acquire(HOLDER, LEDGER, 2, TermId.random(), 0, 12), Ask.TIMEOUT));
            assertThat(next.token()).isEqualTo(FencingToken.of(8));
        }
    }

    @Test
    void anUpgradedFileIsLaidOutLikeANewOne() throws SQLException {
        LocalStore.init(file);
        Path fresh = folder.resolve("fresh.db");
        LocalStore.init(fresh);

        assertThat(schema(file)).isEqualTo(schema(fresh));
    }

    private static String schema(Path of) throws SQLException {
        try (SqliteLink link = SqliteLink.to(of);
                var rows = link.query("SELECT group_concat(sql, ';') FROM (SELECT sql FROM sqlite_schema"
                        + " WHERE sql IS NOT NULL ORDER BY name)")) {
            rows.next();
            return rows.getString(1);
        }
    }

    private LocalStore open() {
        return LocalStore.open(file, Namespace.DEFAULT, LocalStoreOptions.defaults());
    }
}
