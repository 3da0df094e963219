package dev.signet.servers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.DriverManager;
import java.sql.SQLException;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@Tag("process")
class ServersTest {

    enum Kind {
        POSTGRES {
            @Override
            Server server() {
                return Servers.postgres();
            }

            @Override
            String database() {
                return Servers.postgres().createDatabase("servers_test");
            }
        },
        MARIADB {
            @Override
            Server server() {
                return Servers.mariaDb();
            }

            @Override
            String database() {
                return Servers.mariaDb().createDatabase("servers_test");
            }
        };

        abstract Server server();

        abstract String database();
    }

    @ParameterizedTest
    @EnumSource
    void theSharedOneIsTheSameForAllAndNobodyTakesItAway(Kind kind) throws SQLException {
        Server server = kind.server();

        assertThat(kind.server()).isSameAs(server);
        for (ThrowingCallable wish : new ThrowingCallable[] {
            server::freeze, server::thaw, server::kill, server::stop, server::restart, server::close
        }) {
            assertThatThrownBy(wish)
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("is shared")
                    .hasMessageContaining("start one of your own");
        }
        assertThat(server.isRunning()).isTrue();
        DriverManager.getConnection(kind.database()).close();
    }
}
