package dev.signet.store.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.signet.Namespace;
import dev.signet.Role;
import dev.signet.servers.MariaDbOptions;
import dev.signet.servers.MariaDbServer;
import dev.signet.servers.Proxy;
import dev.signet.store.StoreRefusal.Kind;
import java.time.Duration;
import java.util.List;
import javax.sql.DataSource;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Places where there is no store, or not ours, or not for us, or not now: each is told from the others, with what to do. */
@Tag("process")
@Execution(ExecutionMode.CONCURRENT)
class BadPlacesTest {

    private static Verdicts at(String url) {
        return Verdicts.of(DriverDataSource.of(url));
    }

    private static void blocking(Kind kind, String url, String... words) {
        DataSource connections = DriverDataSource.of(url);
        Verdicts.refused(kind, () -> JdbcStore.id(connections, Verdicts.OPTIONS), words);
        Verdicts.refused(kind, () -> JdbcStore.layOut(connections, Verdicts.OPTIONS), words);
    }

    @ParameterizedTest
    @EnumSource
    void anUnknownUserIsNotAdmitted(Product product) {
        String url = product.newStore().replaceFirst("user=[^&]*", "user=nobody_" + product);

        at(url).areRefusals(Kind.NOT_PERMITTED, "does not let us in", "nobody_", "check user, password");
        blocking(Kind.NOT_PERMITTED, url, "nobody_");
    }

    @ParameterizedTest
    @EnumSource
    void aDatabaseThatIsNotThereIsToBeMade(Product product) {
        String url = product.newDatabase();
        String absent = url.replace(Product.nameOfDatabase(url), "nosuch");

        at(absent).areRefusals(Kind.NOT_INITIALISED, "nosuch", "have it made, then: signet init");
        blocking(Kind.NOT_INITIALISED, absent, "nosuch", "have it made, then: signet init");
    }

    @ParameterizedTest
    @EnumSource
    void aServerThatIsNotThereIsUnknown(Product product) {
        String url = product.newStore();
        String refusing = url.replaceFirst(":\\d+/", ":1/");
        String nowhere = url.replaceFirst("//[^:]+:", "//nosuch.invalid:");

        at(refusing).areUnknown("refused");
        at(nowhere).areUnknown("nosuch.invalid");
        blocking(Kind.UNREACHABLE, refusing, "did not answer", "refused");
        blocking(Kind.UNREACHABLE, nowhere, "did not answer", "nosuch.invalid");
    }

    @ParameterizedTest
    @EnumSource
    void aServerThatIsSilentIsUnknown(Product product) {
        String url = product.newStore();
        try (Proxy proxy = Proxy.to(product.shared())) {
            proxy.blackHole();
            String through = product.shared().jdbcUrl(Product.nameOfDatabase(url), proxy);

            Verdicts.of(DriverDataSource.of(through), Duration.ofSeconds(1))
                    .areUnknown("did not answer within 1000 ms", "no connection has come about yet");
            blocking(Kind.UNREACHABLE, through, "did not answer");
        }
    }

    @ParameterizedTest
    @EnumSource
    void withoutTablesThereIsNoStore(Product product) {
        String url = product.newDatabase();

        at(url).areRefusals(Kind.NOT_INITIALISED, "signet_store", "make one with: signet init");
        Verdicts.refused(
                Kind.NOT_INITIALISED,
                () -> JdbcStore.id(DriverDataSource.of(url), Verdicts.OPTIONS),
                "make one with: signet init");
    }

    @ParameterizedTest
    @EnumSource
    void aTableThatIsMissingIsNamedAndNotMadeAnew(Product product) {
        String url = product.newStore();
        for (String table : Product.TABLES.subList(1, Product.TABLES.size())) {
            Product.execute(url, "ALTER TABLE " + table + " RENAME TO elsewhere");

            at(url).opensNothing(Kind.FOREIGN_OR_CORRUPT, table, "restore");
            Verdicts.refused(Kind.FOREIGN_OR_CORRUPT, () -> JdbcStore.init(DriverDataSource.of(url)), table, "restore");
            assertThat(tables(url)).doesNotContain(table);
            Product.execute(url, "ALTER TABLE elsewhere RENAME TO " + table);
        }
    }

