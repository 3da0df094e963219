package dev.signet.fence.jdbc;

import dev.signet.Stamp;
import dev.signet.testkit.FenceClause;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/** The naive fences on PostgreSQL, as changes to its functions and to what calls them. */
final class PostgresMutants {

    /** Each with the reason why nothing can tell it from the fence. */
    static final Map<String, String> EQUIVALENT = new LinkedHashMap<>();

    private static final String SHARED =
            "done := pg_advisory_xact_lock_shared(1397311310, hashtext(signet_admit.resource));";
    private static final String EXCLUSIVE =
            "PERFORM pg_advisory_xact_lock(1397311310, hashtext(signet_raise.resource));";
    private static final String IF_READ_COMMITTED =
            "IF current_setting('transaction_isolation') IN ('read committed', 'read uncommitted') THEN";
    private static final String SELECT =
            "SELECT f.*, f.xmin, f.tableoid INTO fence FROM @schema@.signet_fence f WHERE f.resource = signet_admit.resource";
    private static final String VOLATILE =
            "RETURNS void LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$\n";
    private static final String PLACE =
            "substr(pg_walfile_name(pg_current_wal_insert_lsn()), 1, 8) || '/' || relation || '/' || made_by";
    private static final String RISES =
            "AND (f.max_token < signet_raise.token OR (f.max_token = signet_raise.token AND f.term_id = signet_raise.term_id))";

    static {
        EQUIVALENT.put(
                "a STABLE signet_check around the VOLATILE signet_admit",
                "what takes the lock and reads is VOLATILE, and takes a snapshot for each of its statements");
    }

    private final List<Mutant> all = new ArrayList<>();

    private PostgresMutants() {}

    /** The slowest first. */
    static List<Mutant> all() {
        PostgresMutants mutants = new PostgresMutants();
        mutants.ofLocks();
        mutants.ofTransactions();
        mutants.ofCommits();
        mutants.ofComparisons();
        mutants.ofSeals();
        return mutants.all;
    }

    private void ofLocks() {
        String idle = "done := set_config('idle_in_transaction_session_timeout', longest_idle::text, true);";
        mutant(
                "no idle time-out",
                FenceClause.F7,
                new PostgresDialect(changed("no idle time-out", List.of(idle, "NULL;")), PostgresSite.LONGEST_IDLE) {
                    /** Where nobody is ended as last resort, for want of the right. */
                    @Override
                    public OptionalLong session(Connection connection) {
                        return OptionalLong.empty();
                    }
                });
        script(
                "FOR SHARE alone, without the queue",
                FenceClause.F15,
                List.of(SHARED, "", EXCLUSIVE, "", IF_READ_COMMITTED, "IF false THEN"));
        script("no advisory lock in the check", FenceClause.F4, SHARED, "");
        script("no advisory lock in the seal", FenceClause.F4, EXCLUSIVE, "");
        script("the lock of another resource", FenceClause.F4, "hashtext(signet_admit.resource)", "hashtext(role)");
        script("a seal that only tries the lock", FenceClause.F4, EXCLUSIVE, EXCLUSIVE.replace("pg_", "pg_try_"));
        script("the advisory lock alone, above READ COMMITTED", FenceClause.F5, " FOR SHARE;", ";");
        script("FOR KEY SHARE above READ COMMITTED", FenceClause.F5, " FOR SHARE;", " FOR KEY SHARE;");
        script(
                "FOR KEY SHARE alone, as a foreign key takes",
                FenceClause.F4,
                List.of(SHARED, "", EXCLUSIVE, "", IF_READ_COMMITTED, "IF false THEN", "FOR SHARE;", "FOR KEY SHARE;"));
        script(
                "lock and read in one statement",
                FenceClause.F4,
                List.of(
                        SHARED,
                        "",
                        SELECT + ";",
                        SELECT.replace(
                                        "FROM",
                                        "FROM (SELECT pg_advisory_xact_lock_shared(1397311310,"
                                                + " hashtext(signet_admit.resource)) OFFSET 0) locked,")
                                + ";"));
        script(
                "STABLE, not VOLATILE",
                FenceClause.F4,
                List.of(
                        VOLATILE + "DECLARE\n    fence",
                        VOLATILE.replace("VOLATILE", "STABLE") + "DECLARE\n    fence",
                        // which such a function may not say
                        " FOR SHARE;",
                        ";"));
        script(
                "read, then lock",
                FenceClause.F4,
                List.of(
                        SHARED,
                        "",
                        "    IF fence.resource IS NULL THEN",
                        SHARED + "\n    IF fence.resource IS NULL THEN"));
        script("locks of the session", FenceClause.F9, "pg_advisory_xact_lock_shared", "pg_advisory_lock_shared");
    }

