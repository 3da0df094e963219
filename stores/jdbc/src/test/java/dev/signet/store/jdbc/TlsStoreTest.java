package dev.signet.store.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.signet.Namespace;
import dev.signet.Role;
import dev.signet.StoreId;
import dev.signet.servers.MariaDbOptions;
import dev.signet.servers.MariaDbServer;
import dev.signet.servers.PostgresOptions;
import dev.signet.servers.PostgresServer;
import dev.signet.servers.Server;
import dev.signet.servers.Transport;
import dev.signet.store.StoreRefusal.Kind;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Servers that speak TLS only, each with an authority of its own. */
@Tag("process")
class TlsStoreTest {

    private static final String ROLE = "the-name-of-the-role";

    private static PostgresServer postgres;
    private static MariaDbServer mariaDb;

    @BeforeAll
    static void start() {
        postgres = PostgresServer.start(PostgresOptions.defaults()
                .withTransport(Transport.TLS)
                .withAuthentication(PostgresOptions.Authentication.SCRAM));
        mariaDb = MariaDbServer.start(MariaDbOptions.defaults().withTransport(Transport.TLS));
    }

    @AfterAll
    static void stop() {
        postgres.close();
        mariaDb.close();
    }

    private static Server server(Backend backend) {
        return backend == Backend.POSTGRESQL ? postgres : mariaDb;
    }

    private static Path authority(Backend backend) {
        return backend == Backend.POSTGRESQL ? postgres.authority() : mariaDb.authority();
    }

    private static String newDatabase(Backend backend) {
        return backend.createDatabase(server(backend), Backend.newName());
    }

    @ParameterizedTest
    @EnumSource
    void nothingIsSentInClear(Backend backend) throws Exception {
        String url = newDatabase(backend);
        StoreId id = JdbcStore.init(DriverDataSource.of(url));

        String overheard = overhear(server(backend), url);

        assertThat(overheard).hasSizeGreaterThan(5_000);
        assertThat(overheard).doesNotContain(ROLE, "signet_role", "SELECT", "secret-of", id.value());
    }

    /** What the same looks like without TLS: the one above would find it. */
    @ParameterizedTest
    @EnumSource
    void withoutTlsEverythingIs(Backend backend) throws Exception {
        String url = backend.newStore();

        assertThat(overhear(backend.shared(), url)).contains(ROLE, "signet_role", "SELECT");
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
    void anAuthorityThatDidNotSignIsRefused(Backend backend) {
        String url = newDatabase(backend);
        JdbcStore.init(DriverDataSource.of(url));
        Backend another = backend == Backend.POSTGRESQL ? Backend.MARIADB : Backend.POSTGRESQL;
        String wrong =
                url.replace(authority(backend).toString(), authority(another).toString());

        Verdicts.of(DriverDataSource.of(wrong)).areRefusals(Kind.UNSUITABLE_PLACE, "TLS", "certificate");
        Verdicts.refused(Kind.UNSUITABLE_PLACE, () -> JdbcStore.init(DriverDataSource.of(wrong)), "TLS", "certificate");
    }

    @ParameterizedTest
    @EnumSource
    void aFileOfCertificatesThatIsNotThereIsNamed(Backend backend) {
        String wrong = newDatabase(backend).replace(authority(backend).toString(), "/nosuch/ca.pem");

        Verdicts.of(DriverDataSource.of(wrong))
                .areRefusals(
                        Kind.UNSUITABLE_PLACE,
                        "TLS",
                        backend == Backend.POSTGRESQL ? "/nosuch/ca.pem" : "serverSslCert");
    }

    @ParameterizedTest
    @EnumSource
    void plainTextIsRefused(Backend backend) {
        String url = newDatabase(backend)
                .replaceFirst("sslmode=verify-full", "sslmode=disable")
                .replaceFirst("sslMode=verify-full", "sslMode=disable");

        Verdicts.of(DriverDataSource.of(url)).areRefusals(Kind.NOT_PERMITTED, "TLS", "verify-full");
        Verdicts.refused(Kind.NOT_PERMITTED, () -> JdbcStore.init(DriverDataSource.of(url)), "TLS", "verify-full");
    }

    /** A URL that demands it, at a server that does not speak it. */
    @ParameterizedTest
    @EnumSource
    void aServerWithoutItIsRefused(Backend backend) {
        String url = backend.newStore()
                + (backend == Backend.POSTGRESQL
                        ? "&sslmode=verify-full&sslrootcert=" + postgres.authority()
                        : "&sslMode=verify-full&serverSslCert=" + mariaDb.authority());

        Verdicts.of(DriverDataSource.of(url)).areRefusals(Kind.NOT_PERMITTED, "TLS");
    }

    @ParameterizedTest
    @EnumSource
    void aWrongPasswordIsRefused(Backend backend) {
        String url = newDatabase(backend);
        if (backend == Backend.POSTGRESQL) {
            postgres.createRole(Backend.nameOfDatabase(url), "right");
        } else {
            mariaDb.createUser(Backend.nameOfDatabase(url), "right");
        }
        String wrong = url.replaceFirst("user=[^&]*", "user=" + Backend.nameOfDatabase(url))
                .replaceFirst("password=[^&]*", "password=wrong");

        Verdicts.of(DriverDataSource.of(wrong)).areRefusals(Kind.NOT_PERMITTED, "check user, password");
        assertThat(Verdicts.refused(Kind.NOT_PERMITTED, () -> JdbcStore.init(DriverDataSource.of(wrong)), "user"))
                .hasMessageNotContaining("=wrong");
    }

    @Test
    void aCertificateOfAnotherHostIsRefused() throws Exception {
        // 127.0.0.2 is this host too, and in no certificate
        try (Eavesdropper between = Eavesdropper.before(postgres)) {
            String url =
                    newDatabase(Backend.POSTGRESQL).replaceFirst("//[^/]*/", "//127.0.0.2:" + between.port() + "/");
            Verdicts.of(DriverDataSource.of(url)).areRefusals(Kind.UNSUITABLE_PLACE, "TLS", "127.0.0.2");
        }
        try (Eavesdropper between = Eavesdropper.before(mariaDb)) {
            String url = newDatabase(Backend.MARIADB).replaceFirst("//[^/]*/", "//127.0.0.2:" + between.port() + "/");
            Verdicts.of(DriverDataSource.of(url)).areRefusals(Kind.UNSUITABLE_PLACE, "TLS", "127.0.0.2");
        }
    }
}
