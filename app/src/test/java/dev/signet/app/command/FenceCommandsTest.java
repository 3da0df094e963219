package dev.signet.app.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.signet.FencingToken;
import dev.signet.ResourceName;
import dev.signet.Role;
import dev.signet.Stamp;
import dev.signet.StoreId;
import dev.signet.TermId;
import dev.signet.app.Terminal;
import dev.signet.fence.jdbc.JdbcFence;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FenceCommandsTest {

    private static final String LEDGER = "sqlite:ledger.db#ledger";

    @TempDir
    private Path folder;

    private Terminal terminal;
    private String storeId;

    @BeforeEach
    void makeStoreAndLedger() throws SQLException {
        terminal = Terminal.in(folder);
        storeId = terminal.type("init").out().lines().toList().get(1).substring("store id ".length());
        sql("CREATE TABLE entry (id INTEGER PRIMARY KEY, signet_token INTEGER, signet_term TEXT)");
    }

    private void sql(String statement) throws SQLException {
        try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + folder.resolve("ledger.db"));
                Statement sql = connection.createStatement()) {
            sql.execute(statement);
        }
    }

    private Terminal.Typed fence(String command, String... more) {
        String[] arguments = new String[4 + more.length];
        arguments[0] = "fence";
        arguments[1] = command;
        arguments[2] = "--protect";
        arguments[3] = LEDGER;
        System.arraycopy(more, 0, arguments, 4, more.length);
        return terminal.type(arguments);
    }

    @Test
    void initBindsTheResourceToRoleAndStore() {
        assertThat(fence("init", "--role", "nightly").out())
                .isEqualTo("the fence of sqlite:" + folder.resolve("ledger.db")
                        + "#ledger is ready for role nightly of store " + storeId + "\n");
        assertThat(fence("init", "--role", "nightly", "--json").out())
                .isEqualTo("{\"uri\":\"sqlite:" + folder.resolve("ledger.db")
                        + "#ledger\",\"resource\":\"ledger\",\"role\":\"nightly\",\"storeId\":\"" + storeId + "\"}\n");

        Terminal.Typed other = fence("init", "--role", "daily");

        assertThat(other.code()).isEqualTo(78);
        assertThat(other.errLines()).singleElement().asString().contains("belongs to role 'nightly'");
    }

    @Test
    void initMakesTheDefaultStoreButNoNamedOne() {
        Terminal fresh = Terminal.in(folder)
                .with("XDG_STATE_HOME", folder.resolve("fresh").toString());

        Terminal.Typed named =
                fresh.type("fence", "init", "--protect", LEDGER, "--role", "r", "--store", "local:named.db");
        Terminal.Typed byDefault = fresh.type("fence", "init", "--protect", LEDGER, "--role", "r");

        assertThat(named.code()).isEqualTo(78);
        assertThat(named.errLines()).singleElement().asString().contains("signet init --store local:");
        assertThat(folder.resolve("named.db")).doesNotExist();
        assertThat(byDefault.code()).isZero();
        assertThat(byDefault.errLines()).singleElement().asString().startsWith("signet: made the store local:");
    }

    @Test
    void aMistypedDatabaseIsRefusedBeforeAnythingIsMade() {
        Terminal fresh = Terminal.in(folder)
                .with("XDG_STATE_HOME", folder.resolve("fresh").toString());

        Terminal.Typed typed = fresh.type("fence", "init", "--protect", "sqlite:leger.db#ledger", "--role", "r");

        assertThat(typed.code()).isEqualTo(78);
        assertThat(typed.errLines()).singleElement().asString().contains("there is no database at");
        assertThat(folder.resolve("fresh")).doesNotExist();
        assertThat(folder.resolve("leger.db")).doesNotExist();
    }

    @Test
    void theStoresOwnFileIsNoPlaceForAResource() {
        Terminal.Typed typed =
                terminal.type("fence", "init", "--protect", LEDGER, "--role", "r", "--store", "local:ledger.db");

        assertThat(typed.code()).isEqualTo(78);
        assertThat(typed.err()).contains("use two files");
    }

    @Test
    void statusBeforeInitSaysWhatToRun() {
        Terminal.Typed typed = fence("status");

        assertThat(typed.code()).isEqualTo(78);
        assertThat(typed.errLines())
                .singleElement()
                .asString()
                .contains("is not initialised; run: signet fence init --protect 'sqlite:" + folder.resolve("ledger.db")
                        + "#ledger' --role ROLE");
    }

    @Test
    void statusShowsTheSealTheTablesAndTheHolesButNoTermId() throws SQLException {
        fence("init", "--role", "nightly");
        assertThat(fence("status").out()).contains("never sealed: every write is refused");
        assertThat(fence("protect", "--table", "entry").code()).isZero();
        TermId term = TermId.random();
        try (JdbcFence fence = JdbcFence.sqlite(folder.resolve("ledger.db"), ResourceName.of("ledger"))) {
            Stamp stamp = new Stamp(Role.of("nightly"), FencingToken.of(7), term, new StoreId(storeId));
            fence.seal(stamp, Duration.ofSeconds(10)).toCompletableFuture().join();
        }

        Terminal.Typed text = fence("status");
        Terminal.Typed json = fence("status", "--json");

        assertThat(text.out())
                .contains("role nightly of store " + storeId)
                .contains("sealed with token 7, term " + term.digest())
                .contains("table 'entry' is protected")
                .contains("DROP TABLE");
        assertThat(json.out())
                .startsWith("{\"resource\":\"ledger\",\"role\":\"nightly\",\"storeId\":\"" + storeId
                        + "\",\"highest\":7,\"termDigest\":\"" + term.digest() + "\",\"uri\":\"sqlite:")
                .contains("\"tables\":[{\"table\":\"entry\",\"intact\":true,\"faults\":[]}],\"notes\":[");
        assertThat(text.out() + json.out()).doesNotContain(term.secret());

        sql("DROP TRIGGER signet_insert_entry");
        assertThat(fence("status", "--json").out()).contains("\"intact\":false,\"faults\":[\"");
    }

    @Test
    void aProtectedTableRefusesPlainWritesUntilItIsUnprotected() throws SQLException {
        fence("init", "--role", "nightly");
        assertThat(fence("protect", "--table", "entry", "--json").out())
                .endsWith("\"table\":\"entry\",\"protected\":true}\n");
        assertThatThrownBy(() -> sql("INSERT INTO entry(id) VALUES (1)")).isInstanceOf(SQLException.class);

        assertThat(fence("unprotect", "--table", "entry").code()).isZero();
        sql("INSERT INTO entry(id) VALUES (1)");
    }

    @Test
    void aTableThatCannotBeProtectedIsNamedWithTheReason() {
        fence("init", "--role", "nightly");

        Terminal.Typed typed = fence("protect", "--table", "absent");

        assertThat(typed.code()).isEqualTo(78);
        assertThat(typed.errLines()).singleElement().asString().contains("'absent'");
        assertThat(fence("protect", "--table", " ").code()).isEqualTo(64);
    }

    @Test
    void aFileThatIsNoDatabaseIsLeftAsItIs() throws Exception {
        Path notes =
                Files.writeString(folder.resolve("notes.txt"), "somebody's notes, long enough for a header of SQLite");

        for (String command : new String[] {"init", "status"}) {
            String[] role = command.equals("init") ? new String[] {"--role", "r"} : new String[0];
            String[] arguments = new String[4 + role.length];
            System.arraycopy(new String[] {"fence", command, "--protect", "sqlite:notes.txt#x"}, 0, arguments, 0, 4);
            System.arraycopy(role, 0, arguments, 4, role.length);
            Terminal.Typed typed = terminal.type(arguments);
            assertThat(typed.code()).isEqualTo(78);
            assertThat(typed.errLines())
                    .singleElement()
                    .asString()
                    .contains("notes.txt is damaged or no SQLite database");
        }
        assertThat(notes).hasContent("somebody's notes, long enough for a header of SQLite");
    }
}
