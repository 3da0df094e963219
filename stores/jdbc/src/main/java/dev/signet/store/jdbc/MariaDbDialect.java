package dev.signet.store.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/** MariaDB, 10.6 and newer: before, it had no SKIP LOCKED. */
final class MariaDbDialect implements ServerDialect {

    /** Deadlock, lock wait time-out, a key that somebody else has just inserted, a record that has just changed. */
    private static final Set<Integer> BUSY = Set.of(1213, 1205, 1062, 1020);

    private static final int LOGS_STATEMENTS = 1665;

    private static final String TABLE_OPTIONS = " ENGINE = InnoDB DEFAULT CHARSET = utf8mb4";

    /** DDL is not undone here: a step that was cut short is done again, and finds some of its work done. */
    private static final Layout LAYOUT = new Layout(List.of(List.of(
            """
            CREATE TABLE IF NOT EXISTS signet_session (
                number        BIGINT AUTO_INCREMENT PRIMARY KEY,
                namespace     VARBINARY(200) NOT NULL,
                id            VARBINARY(200) NOT NULL,
                candidate     VARBINARY(1000) NOT NULL,
                public_uri    TEXT,
                internal_uri  TEXT,
                lease_nanos   BIGINT NOT NULL CHECK (lease_nanos > 0),
                boot_id       VARCHAR(500) NOT NULL,
                ends_at_nanos BIGINT NOT NULL,
                renewals      BIGINT NOT NULL,
                UNIQUE KEY (namespace, id)
            )""" + TABLE_OPTIONS,
            "CREATE TABLE IF NOT EXISTS signet_holding (session BIGINT PRIMARY KEY, digest BIGINT NOT NULL)"
                    + TABLE_OPTIONS,
            """
            CREATE TABLE IF NOT EXISTS signet_ended_session (
                ordinal   BIGINT AUTO_INCREMENT PRIMARY KEY,
                namespace VARBINARY(200) NOT NULL,
                id        VARBINARY(200) NOT NULL,
                UNIQUE KEY (namespace, id)
            )""" + TABLE_OPTIONS,
            """
            CREATE TABLE IF NOT EXISTS signet_role (
                namespace         VARBINARY(200) NOT NULL,
                name              VARBINARY(200) NOT NULL,
                version           BIGINT NOT NULL CHECK (version >= 0),
                token             BIGINT NOT NULL CHECK (token BETWEEN 0 AND 9007199254740991),
                holder            BIGINT,
                attempt           BIGINT,
                term_high         BIGINT,
                term_low          BIGINT,
                candidate         VARBINARY(1000),
                public_uri        TEXT,
                internal_uri      TEXT,
                kept_for          BIGINT,
                kept_candidate    VARBINARY(1000),
                kept_window_nanos BIGINT,
                kept_boot_id      VARCHAR(500),
                kept_until_nanos  BIGINT,
                PRIMARY KEY (namespace, name),
                KEY signet_role_of_holder (holder),
                KEY signet_role_by_version (version)
            )""" + TABLE_OPTIONS,
            """
            CREATE TABLE IF NOT EXISTS signet_campaign (
                session  BIGINT NOT NULL,
                role     VARBINARY(200) NOT NULL,
                enlisted INTEGER NOT NULL DEFAULT 0 CHECK (enlisted IN (0, 1)),
                answered BIGINT NOT NULL DEFAULT 0,
                released BIGINT NOT NULL DEFAULT 0,
                PRIMARY KEY (session, role)
            )""" + TABLE_OPTIONS,
            """
            CREATE TABLE IF NOT EXISTS signet_store (
                only_one INTEGER PRIMARY KEY CHECK (only_one = 1),
                layout   BIGINT NOT NULL,
                store_id VARCHAR(100) NOT NULL
            )""" + TABLE_OPTIONS)));

    @Override
    public String product() {
        return "MariaDB";
    }

    @Override
    public Version oldest() {
        return new Version(10, 6);
    }

    @Override
    public Layout layout() {
        return LAYOUT;
    }

    @Override
    public String insertIfAbsent(String rest) {
        return "INSERT IGNORE INTO " + rest;
    }

    @Override
    public String upsert(String table, List<String> keys, List<String> values) {
        return Upsert.insert(table, keys, values) + " ON DUPLICATE KEY UPDATE "
                + values.stream()
                        .map(column -> column + " = VALUES(" + column + ")")
                        .collect(Collectors.joining(", "));
    }

