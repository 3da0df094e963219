package dev.signet.fence.jdbc;

/**
 * The statements that have PostgreSQL itself ask {@code signet_enforce}, which has the reasoning, about each write to a table.
 *
 * <ul>
 *   <li>A row is looked at in COMMIT: a constraint trigger that is deferred. What a transaction does until then holds no seal up.
 *   <li>TRUNCATE knows no rows, and no deferred triggers. A partition has copies of the row trigger, but none of this.
 *   <li>ALWAYS: also for a session that says it is a replica, and for what a subscription brings.
 * </ul>
 */
class PostgresTriggers {

    static final String ROWS = "signet_enforce";
    static final String TRUNCATE = "signet_enforce_truncate";

    /**
     * @param table as SQL would have it
     * @param call of the function
     */
    String rows(String table, String call) {
        return "CREATE CONSTRAINT TRIGGER " + ROWS + " AFTER INSERT OR UPDATE OR DELETE ON " + table
                + " DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION " + call;
    }

    String truncate(String table, String call) {
        return "CREATE TRIGGER " + TRUNCATE + " BEFORE TRUNCATE ON " + table + " FOR EACH STATEMENT EXECUTE FUNCTION "
                + call;
    }

    String always(String table) {
        return "ALTER TABLE ONLY " + table + " ENABLE ALWAYS TRIGGER " + ROWS + ", ENABLE ALWAYS TRIGGER " + TRUNCATE;
    }

    /** The state of both triggers of a table, a fault a row; empty if they are as they were made. */
    static final String FAULTS = """
            SELECT expected.name || CASE
                WHEN t.oid IS NULL THEN ' is missing'
                WHEN t.tgenabled = 'D' THEN ' is disabled'
                WHEN t.tgenabled <> 'A' THEN ' is not enabled ALWAYS'
                WHEN t.tgfoid <> to_regproc('signet_enforce') THEN ' calls another function'
                WHEN t.tgargs <> convert_to(?, 'UTF8') || '\\000'::bytea THEN ' is of another resource'
                ELSE ' was changed' END
            FROM (VALUES ('signet_enforce', 29, true), ('signet_enforce_truncate', 34, false)) expected(name, type, later)
                LEFT JOIN pg_trigger t ON t.tgrelid = ?::oid AND t.tgname = expected.name
            WHERE t.oid IS NULL OR t.tgenabled <> 'A' OR t.tgfoid <> to_regproc('signet_enforce')
                OR t.tgargs <> convert_to(?, 'UTF8') || '\\000'::bytea OR t.tgtype <> expected.type
                OR t.tgdeferrable <> later OR t.tginitdeferred <> later OR t.tgqual IS NOT NULL OR t.tgattr <> ''
            """;
}
