package dev.signet.store.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.signet.StoreException;
import dev.signet.store.StoreRefusal.Kind;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import javax.sql.DataSource;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A store on a server is made, looked up, or refused with what to do about it. */
@Tag("process")
class SetUpTest {

    private static JdbcStoreOptions named(String name) {
        return JdbcStoreOptions.defaults().withName(name);
    }

    @ParameterizedTest
    @EnumSource
    void layingOutTellsWhatItDid(Product product) {
        DataSource connections = DriverDataSource.of(product.newDatabase());

        LaidOut made = JdbcStore.layOut(connections, JdbcStoreOptions.defaults());
        LaidOut again = JdbcStore.layOut(connections, JdbcStoreOptions.defaults());

        assertThat(made.isMade()).isTrue();
        assertThat(again.isMade()).isFalse();
        assertThat(again.isBroughtUp()).isFalse();
        assertThat(again).isEqualTo(new LaidOut(made.storeId(), made.now(), made.now()));
        assertThat(JdbcStore.id(connections)).isEqualTo(made.storeId());
    }

    @ParameterizedTest
    @EnumSource
    void askingForTheIdMakesNothing(Product product) {
        String url = product.newDatabase();
        JdbcStoreOptions options = named(url.replaceFirst("&password=.*", ""));

        for (int time = 0; time < 2; time++) {
            refused(
                    Kind.NOT_INITIALISED,
                    () -> JdbcStore.id(DriverDataSource.of(url), options),
                    "signet init --store '" + options.name() + "'");
        }
    }

    @ParameterizedTest
    @EnumSource
    void aNewerLayoutIsRefusedAndLeftAsItIs(Product product) throws SQLException {
        DataSource connections = DriverDataSource.of(product.newDatabase());
        JdbcStore.init(connections);
        try (Connection connection = connections.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("UPDATE signet_store SET layout = 7");
        }
        refused(Kind.OTHER_VERSION, () -> JdbcStore.init(connections), "has layout version 7");
        refused(Kind.OTHER_VERSION, () -> JdbcStore.id(connections), "has layout version 7");
    }

    @ParameterizedTest
    @EnumSource
    void aDatabaseThatIsNotThereIsToBeMadeFirst(Product product) {
        String url = product.newDatabase();
        String absent = url.replaceFirst("/" + Product.nameOfDatabase(url), "/nosuch");

        refused(
                Kind.NOT_INITIALISED,
                () -> JdbcStore.init(DriverDataSource.of(absent)),
                "have it made, then: signet init");
    }

    @ParameterizedTest
    @EnumSource
    void missingRightsAreNamed(Product product) {
        String url = reader(product);

        refused(Kind.NOT_PERMITTED, () -> JdbcStore.init(DriverDataSource.of(url)), "denied");
    }

    /** @return where a new database is, for somebody who may connect and read */
    private static String reader(Product product) {
        String url = product.newDatabase();
        String name = Product.nameOfDatabase(url);
        String login = product.login(name, name);
        Product.execute(
                url,
                switch (product) {
                    // where that is the default, nobody may make tables but who owns the schema
                    case POSTGRESQL -> "REVOKE CREATE ON SCHEMA public FROM PUBLIC";
                    case MARIADB -> "GRANT SELECT ON " + name + ".* TO " + name;
                });
        return login;
    }

    @ParameterizedTest
    @EnumSource
    void aServerThatIsAwayMayComeBack(Product product) {
        String url = product.newDatabase().replaceFirst(":\\d+/", ":1/");

        StoreException fault = refused(Kind.UNREACHABLE, () -> JdbcStore.init(DriverDataSource.of(url)), "refused");
        assertThat(fault).hasMessageNotContaining("password");
        refused(Kind.UNREACHABLE, () -> JdbcStore.id(DriverDataSource.of(url)), "refused");
    }

    @Test
    void theCauseOfAFaultIsTold() {
        refused(
                Kind.UNREACHABLE,
                () -> JdbcStore.id(DriverDataSource.of("jdbc:postgresql://nosuch.invalid/x?user=ada")),
                "The connection attempt failed: UnknownHost: nosuch.invalid");
    }

    @Test
    void aServerThatIsTooOldOrAnotherIsRefused() {
        refused(
                Kind.UNSUITABLE_PLACE,
                () -> JdbcStore.init(server("MariaDB", 10, 5)),
                "MariaDB 10.5; a store needs 10.6");
        refused(Kind.UNSUITABLE_PLACE, () -> JdbcStore.id(server("PostgreSQL", 11, 9)), "a store needs 12 or newer");
        refused(Kind.UNSUITABLE_PLACE, () -> JdbcStore.id(server("MySQL", 9, 0)), "is MySQL; a store can be kept in");
    }

    /** One that says of itself what it is, and nothing else. */
    private static DataSource server(String product, int major, int minor) {
        DatabaseMetaData about = answering(DatabaseMetaData.class, method -> switch (method) {
            case "getDatabaseProductName" -> product;
            case "getDatabaseMajorVersion" -> major;
            case "getDatabaseMinorVersion" -> minor;
            default -> null;
        });
        Connection connection = answering(Connection.class, method -> method.equals("getMetaData") ? about : null);
        return answering(DataSource.class, method -> method.equals("getConnection") ? connection : null);
    }

    private interface Answers {
        Object to(String method);
    }

    private static <T> T answering(Class<T> type, Answers answers) {
        return type.cast(Proxy.newProxyInstance(
                type.getClassLoader(),
                new Class<?>[] {type},
                (proxy, method, arguments) -> answers.to(method.getName())));
    }

    @ParameterizedTest
    @EnumSource
    void thePasswordIsAskedForAnewForEachConnection(Product product) throws SQLException {
        String url = product.newDatabase();
        AtomicInteger asked = new AtomicInteger();
        DriverDataSource connections = DriverDataSource.of(url.replaceFirst("[?].*", ""))
                .with("user", url.replaceFirst(".*[?]user=([^&]*).*", "$1"))
                .withPassword(() -> {
                    asked.incrementAndGet();
                    return url.replaceFirst(".*password=", "");
                });

        for (int time = 1; time <= 2; time++) {
            connections.getConnection().close();
            assertThat(asked).hasValue(time);
        }
    }

    private static StoreException refused(Kind kind, Supplier<?> work, String why) {
        StoreException fault = catchThrowableOfType(StoreException.class, work::get);
        assertThat(fault).as("a refusal").hasMessageContaining(why);
        assertThat(fault.kind()).isEqualTo(kind);
        return fault;
    }
}
