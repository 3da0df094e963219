package dev.signet.store.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.signet.Namespace;
import dev.signet.Role;
import dev.signet.StoreId;
import dev.signet.servers.DatabaseServer;
import dev.signet.servers.Eavesdropper;
import dev.signet.servers.MariaDbOptions;
import dev.signet.servers.MariaDbServer;
import dev.signet.servers.PostgresOptions;
import dev.signet.servers.PostgresServer;
import dev.signet.servers.Server;
import dev.signet.servers.Transport;
import dev.signet.store.StoreRefusal.Kind;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Servers that speak TLS only, each with an authority of its own. */
@Tag("process")
class TlsStoreTest {

    private static final String ROLE = "the-name-of-the-role";

    private static final Map<Product, DatabaseServer> SERVERS = new EnumMap<>(Product.class);

    @BeforeAll
    static void start() {
        SERVERS.put(
                Product.POSTGRESQL,
                PostgresServer.start(PostgresOptions.defaults()
                        .withTransport(Transport.TLS)
                        .withAuthentication(PostgresOptions.Authentication.SCRAM)));
        SERVERS.put(
                Product.MARIADB, MariaDbServer.start(MariaDbOptions.defaults().withTransport(Transport.TLS)));
    }

    @AfterAll
    static void stop() {
        SERVERS.values().forEach(DatabaseServer::close);
        SERVERS.clear();
    }

    private static DatabaseServer server(Product product) {
        return SERVERS.get(product);
    }

    private static String authority(Product product) {
        return server(product).authority().toString();
    }

    private static String newDatabase(Product product) {
        return server(product).createDatabase(Product.newName());
    }

    @ParameterizedTest
    @EnumSource
    void nothingIsSentInClear(Product product) throws Exception {
        String url = newDatabase(product);
        StoreId id = JdbcStore.init(DriverDataSource.of(url));

        String overheard = overhear(server(product), url);

        assertThat(overheard).hasSizeGreaterThan(5_000);
        assertThat(overheard).doesNotContain(ROLE, "signet_role", "SELECT", "secret-of", id.value());
    }

    /** What the same looks like without TLS: the one above would find it. */
    @ParameterizedTest
    @EnumSource
    void withoutTlsEverythingIs(Product product) throws Exception {
        String url = product.newStore();

        assertThat(overhear(product.shared(), url)).contains(ROLE, "signet_role", "SELECT");
    }

    private static String overhear(Server server, String url) throws Exception {
        try (Eavesdropper between = Eavesdropper.before(server)) {
            String through = url.replaceFirst(":\\d+/", ":" + between.port() + "/");
            try (JdbcStore store = JdbcStore.open(DriverDataSource.of(through), Namespace.DEFAULT, Verdicts.OPTIONS)) {
                Role role = Role.of(ROLE);
                Seen seen = Seen.by(store, role);
                seen.awaitVersion(
                        new Ask(store).open(Duration.ofMinutes(1)).acquire(role).version());
            }
            return new String(between.heard(), StandardCharsets.ISO_8859_1);
        }
    }

    @ParameterizedTest
    @EnumSource
    void anAuthorityThatDidNotSignIsRefused(Product product) {
        String url = newDatabase(product);
        JdbcStore.init(DriverDataSource.of(url));
        Product another = product == Product.POSTGRESQL ? Product.MARIADB : Product.POSTGRESQL;
        String wrong = url.replace(authority(product), authority(another));

        Verdicts.of(DriverDataSource.of(wrong)).areRefusals(Kind.UNSUITABLE_PLACE, "TLS", "certificate");
        Verdicts.refused(Kind.UNSUITABLE_PLACE, () -> JdbcStore.init(DriverDataSource.of(wrong)), "TLS", "certificate");
    }

    @ParameterizedTest
    @EnumSource
    void aFileOfCertificatesThatIsNotThereIsNamed(Product product) {
        String wrong = newDatabase(product).replace(authority(product), "/nosuch/ca.pem");

        Verdicts.of(DriverDataSource.of(wrong))
                .areRefusals(
                        Kind.UNSUITABLE_PLACE,
                        "TLS",
                        product == Product.POSTGRESQL ? "/nosuch/ca.pem" : "serverSslCert");
    }

    @ParameterizedTest
    @EnumSource
    void plainTextIsRefused(Product product) {
        String url = newDatabase(product)
                .replaceFirst("sslmode=verify-full", "sslmode=disable")
                .replaceFirst("sslMode=verify-full", "sslMode=disable");

        Verdicts.of(DriverDataSource.of(url)).areRefusals(Kind.NOT_PERMITTED, "TLS", "verify-full");
        Verdicts.refused(Kind.NOT_PERMITTED, () -> JdbcStore.init(DriverDataSource.of(url)), "TLS", "verify-full");
    }

    /** A URL that demands it, at a server that does not speak it. */
    @ParameterizedTest
    @EnumSource
    void aServerWithoutItIsRefused(Product product) {
        String url = product.newStore()
                + (product == Product.POSTGRESQL
                        ? "&sslmode=verify-full&sslrootcert=" + authority(product)
                        : "&sslMode=verify-full&serverSslCert=" + authority(product));

        Verdicts.of(DriverDataSource.of(url)).areRefusals(Kind.NOT_PERMITTED, "TLS");
    }

    @ParameterizedTest
    @EnumSource
    void aWrongPasswordIsRefused(Product product) {
        String url = newDatabase(product);
        String name = Product.nameOfDatabase(url);
        server(product).createUser(name, "right");
        String wrong = server(product).jdbcUrl(name, name, "wrong");

        Verdicts.of(DriverDataSource.of(wrong)).areRefusals(Kind.NOT_PERMITTED, "check user, password");
        assertThat(Verdicts.refused(Kind.NOT_PERMITTED, () -> JdbcStore.init(DriverDataSource.of(wrong)), "user"))
                .hasMessageNotContaining("=wrong");
    }

    @ParameterizedTest
    @EnumSource
    void aCertificateOfAnotherHostIsRefused(Product product) throws Exception {
        // 127.0.0.2 is this host too, and in no certificate
        try (Eavesdropper between = Eavesdropper.before(server(product))) {
            String url = newDatabase(product).replaceFirst("//[^/]*/", "//127.0.0.2:" + between.port() + "/");

            Verdicts.of(DriverDataSource.of(url)).areRefusals(Kind.UNSUITABLE_PLACE, "TLS", "127.0.0.2");
        }
    }
}