    /** Made anew, it would have another id, and tokens that go on all the same. */
    @ParameterizedTest
    @EnumSource
    void aStoreWhoseIdIsGoneIsNotGivenAnother(Product product) {
        for (String loss : List.of("DELETE FROM signet_store", "DROP TABLE signet_store")) {
            String url = product.newStore();
            Product.execute(
                    url,
                    "INSERT INTO signet_role (namespace, name, version, token) VALUES ('x', 'ledger', 9, 4)",
                    loss);

            at(url).areRefusals(Kind.NOT_INITIALISED, "signet init");
            Verdicts.refused(Kind.FOREIGN_OR_CORRUPT, () -> JdbcStore.init(DriverDataSource.of(url)), "restore");
            assertThat(Product.rows(url, "SELECT token FROM signet_role")).containsExactly("4");
        }
    }

    @ParameterizedTest
    @EnumSource
    void aColumnThatIsMissingIsNamed(Product product) {
        String url = product.newStore();
        for (String column : List.of(
                "signet_session.renewals",
                "signet_holding.digest",
                "signet_role.kept_until_nanos",
                "signet_campaign.released")) {
            String[] parts = column.split("[.]");
            Product.execute(url, "ALTER TABLE " + parts[0] + " RENAME COLUMN " + parts[1] + " TO other");

            at(url).opensNothing(Kind.FOREIGN_OR_CORRUPT, parts[1], "damaged or not ours");
            Verdicts.refused(Kind.FOREIGN_OR_CORRUPT, () -> JdbcStore.init(DriverDataSource.of(url)), parts[1]);
            Product.execute(url, "ALTER TABLE " + parts[0] + " RENAME COLUMN other TO " + parts[1]);
        }
    }

    @ParameterizedTest
    @EnumSource
    void tablesOfAnotherProgramStayAsTheyAre(Product product) {
        for (String table : List.of("signet_store", "signet_role")) {
            String url = product.newDatabase();
            Product.execute(url, "CREATE TABLE " + table + " (theirs INTEGER)", "INSERT INTO " + table + " VALUES (4)");

            Verdicts.refused(
                    Kind.FOREIGN_OR_CORRUPT, () -> JdbcStore.init(DriverDataSource.of(url)), "not ours", "schema");
            Verdicts verdicts = at(url);
            if (table.equals("signet_store")) {
                verdicts.areRefusals(Kind.FOREIGN_OR_CORRUPT, "not ours");
            } else {
                verdicts.areRefusals(Kind.NOT_INITIALISED, "signet init");
            }
            assertThat(Product.rows(url, "SELECT * FROM " + table)).containsExactly("4");

            Product.execute(url, "DROP TABLE " + table);
            assertThat(JdbcStore.layOut(DriverDataSource.of(url), Verdicts.OPTIONS)
                            .isMade())
                    .isTrue();
        }
    }

    @ParameterizedTest
    @EnumSource
    void aNewerLayoutIsOfANewerSignet(Product product) {
        String url = product.newStore();
        Product.execute(url, "UPDATE signet_store SET layout = 7");

        at(url).areRefusals(Kind.OTHER_VERSION, "layout version 7", "use the Signet that made it, or a newer one");
    }

    /** With such a log InnoDB refuses whatever writes at READ COMMITTED, as a store does. */
    @Test
    void aMariaDbThatLogsStatementsIsToBeSetOtherwise() {
        MariaDbOptions logging =
                MariaDbOptions.defaults().withSetting("log-bin", "binlog").withSetting("binlog-format", "STATEMENT");
        try (MariaDbServer server = MariaDbServer.start(logging)) {
            String url = server.createDatabase("signet");
            String mend = "set the server's binlog_format to ROW or MIXED";
            Verdicts.refused(Kind.UNSUITABLE_PLACE, () -> JdbcStore.init(DriverDataSource.of(url)), mend);
            assertThat(tables(url)).isEmpty();
            server.execute("SET GLOBAL binlog_format = ROW");
            JdbcStore.init(DriverDataSource.of(url));
            server.execute("SET GLOBAL binlog_format = STATEMENT");

            at(url).opensNothing(Kind.UNSUITABLE_PLACE, mend);

            for (String format : List.of("ROW", "MIXED")) {
                server.execute("SET GLOBAL binlog_format = " + format);
                try (JdbcStore store = JdbcStore.open(DriverDataSource.of(url), Namespace.DEFAULT, Verdicts.OPTIONS)) {
                    new Ask(store).open(Duration.ofMinutes(1)).acquire(Role.of(format));
                }
            }
        }
    }

    private static List<String> tables(String url) {
        return Product.rows(
                url,
                "SELECT table_name FROM information_schema.tables WHERE table_name LIKE 'signet%' AND table_schema"
                        + " IN ('public', '" + Product.nameOfDatabase(url) + "')");
    }
}
