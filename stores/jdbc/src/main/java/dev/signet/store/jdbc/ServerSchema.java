package dev.signet.store.jdbc;

import dev.signet.StoreException;
import dev.signet.StoreId;
import dev.signet.store.StoreRefusal.Kind;
import java.sql.ResultSet;
import java.sql.SQLException;

/** The tables of a store on a server: how they are made and brought up, and how ours are told from others. */
final class ServerSchema {

    /** Others may be at it, each for as long as it takes to make some tables. */
    private static final long LONGEST_INIT_NANOS = 40_000_000_000L;

    private final Server server;
    private final ServerDialect dialect;
    private final Layout layout;

    ServerSchema(Server server, ServerDialect dialect) {
        this(server, dialect, dialect.layout());
    }

    ServerSchema(Server server, ServerDialect dialect, Layout layout) {
        this.server = server;
        this.dialect = dialect;
        this.layout = layout;
    }

    /** Makes the tables, or brings them up; leaves them as they are where that was done. However many try at once. */
    LaidOut init(ServerLink link) throws SQLException {
        link.limit(LONGEST_INIT_NANOS);
        link.connection().setAutoCommit(false);
        dialect.enterInit(link);
        try {
            long version = link.number(dialect.tablesNamed(), "signet_store") == 0 ? 0 : version(link);
            if (layout.isOlder(version)) {
                layout.upgrade(link, version);
                new StoreTables(server).requireWhole(link);
                if (version == 0) {
                    requireUnused(link);
                    link.update(
                            "INSERT INTO signet_store (only_one, layout, store_id) VALUES (1, ?, ?)",
                            layout.version(),
                            StoreId.random().value());
                } else {
                    link.update("UPDATE signet_store SET layout = ?", layout.version());
                }
            }
            StoreId id = verify(link);
            new StoreTables(server).requireWhole(link);
            link.commit();
            return new LaidOut(id, (int) version, layout.version());
        } finally {
            dialect.leaveInit(link);
        }
    }

    /** Where statements that make tables cannot be undone, those that are there may be of a store that lost its id. */
    private void requireUnused(Link link) throws SQLException {
        if (StoreTables.areInUse(link)) {
            throw Server.refusal(
                    Kind.FOREIGN_OR_CORRUPT,
                    "the store in " + server
                            + " has roles, but signet_store, where its id was, is empty or gone; restore"
                            + " that table, or name another database or schema");
        }
    }

    /** @throws StoreException if there is no store of this layout */
    StoreId verify(Link link) throws SQLException {
        try (ResultSet rows = link.query("SELECT layout, store_id FROM signet_store")) {
            if (!rows.next()) {
                throw Server.refusal(
                        Kind.NOT_INITIALISED,
                        "the store in " + server + " is half made; finish it with: " + server.initCommand());
            }
            long version = rows.getLong(1);
            if (layout.isOlder(version)) {
                throw Server.refusal(
                        Kind.OTHER_VERSION,
                        "the store in " + server + " has the older layout version " + version + "; bring it up to "
                                + layout.version() + " with: " + server.initCommand());
            }
            if (version > layout.version()) {
                throw Server.refusal(
                        Kind.OTHER_VERSION,
                        "the store in " + server + " has layout version " + version + ", and this Signet knows "
                                + layout.version() + "; use the Signet that made it, or a newer one");
            }
            return new StoreId(rows.getString(2));
        } catch (IllegalArgumentException e) {
            throw Server.refusal(
                    Kind.FOREIGN_OR_CORRUPT, "the store in " + server + " has an id that is none; restore it");
        }
    }

    private static long version(Link link) throws SQLException {
        return link.number("SELECT coalesce(max(layout), 0) FROM signet_store");
    }
}
