package dev.signet.fence.jdbc;

import org.jooq.SQLDialect;
import org.junit.jupiter.api.Tag;

@Tag("process")
class MariaDbFrameworksTest extends Frameworks {

    @Override
    JdbcSite site() {
        return MariaDbSite.of(MariaDbSite.User.OWNER, MariaDbDialect::new);
    }

    @Override
    SQLDialect dialect() {
        return SQLDialect.MARIADB;
    }
}
