package dev.signet.store.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import org.postgresql.PGConnection;
import org.postgresql.PGNotification;

/** PostgreSQL, 12 and newer. */
final class PostgresDialect implements ServerDialect {

    /** Who listens waits in a socket, where nothing but the server can wake it: it looks up as often. */
    private static final int LONGEST_WAIT_MILLIS = 50;

    private static final Set<String> BUSY = Set.of("40001", "40P01", "55P03", "23505");

    private static final Layout LAYOUT = new Layout(List.of(List.of(
            """
            CREATE TABLE signet_store (
                only_one INTEGER PRIMARY KEY CHECK (only_one = 1),
                layout   BIGINT NOT NULL,
                store_id TEXT NOT NULL
            )""",
            """
            CREATE TABLE signet_session (
                number        BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
                namespace     BYTEA NOT NULL,
                id            BYTEA NOT NULL,
                candidate     BYTEA NOT NULL,
                public_uri    TEXT,
                internal_uri  TEXT,
                lease_nanos   BIGINT NOT NULL CHECK (lease_nanos > 0),
                boot_id       TEXT NOT NULL,
                ends_at_nanos BIGINT NOT NULL,
                renewals      BIGINT NOT NULL,
                UNIQUE (namespace, id)
            ) WITH (fillfactor = 50)""",
            "CREATE TABLE signet_holding (session BIGINT PRIMARY KEY, digest BIGINT NOT NULL)",
            """
            CREATE TABLE signet_ended_session (
                ordinal   BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
                namespace BYTEA NOT NULL,
                id        BYTEA NOT NULL,
                UNIQUE (namespace, id)
            )""",
            """
            CREATE TABLE signet_role (
                namespace         BYTEA NOT NULL,
                name              BYTEA NOT NULL,
                version           BIGINT NOT NULL CHECK (version >= 0),
                token             BIGINT NOT NULL CHECK (token BETWEEN 0 AND 9007199254740991),
                holder            BIGINT,
                attempt           BIGINT,
                term_high         BIGINT,
                term_low          BIGINT,
                candidate         BYTEA,
                public_uri        TEXT,
                internal_uri      TEXT,
                kept_for          BIGINT,
                kept_candidate    BYTEA,
                kept_window_nanos BIGINT,
                kept_boot_id      TEXT,
                kept_until_nanos  BIGINT,
                PRIMARY KEY (namespace, name)
            )""",
            "CREATE INDEX signet_role_of_holder ON signet_role (holder) WHERE holder IS NOT NULL",
            // not by namespace first: while a table is small a role might be found by that, in a plan that is kept
            "CREATE INDEX signet_role_by_version ON signet_role (version)",
            """
            CREATE TABLE signet_campaign (
                session  BIGINT NOT NULL,
                role     BYTEA NOT NULL,
                enlisted INTEGER NOT NULL DEFAULT 0 CHECK (enlisted IN (0, 1)),
                answered BIGINT NOT NULL DEFAULT 0,
                released BIGINT NOT NULL DEFAULT 0,
                PRIMARY KEY (session, role)
            )""")));

    @Override
    public String product() {
        return "PostgreSQL";
    }

    @Override
    public Version oldest() {
        return new Version(12, 0);
    }

    @Override
    public Layout layout() {
        return LAYOUT;
    }

    @Override
    public String insertIfAbsent(String rest) {
        return "INSERT INTO " + rest + " ON CONFLICT DO NOTHING";
    }

    @Override
    public String upsert(String table, List<String> keys, List<String> values) {
        return Upsert.onConflict(table, keys, values);
    }

    /** A restart begins another run: the clock may have been set meanwhile, and a promoted standby has a clock of its own. */
    @Override
    public String identity() {
        return "SELECT (extract(epoch FROM pg_postmaster_start_time()) * 1000000)::bigint::text,"
                + " pg_is_in_recovery() OR current_setting('transaction_read_only') = 'on'";
    }

    @Override
    public Optional<String> unfitness(Link link, ConnectionSource more) throws SQLException {
        if (!link.connection().isWrapperFor(PGConnection.class)) {
            return Optional.of(
                    "gives connections that do not unwrap to org.postgresql.PGConnection, by which changes are"
                            + " heard of; use a pool whose connections do");
        }
        return new Pooler(more).sharesConnectionsOf(link)
                ? Optional.of(
                        "is a pooler that gives each transaction another connection, as PgBouncer in transaction mode"
                                + " does: settings, LISTEN and prepared statements would get lost; name the server itself, or a"
                                + " pool in session mode")
                : Optional.empty();
    }