    private void ofTransactions() {
        script("no snapshot exported: savepoints", FenceClause.F6, "PERFORM pg_export_snapshot();", "NULL;");
        script("no snapshot exported: two-phase commit", FenceClause.F8, "PERFORM pg_export_snapshot();", "NULL;");
        script(
                "the stamp set for the session",
                FenceClause.F9,
                List.of("token::text, true);", "token::text, false);", "term_id, true);", "term_id, false);"));
        script(
                "the idle time-out set for the session",
                FenceClause.F9,
                "longest_idle::text, true);",
                "longest_idle::text, false);");
        script("a second stamp in one transaction", FenceClause.F2, "IF carried <> ''", "IF false");
        mutant("check under autocommit", FenceClause.F13, new PostgresDialect(PostgresSite.LONGEST_IDLE) {
            @Override
            public void requireTransaction(Connection connection) {}
        });
        mutant("a refusal is rolled back by the fence", FenceClause.F2, new PostgresDialect(PostgresSite.LONGEST_IDLE) {
            @Override
            public void undo(Connection connection) {
                String unused = JdbcSite.asking(() -> {
                    connection.rollback();
                    return "";
                });
            }
        });
        mutant("no mark at the commit", FenceClause.F14, new PostgresDialect(PostgresSite.LONGEST_IDLE) {
            @Override
            public void commit(Connection connection, Stamp stamp, Deadline deadline) throws SQLException {
                connection.commit();
            }
        });
        mutant("the stamp alone is the mark", FenceClause.F14, new PostgresDialect(PostgresSite.LONGEST_IDLE) {
            @Override
            String still() {
                return super.still().replace(" AND current_setting('signet.longest_idle', true) <> ''", "");
            }
        });
        mutant("lock_timeout, not statement_timeout", FenceClause.F7, new PostgresDialect(PostgresSite.LONGEST_IDLE) {
            @Override
            String timeOut() {
                return "set_config('lock_timeout', ?, true)";
            }
        });
        mutant(
                "the time-out of a seal set for the session",
                FenceClause.F9,
                new PostgresDialect(PostgresSite.LONGEST_IDLE) {
                    @Override
                    String timeOut() {
                        return super.timeOut().replace("true", "false");
                    }
                });
    }

    /** Of those that admit. */
    private void ofCommits() {
        mutant("at the commit: after it", FenceClause.F2, new PostgresAtCommit(PostgresSite.LONGEST_IDLE) {
            @Override
            String admittingCommit() {
                return "COMMIT; " + PostgresCheck.ADMIT;
            }
        });
        String old = "at the commit: by a snapshot older than the lock";
        mutant(
                old,
                FenceClause.F5,
                new PostgresAtCommit(changed(old, List.of(" FOR SHARE;", ";")), PostgresSite.LONGEST_IDLE));
        mutant("at the commit: any text is sent", FenceClause.F14, new PostgresAtCommit(PostgresSite.LONGEST_IDLE) {
            @Override
            public Optional<String> endsTransaction(String sql) {
                return Optional.empty();
            }
        });
    }

