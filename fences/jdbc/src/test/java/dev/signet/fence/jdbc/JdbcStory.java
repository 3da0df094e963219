package dev.signet.fence.jdbc;

import dev.signet.testkit.FenceClause;

/** A story of {@link JdbcFenceContract}, told on a site of its own. */
record JdbcStory(FenceClause clause, String name, Body body) {

    interface Body {
        void tell(JdbcSite site, JdbcFenceContract database) throws Exception;
    }

    @Override
    public String toString() {
        return clause + " " + name;
    }
}
