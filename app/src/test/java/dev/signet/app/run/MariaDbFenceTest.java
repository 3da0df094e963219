package dev.signet.app.run;

import dev.signet.app.Ada;
import dev.signet.app.Sql;
import dev.signet.servers.DatabaseServer;
import dev.signet.servers.MariaDbOptions;
import dev.signet.servers.MariaDbServer;
import dev.signet.testkit.JavaChild;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** The program asks the fence itself; the database would let anybody write. */
@Tag("process")
@Execution(ExecutionMode.CONCURRENT)
final class MariaDbFenceTest extends ServerFence {

    private final MariaDbServer server = MariaDbServer.start(MariaDbOptions.defaults());

    @Override
    DatabaseServer server() {
        return server;
    }

    @Override
    void prepare(Map<String, String> environment) throws IOException {
        server.createUser("ada", Ada.PASSWORD);
        server.createUser("writer", "of-writer");
        server.execute("GRANT ALL ON bank.* TO ada");
        Sql.execute(server.jdbcUrl("bank"), "CREATE TABLE ledger (writer varchar(9), token bigint)");
        terminal().done(environment, "fence", "init", "--role", Terminal.ROLE);
        for (String right : List.of("SELECT ON signet_fence", "SELECT ON signet_fence_layout", "INSERT ON ledger")) {
            Sql.execute(server.jdbcUrl("bank"), "GRANT " + right + " TO writer");
        }
    }

    @Override
    List<String> writer(String name) {
        return JavaChild.command(FencedProgram.class, server.jdbcUrl("bank", "writer", "of-writer"), name);
    }
}
