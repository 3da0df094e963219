package dev.signet.servers;

import org.jspecify.annotations.Nullable;

/**
 * One server of each kind, shared by all tests of this JVM: started when first asked for, ended with the JVM. A test class takes a
 * database of its own there. What would take the server away from the others is refused with {@link IllegalStateException}: a test
 * that freezes, kills or stops a server starts one for itself.
 */
public final class Servers {

    private static @Nullable PostgresServer postgres;
    private static @Nullable MariaDbServer mariaDb;

    private Servers() {}

    /** @throws ServerException if it does not come up; the next call tries again */
    public static synchronized PostgresServer postgres() {
        if (postgres == null) {
            postgres = PostgresServer.start(PostgresOptions.defaults());
            postgres.share();
        }
        return postgres;
    }

    /** @throws ServerException if it does not come up; the next call tries again */
    public static synchronized MariaDbServer mariaDb() {
        if (mariaDb == null) {
            mariaDb = MariaDbServer.start(MariaDbOptions.defaults());
            mariaDb.share();
        }
        return mariaDb;
    }
}