    /** Not now(), which stands still in a transaction. */
    @Override
    public String micros() {
        return "SELECT (extract(epoch FROM clock_timestamp()) * 1000000)::bigint";
    }

    @Override
    public String tablesNamed() {
        return "SELECT count(*) FROM pg_class WHERE oid = to_regclass(?)";
    }

    @Override
    public void enterInit(Link link) throws SQLException {
        link.execute("SET LOCAL lock_timeout = '30s'");
        link.execute("SELECT pg_advisory_xact_lock(hashtext('signet init'))");
    }

    @Override
    public void leaveInit(Link link) {}

    @Override
    public Map<String, Object> settings(Duration attempt, Current current) throws SQLException {
        String millis = attempt.toMillis() + "ms";
        Map<String, Object> settings = new LinkedHashMap<>();
        settings.put("statement_timeout", millis);
        settings.put("lock_timeout", millis);
        settings.put("idle_in_transaction_session_timeout", millis);
        // each of ours finds its rows by a key: a plan that is made while a table is small would read all of it, and is
        // kept when the table has grown
        settings.put("enable_seqscan", "off");
        // where there is no other plan, that one now looks so dear that it would be compiled, which takes far longer
        settings.put("jit", "off");
        if (current.of("synchronous_commit").equals("off")) {
            // a grant must not be forgotten once it was answered
            settings.put("synchronous_commit", "on");
        }
        return settings;
    }

    @Override
    public String show(String setting) {
        return "SELECT current_setting('" + setting + "')";
    }

    @Override
    public String set(String setting) {
        return "SELECT set_config('" + setting + "', ?, false)";
    }

    @Override
    public Optional<String> announce() {
        return Optional.of("SELECT pg_notify('signet', ?)");
    }

    @Override
    public void listen(Link link) throws SQLException {
        link.execute("LISTEN signet");
    }

    @Override
    public void unlisten(Link link) throws SQLException {
        link.execute("UNLISTEN signet");
    }

    @Override
    public void await(Connection connection, Predicate<String> meant, BooleanSupplier called, long nanos)
            throws SQLException {
        PGConnection listening = connection.unwrap(PGConnection.class);
        long deadline = System.nanoTime() + Math.min(nanos, Long.MAX_VALUE / 4);
        for (long left = nanos; left > 0 && !called.getAsBoolean(); left = deadline - System.nanoTime()) {
            int millis = (int) Math.min(LONGEST_WAIT_MILLIS, Math.max(1, left / 1_000_000));
            PGNotification[] heard = listening.getNotifications(millis);
            if (heard != null) {
                for (PGNotification each : heard) {
                    if (meant.test(Objects.requireNonNullElse(each.getParameter(), ""))) {
                        return;
                    }
                }
            }
        }
    }

    @Override
    public Optional<ServerFault> lasting(SQLException fault) {
        String state = Objects.requireNonNullElse(fault.getSQLState(), "");
        // 08004 is the driver's own: no password was given, no TLS where it is asked for. It may not be on the class
        // path.
        boolean ofDriver = fault.getClass().getName().startsWith("org.postgresql.");
        if (state.startsWith("28") || (state.equals("08004") && ofDriver)) {
            return Optional.of(ServerFault.NOT_ADMITTED);
        }
        return switch (state) {
            case "42501" -> Optional.of(ServerFault.NOT_PERMITTED);
            case "42P01" -> Optional.of(ServerFault.NO_TABLES);
            case "3D000", "3F000" -> Optional.of(ServerFault.NO_DATABASE);
            case "42703", "42804", "42809", "42883", "42P07", "42710", "XX001", "XX002" ->
                Optional.of(ServerFault.WRONG_TABLES);
            case "25006" -> Optional.of(ServerFault.READ_ONLY);
            default -> Optional.empty();
        };
    }

    @Override
    public boolean isBusy(SQLException fault) {
        return BUSY.contains(Objects.requireNonNullElse(fault.getSQLState(), ""));
    }
}