    private void ofComparisons() {
        script(
                "token >= max",
                FenceClause.F2,
                List.of(
                        "ELSIF token > fence.max_token THEN",
                        "ELSIF false THEN",
                        "ELSIF term_id <>",
                        "ELSIF token = fence.max_token AND term_id <>"));
        script(
                "stale tokens pass",
                FenceClause.F2,
                List.of(
                        "ELSIF token < fence.max_token THEN",
                        "ELSIF false THEN",
                        "ELSIF term_id <>",
                        "ELSIF token = fence.max_token AND term_id <>"));
        script("only the token is compared", FenceClause.F2, "ELSIF term_id <> fence.term_id THEN", "ELSIF false THEN");
        script(
                "a missing row is token 0",
                FenceClause.F2,
                "IF fence.resource IS NULL THEN\n",
                "IF fence.resource IS NULL THEN RETURN;\n");
        script("no role in the check", FenceClause.F2, "ELSIF role <> fence.role THEN", "ELSIF false THEN");
        script("no store id in the check", FenceClause.F2, "ELSIF store_id <> fence.store_id THEN", "ELSIF false THEN");
        script(
                "the place is not compared",
                FenceClause.F3,
                "ELSIF fence.place <> @schema@.signet_place(fence.xmin, fence.tableoid) THEN",
                "ELSIF false THEN");
        script(
                "the place without the version",
                FenceClause.F3,
                "current_setting('server_version_num')::integer / 10000 || '/'",
                "'/'");
        script("the place without the timeline", FenceClause.F3, PLACE, "relation || '/' || made_by");
        script("the place without the table", FenceClause.F3, " || relation ||", " ||");
        script("the place without the row's transaction", FenceClause.F3, " || made_by", " || ''");
        script(
                "writers raise the fence",
                FenceClause.F12,
                SHARED,
                SHARED
                        + " UPDATE @schema@.signet_fence f SET max_token = signet_admit.token, term_id = signet_admit.term_id"
                        + " WHERE f.resource = signet_admit.resource AND f.max_token < signet_admit.token;"
                        + " UPDATE @schema@.signet_fence f SET place = @schema@.signet_place(f.xmin, f.tableoid)"
                        + " WHERE f.resource = signet_admit.resource AND f.xmin = pg_current_xact_id()::xid;");
    }

    private void ofSeals() {
        script("seal: no role", FenceClause.F3, "AND f.role = signet_raise.role ", "");
        script("seal: no store id", FenceClause.F3, "AND f.store_id = signet_raise.store_id", "");
        script(
                "seal: an equal token of another term passes",
                FenceClause.F3,
                RISES,
                "AND f.max_token <= signet_raise.token");
        script("seal: not idempotent", FenceClause.F3, RISES, "AND f.max_token < signet_raise.token");
        script("seal: lower tokens too", FenceClause.F3, RISES, "");
        script("seal: no limit to the jump", FenceClause.F10, "AND signet_raise.token - f.max_token <= max_jump", "");
        script("seal: not durable", FenceClause.F3, "IN ('off', 'local')", "IN ('never')");
        script(
                "seal: keeps the place of the last",
                FenceClause.F1,
                "signet_place(f.xmin, f.tableoid)\n            WHERE",
                "signet_place(f.xmin, f.tableoid)\n            WHERE f.place = '' AND");
        script(
                "seal: the place by the transaction's number",
                FenceClause.F3,
                "@schema@.signet_place(f.xmin, f.tableoid)",
                "@schema@.signet_place(pg_current_xact_id()::xid, f.tableoid)");
        script(
                "names without case",
                FenceClause.F3,
                "CREATE FUNCTION @schema@.signet_place(",
                "CREATE UNIQUE INDEX ON @schema@.signet_fence (lower(resource));\n\nCREATE FUNCTION @schema@.signet_place(");
    }

    private void script(String name, FenceClause clause, String from, String to) {
        script(name, clause, List.of(from, to));
    }

    private void script(String name, FenceClause clause, List<String> changes) {
        mutant(name, clause, new PostgresDialect(changed(name, changes), PostgresSite.LONGEST_IDLE));
    }

    /** @param changes what each is to find in the script, and what it puts there */
    private static String changed(String name, List<String> changes) {
        String script = PostgresSchema.script();
        for (int i = 0; i < changes.size(); i += 2) {
            if (!script.contains(changes.get(i))) {
                throw new IllegalStateException("mutant '" + name + "' finds nothing to change: " + changes.get(i));
            }
            script = script.replace(changes.get(i), changes.get(i + 1));
        }
        return script;
    }

    private void mutant(String name, FenceClause clause, Dialect dialect) {
        all.add(new Mutant(name, EnumSet.of(clause), new PostgresMutantContract(dialect)));
    }
}
