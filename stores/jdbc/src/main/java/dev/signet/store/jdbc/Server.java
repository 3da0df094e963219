package dev.signet.store.jdbc;

import dev.signet.StoreException;
import dev.signet.StoreId;
import dev.signet.store.StoreRefusal;
import dev.signet.store.StoreRefusal.Kind;
import java.io.FileNotFoundException;
import java.security.GeneralSecurityException;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.SQLException;
import java.sql.SQLNonTransientConnectionException;
import java.sql.SQLRecoverableException;
import java.sql.SQLTimeoutException;
import java.sql.SQLTransientException;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.LockSupport;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** A database on a server, reached by a {@link DataSource}. Thread-safe. */
final class Server implements Database {

    private static final List<ServerDialect> DIALECTS = List.of(new PostgresDialect(), new MariaDbDialect());
    private static final long SHORTEST_PAUSE_NANOS = 500_000;
    private static final long LONGEST_PAUSE_NANOS = 32_000_000;

    private final DataSource connections;
    private final String name;
    private final String namespace;
    private final Duration attempt;
    private final ServerClock clock = new ServerClock(System::nanoTime);
    private volatile @Nullable ServerDialect known;
    private volatile boolean fit;
    private volatile boolean rightsWereThere;

    Server(DataSource connections, String name, String namespace, Duration attempt) {
        this.connections = connections;
        this.name = name;
        this.namespace = namespace;
        this.attempt = attempt;
    }

    @Override
    public Opened connect(Use use) throws SQLException {
        ServerLink link = link();
        try {
            requireFit(link);
            if (link.prepare(use, attempt)) {
                throw refusal(
                        Kind.READ_ONLY,
                        this + " can only be read, as a replica can; name the server that takes writes");
            }
            StoreId storeId = new ServerSchema(this, dialect(link.connection())).verify(link);
            if (use == Use.WRITES && !rightsWereThere) {
                StoreTables tables = new StoreTables(this);
                tables.requireWhole(link);
                tables.requireRights(link);
                rightsWereThere = true;
            }
            // nothing of ours may see the state of this moment later, nor keep a transaction open until it is used
            link.rollback();
            return new Opened(link, storeId, Optional.empty());
        } catch (SQLException | StoreException e) {
            link.close();
            throw e;
        }
    }

    /** Before anything is set that another client of a pooler would find. */
    private void requireFit(ServerLink link) throws SQLException {
        if (!fit) {
            link.connection().setAutoCommit(true);
            Optional<String> unfitness = dialect(link.connection()).unfitness(link, this::connection);
            if (unfitness.isPresent()) {
                throw refusal(Kind.UNSUITABLE_PLACE, this + " " + unfitness.get());
            }
            fit = true;
        }
    }

    private ServerLink link() throws SQLException {
        Connection connection = connection();
        try {
            return new ServerLink(connection, dialect(connection), clock, namespace);
        } catch (SQLException | StoreException e) {
            connection.close();
            throw e;
        }
    }

    /** There are pools that throw what is no SQLException when the first connection fails. */
    private Connection connection() throws SQLException {
        try {
            return connections.getConnection();
        } catch (StoreException e) {
            throw e;
        } catch (RuntimeException e) {
            throw new SQLException("there is no connection to be had: " + Faults.text(e), e);
        }
    }

    @Override
    public String whileConnecting() {
        return connections instanceof DriverDataSource
                ? "no connection has come about yet"
                : "no connection has come about yet; a pool must have four to spare for this store alone, and one more for"
                        + " whatever else it serves";
    }

    /** Makes the tables, or brings them up to the present layout. */
    LaidOut init() {
        try (ServerLink link = link()) {
            return new ServerSchema(this, dialect(link.connection())).init(link);
        } catch (SQLException e) {
            throw blocked("no store can be kept in " + this, e);
        }
    }

    /** Of the store that is there. */
    StoreId id() {
        try {
            Opened opened = connect(Use.READS);
            opened.link().close();
            return opened.storeId();
        } catch (SQLException e) {
            throw blocked(this + " cannot be read", e);
        }
    }

    private StoreException blocked(String what, SQLException fault) {
        String text = Faults.text(fault);
        return new StoreException(
                refusal(fault)
                        .orElseGet(() -> isPassing(fault)
                                ? new StoreRefusal(Kind.UNREACHABLE, this + " did not answer (" + text + ")")
                                : new StoreRefusal(Kind.UNSUITABLE_PLACE, what + " (" + text + ")")),
                fault);
    }

