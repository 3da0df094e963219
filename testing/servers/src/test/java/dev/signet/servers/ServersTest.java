package dev.signet.servers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.function.Supplier;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@Tag("process")
class ServersTest {

    enum Kind {
        POSTGRESQL(Servers::postgres),
        MARIADB(Servers::mariaDb);

        private final Supplier<DatabaseServer> server;

        Kind(Supplier<DatabaseServer> server) {
            this.server = server;
        }
    }

    @ParameterizedTest
    @EnumSource
    void theSharedOneIsTheSameForAllAndNobodyTakesItAway(Kind kind) throws SQLException {
        DatabaseServer server = kind.server.get();

        assertThat(kind.server.get()).isSameAs(server);
        for (ThrowingCallable wish : new ThrowingCallable[] {
            server::freeze, server::thaw, server::kill, server::stop, server::restart, server::close
        }) {
            assertThatThrownBy(wish)
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("is shared")
                    .hasMessageContaining("start one of your own");
        }
        assertThat(server.isRunning()).isTrue();
        DriverManager.getConnection(server.createDatabase("servers_test")).close();
    }
}