    @Override
    public String identity() {
        return "SELECT CONCAT(@@hostname, ':', @@port, ':', @@server_id), @@global.read_only";
    }

    @Override
    public Optional<String> unfitness(Link link, ConnectionSource more) {
        return Optional.empty();
    }

    /** Not NOW(), which stands still in a statement; in UTC, as a local time means two moments when clocks go back. */
    @Override
    public String micros() {
        return "SELECT CAST(UNIX_TIMESTAMP(SYSDATE(6)) * 1000000 AS SIGNED)";
    }

    @Override
    public String tablesNamed() {
        return "SELECT count(*) FROM information_schema.tables WHERE table_schema = DATABASE() AND table_name = ?";
    }

    /** Tables could be made all the same; only what a session then writes is refused, with this code. */
    @Override
    public void enterInit(Link link) throws SQLException {
        if (link.number("SELECT @@log_bin AND @@sql_log_bin AND @@binlog_format = 'STATEMENT'") == 1) {
            throw new SQLException("BINLOG_FORMAT = STATEMENT", "HY000", LOGS_STATEMENTS);
        }
        if (link.number("SELECT COALESCE(GET_LOCK(CONCAT('signet init ', MD5(DATABASE())), 30), 0)") != 1) {
            throw new SQLException("another signet init has been at work here for 30 s");
        }
    }

    @Override
    public void leaveInit(Link link) throws SQLException {
        link.execute("DO RELEASE_LOCK(CONCAT('signet init ', MD5(DATABASE())))");
    }

    @Override
    public Map<String, Object> settings(Duration attempt, Current current) throws SQLException {
        long seconds = Math.max(1, (attempt.toMillis() + 999) / 1000);
        Map<String, Object> settings = new LinkedHashMap<>();
        settings.put("time_zone", "+00:00");
        settings.put("max_statement_time", attempt.toMillis() / 1000.0);
        settings.put("innodb_lock_wait_timeout", seconds);
        settings.put("idle_transaction_timeout", seconds);
        String mode = String.valueOf(current.of("sql_mode"));
        if (!mode.contains("STRICT_ALL_TABLES")) {
            settings.put("sql_mode", mode.isEmpty() ? "STRICT_ALL_TABLES" : mode + ",STRICT_ALL_TABLES");
        }
        return settings;
    }

    @Override
    public String show(String setting) {
        return "SELECT @@session." + setting;
    }

    @Override
    public String set(String setting) {
        return "SET SESSION " + setting + " = ?";
    }

    @Override
    public Optional<String> announce() {
        return Optional.empty();
    }

    @Override
    public void listen(Link link) {}

    @Override
    public void unlisten(Link link) {}

    @Override
    public void await(Connection connection, Predicate<String> meant, BooleanSupplier called, long nanos) {
        if (!called.getAsBoolean()) {
            LockSupport.parkNanos(this, nanos);
        }
    }

    @Override
    public Optional<ServerFault> lasting(SQLException fault) {
        return switch (fault.getErrorCode()) {
            case 1045, 1130, 1698, 3159, 4151, 4152 -> Optional.of(ServerFault.NOT_ADMITTED);
            case 1044, 1142, 1143, 1227, 1370 -> Optional.of(ServerFault.NOT_PERMITTED);
            case 1146 -> Optional.of(ServerFault.NO_TABLES);
            case 1046, 1049 -> Optional.of(ServerFault.NO_DATABASE);
            case 1054, 1034, 1194, 1932 -> Optional.of(ServerFault.WRONG_TABLES);
            case 1290, 1792, 1836 -> Optional.of(ServerFault.READ_ONLY);
            case LOGS_STATEMENTS -> Optional.of(ServerFault.LOGS_STATEMENTS);
            default -> ofTheDriver(String.valueOf(fault.getMessage()));
        };
    }

    /** What it finds out by itself has no code, and is said in English only. */
    private static Optional<ServerFault> ofTheDriver(String message) {
        // the second is about serverSslCert, which it does not find or cannot read
        if (message.contains("SSL hostname verification failed") || message.contains("Failed load keyStore")) {
            return Optional.of(ServerFault.NOT_TRUSTED);
        }
        return message.contains("ssl not enabled in the server")
                ? Optional.of(ServerFault.NOT_ADMITTED)
                : Optional.empty();
    }

    @Override
    public boolean isBusy(SQLException fault) {
        return BUSY.contains(fault.getErrorCode());
    }
}