    /** Whether the same may go well later: the connection, or what the server is short of or busy with. */
    private boolean isPassing(SQLException fault) {
        String state = Objects.requireNonNullElse(fault.getSQLState(), "");
        return isLost(fault)
                || isBusy(fault)
                || fault instanceof SQLTransientException
                || fault instanceof SQLTimeoutException
                || state.startsWith("53")
                || state.startsWith("57");
    }

    /** What a person types to have the store made or brought up, if the name tells where it is. */
    String initCommand() {
        return name.startsWith("jdbc:") ? "signet init --store " + ShellWord.quoted(name) : "signet init";
    }

    private ServerDialect dialect(Connection connection) throws SQLException {
        ServerDialect found = known;
        if (found == null) {
            DatabaseMetaData about = connection.getMetaData();
            String product = about.getDatabaseProductName();
            found = DIALECTS.stream()
                    .filter(each -> each.product().equals(product))
                    .findFirst()
                    .orElseThrow(() -> refusal(
                            Kind.UNSUITABLE_PLACE,
                            this + " is " + product + "; a store can be kept in PostgreSQL or MariaDB"));
            ServerDialect.Version version =
                    new ServerDialect.Version(about.getDatabaseMajorVersion(), about.getDatabaseMinorVersion());
            if (version.compareTo(found.oldest()) < 0) {
                throw refusal(
                        Kind.UNSUITABLE_PLACE,
                        this + " is " + product + " " + version + "; a store needs " + found.oldest() + " or newer");
            }
            known = found;
        }
        return found;
    }

    static StoreException refusal(Kind kind, String message) {
        return new StoreException(new StoreRefusal(kind, message), null);
    }

    /** One address is one store, whichever server answers there. */
    @Override
    public boolean isStill(Opened opened) {
        return true;
    }

    @Override
    public Optional<StoreRefusal> refusal(SQLException fault) {
        return meaning(fault).map(lasting -> lasting.refusal(this, Faults.text(fault)));
    }

    /** What lasts about it; also where a pool has wrapped it into a fault of its own. */
    Optional<ServerFault> meaning(SQLException fault) {
        ServerDialect dialect = known;
        // before the first connection nobody knows what it is, but no two of them mean different things by one code
        List<ServerDialect> possible = dialect == null ? DIALECTS : List.of(dialect);
        List<Throwable> causes = Faults.chain(fault);
        if (causes.stream().anyMatch(Server::isDistrust)) {
            return Optional.of(ServerFault.NOT_TRUSTED);
        }
        return causes.stream()
                .filter(SQLException.class::isInstance)
                .map(SQLException.class::cast)
                .flatMap(each -> possible.stream().flatMap(one -> one.lasting(each).stream()))
                .findFirst();
    }

    /** Not any fault of TLS: a connection that is cut in the midst of its handshake is one as well. */
    private static boolean isDistrust(Throwable fault) {
        return fault instanceof GeneralSecurityException
                || fault instanceof SSLPeerUnverifiedException
                // the certificate by which a server is to be known
                || fault instanceof FileNotFoundException
                // PostgreSQL's driver, about a certificate of another host: in any language it names who found out
                || (fault instanceof SQLException && Faults.text(fault).contains("HostnameVerifier"));
    }

    @Override
    public boolean isBusy(SQLException fault) {
        ServerDialect dialect = known;
        return dialect != null && dialect.isBusy(fault);
    }

    @Override
    public boolean isLost(SQLException fault) {
        String state = Objects.requireNonNullElse(fault.getSQLState(), "");
        return fault instanceof SQLRecoverableException
                || fault instanceof SQLNonTransientConnectionException
                || state.startsWith("08")
                || state.startsWith("57P")
                || state.equals("25P03");
    }

    @Override
    public void pause(int tries) {
        long longest = Math.min(LONGEST_PAUSE_NANOS, SHORTEST_PAUSE_NANOS << Math.min(tries, 10));
        LockSupport.parkNanos(ThreadLocalRandom.current().nextLong(longest / 2, longest));
    }

    @Override
    public String toString() {
        return name;
    }
}
