package dev.signet.store.jdbc;

import dev.signet.Namespace;
import dev.signet.StoreException;
import dev.signet.StoreId;
import dev.signet.store.OpenSession;
import dev.signet.store.StoreTraits;
import java.time.Duration;
import java.util.Optional;
import javax.sql.DataSource;

/**
 * A store in a database on one PostgreSQL or MariaDB server. Thread-safe.
 *
 * <p>What it does <em>not</em> do:
 *
 * <ul>
 *   <li>It is no quorum: one server decides, and while it is away nobody is elected. It says so.
 *   <li>A standby that replicates asynchronously may have lost the last grants when it is promoted. It grants their tokens
 *       again then, to terms of another id: the fence refuses the second of them, and the role heals above it. Replicate
 *       synchronously where that is not good enough.
 *   <li>Leases are kept on the server's clock. When it is set while somebody watches, nothing ends by it for a whole lease;
 *       who begins only afterwards cannot know. A restart counts as another clock on PostgreSQL: the role of a holder that
 *       does not come back is free up to a lease later then.
 *   <li>It needs the connections for itself and for long: a pooler that gives each transaction another one, as PgBouncer in
 *       transaction mode, is refused where it can be told, which is on PostgreSQL.
 * </ul>
 *
 * <p>It holds four connections, whatever the number of roles: one for heartbeats, which so never wait for anything else; one for
 * grants; one for reads; one for watches. They are taken from the {@link DataSource} when they are first needed, and are kept
 * until {@link #close()}; whoever gets them next finds their settings as they were. Four daemon threads.
 *
 * <p>Durability: a grant is as durable as a commit is on that server; on PostgreSQL {@code synchronous_commit = off} is
 * overruled.
 */
public final class JdbcStore extends SqlStore {

    private JdbcStore(Server server, Namespace namespace, JdbcStoreOptions options) {
        super(
                new StoreTraits(
                        server.toString(),
                        StoreTraits.Kind.SINGLE_SERVER,
                        Optional.of("one database server elects: while it is away nobody leads anew, and a standby that"
                                + " replicates asynchronously may have lost the last grants when it is promoted"),
                        false,
                        true,
                        wakeBound(options.pollInterval())),
                server,
                namespace,
                options.pollInterval(),
                Heartbeats.APART,
                "signet-jdbc");
    }

    private static Duration wakeBound(Duration pollInterval) {
        return pollInterval.multipliedBy(6).dividedBy(5);
    }

    /**
     * {@link #layOut} with the default options, for those who want no more than the id that the store was given when it was made.
     *
     * @throws StoreException if that is not possible, with why and what to do
     */
    public static StoreId init(DataSource connections) {
        return layOut(connections, JdbcStoreOptions.defaults()).storeId();
    }

    /**
     * Makes the tables in the database and schema that the connections lead to, or brings those of an older Signet up;
     * however many try at once. Idempotent. Blocks. Needs the right to create tables, which nothing else here does.
     *
     * @throws StoreException if that is not possible, with why and what to do; {@code UNREACHABLE} if it may be later
     */
    public static LaidOut layOut(DataSource connections, JdbcStoreOptions options) {
        return server(connections, "", options).init();
    }

    /**
     * The id of the store that is there; makes and changes nothing. Blocks.
     *
     * @throws StoreException if there is none that can be used as it is, with why and what to do; {@code UNREACHABLE} if that
     *     may be otherwise later
     */
    public static StoreId id(DataSource connections) {
        return id(connections, JdbcStoreOptions.defaults());
    }

    /** The same in the words of these options. */
    public static StoreId id(DataSource connections, JdbcStoreOptions options) {
        return server(connections, "", options).id();
    }

    /**
     * Uses a store that {@link #init} made. Returns at once; connecting goes on behind the scenes. That the server is away is
     * <em>unknown</em>; that it has no store for us is the refusal of {@link #open(OpenSession, Duration)} and {@link #read}.
     */
    public static JdbcStore open(DataSource connections, Namespace namespace, JdbcStoreOptions options) {
        return new JdbcStore(server(connections, namespace.name(), options), namespace, options);
    }

    private static Server server(DataSource connections, String namespace, JdbcStoreOptions options) {
        String name = options.name().isEmpty() ? nameOf(connections) : options.name();
        return new Server(connections, name, namespace, options.attempt());
    }

    private static String nameOf(DataSource connections) {
        return connections instanceof DriverDataSource own
                ? own.toString()
                : "the database of " + connections.getClass().getSimpleName();
    }
}
