package dev.signet.fence.jdbc;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.UnaryOperator;

/** Triggers as one would naively write them on PostgreSQL. Each is wrong in one way, and some scenario must say so. */
final class EnforceMutants {

    static final Map<String, Dialect> ALL = new LinkedHashMap<>();

    private static final String NO_STAMP =
            "IF coalesce(carried, '') !~ '^[0-9]{1,16}$' OR coalesce(carried_id, '') = '' THEN";
    private static final String REMEMBERED =
            "IF current_setting('signet.enforced', true) = protector || ' ' || carried THEN";
    private static final String PREPARED = "    IF current_setting('max_prepared_transactions') <> '0'\n"
            + "        AND NOT coalesce(current_query() ~* '^\\s*(commit|end)\\M' AND current_query() !~* 'prepare', true) THEN\n";

    static {
        function("no lock", script -> script.replaceAll("PERFORM pg_advisory_xact_lock_shared\\(.*", ""));
        function("no lock for later rows", replacing(lockOf("protector"), ""));
        function("the row is read before the lock", EnforceMutants::readFirst);
        function(
                "a snapshot of before the lock (STABLE)",
                script -> enforceAndAdmit(script, "plpgsql VOLATILE SECURITY", "plpgsql STABLE SECURITY")
                        .replace(" FOR SHARE", ""));
        function("no row lock above READ COMMITTED", replacing(" FOR SHARE", ""));
        function("a missing stamp passes", replacing(NO_STAMP, NO_STAMP + " RETURN NULL;"));
        function("a missing id passes", replacing(" OR coalesce(carried_id, '') = '' THEN", " THEN"));
        function(
                "whatever stands in the setting is a token",
                replacing("coalesce(carried, '') !~ '^[0-9]{1,16}$'", "carried = ''"));
        function(
                "token >= max",
                replacing("ELSIF token > fence.max_token THEN", "ELSIF token > fence.max_token THEN RETURN;"));
        function(
                "stale tokens pass",
                replacing("ELSIF token < fence.max_token THEN", "ELSIF token < fence.max_token THEN RETURN;"));
        function("only the token is compared", replacing("ELSIF term_id <> fence.term_id THEN", "ELSIF false THEN"));
        function(
                "a missing row is token 0",
                replacing("IF fence.resource IS NULL THEN", "IF fence.resource IS NULL THEN RETURN;"));
        function(
                "which server it is does not matter",
                replacing("ELSIF fence.place <> @schema@.signet_place() THEN", "ELSIF false THEN"));
        function("what is remembered is believed", replacing(REMEMBERED, REMEMBERED + " RETURN NULL;"));
        function(
                "of later rows only the token is compared",
                replacing("f.max_token::text = carried AND f.term_id = carried_id", "f.max_token::text = carried"));
        function(
                "the first row's stamp is the transaction's",
                replacing(REMEMBERED, "IF current_setting('signet.enforced', true) <> '' THEN RETURN NULL;"));
        function(
                "with the rights of who writes",
                script -> enforceAndAdmit(script, "VOLATILE SECURITY DEFINER", "VOLATILE"));
        function(
                "with the search path of who writes",
                script -> enforceAndAdmit(script, "SET search_path = pg_catalog, pg_temp", ""));
        function("prepared transactions pass", replacing(PREPARED, "IF false THEN\n"));
        function(
                "only the statement that prepares is looked at",
                replacing(PREPARED, "IF current_query() ~* '^prepare' THEN\n"));
        function(
                "every transaction is refused that could be prepared",
                replacing(
                        PREPARED,
                        "IF current_setting('max_prepared_transactions') <> '0' THEN\n"
                                + " RAISE EXCEPTION 'prepared transactions are possible here';\n"));
        function(
                "no limit to how long TRUNCATE may stand still",
                replacing("'10000')::integer);", "'10000')::integer * 0);"));
        triggers(
                "not deferred",
                text -> text.replace("INITIALLY DEFERRED", "INITIALLY IMMEDIATE"),
                UnaryOperator.identity());
        triggers(
                "BEFORE each row",
                text -> text.replace("CONSTRAINT TRIGGER", "TRIGGER")
                        .replace("AFTER INSERT", "BEFORE INSERT")
                        .replace("DEFERRABLE INITIALLY DEFERRED ", ""),
                replacing("RETURN NULL;", "RETURN CASE WHEN TG_OP = 'DELETE' THEN OLD ELSE NEW END;"));
        triggers("DELETE is not looked at", text -> text.replace(" OR DELETE", ""), UnaryOperator.identity());
        triggers("INSERT is not looked at", text -> text.replace("INSERT OR ", ""), UnaryOperator.identity());
        triggers("UPDATE is not looked at", text -> text.replace(" OR UPDATE", ""), UnaryOperator.identity());
        triggers(
                "only an UPDATE of the amount",
                text -> text.replace("UPDATE", "UPDATE OF amount"),
                UnaryOperator.identity());
        triggers(
                "TRUNCATE is not looked at",
                text -> text.replaceAll("CREATE TRIGGER signet_enforce_truncate .*", "SELECT 1")
                        .replace(", ENABLE ALWAYS TRIGGER signet_enforce_truncate", ""),
                UnaryOperator.identity());
        triggers("not ALWAYS", text -> text.replaceAll("ALTER TABLE .*", "SELECT 1"), UnaryOperator.identity());
    }

    private EnforceMutants() {}

    static boolean isFailed(Scenario scenario, Dialect dialect) {
        try {
            scenario.body().run(dialect);
            return false;
        } catch (Throwable e) {
            return true;
        }
    }

    private static String lockOf(String resource) {
        return "PERFORM pg_advisory_xact_lock_shared(1397311310, hashtext(" + resource + "));";
    }

    private static String readFirst(String script) {
        String lock = lockOf("signet_admit.resource");
        String after = "    IF fence.resource IS NULL THEN";
        return replacing(after, "    " + lock + "\n" + after)
                .apply(replacing(lock, "").apply(script));
    }

    /** In the two functions that admit a write. */
    private static String enforceAndAdmit(String script, String from, String to) {
        int admit = script.indexOf("CREATE FUNCTION @schema@.signet_admit(");
        int still = script.indexOf("CREATE FUNCTION @schema@.signet_still(");
        return script.substring(0, admit) + script.substring(admit, still).replace(from, to) + script.substring(still);
    }

    private static UnaryOperator<String> replacing(String from, String to) {
        return script -> {
            if (!script.contains(from)) {
                throw new IllegalStateException("the script has no '" + from + "'");
            }
            return script.replace(from, to);
        };
    }

    private static void function(String name, UnaryOperator<String> mutation) {
        ALL.put(
                name,
                new PostgresDialect(
                        mutation.apply(PostgresSchema.script()), PostgresSite.LONGEST_IDLE, new PostgresTriggers()));
    }

    private static void triggers(String name, UnaryOperator<String> mutation, UnaryOperator<String> ofScript) {
        ALL.put(
                name,
                new PostgresDialect(
                        ofScript.apply(PostgresSchema.script()), PostgresSite.LONGEST_IDLE, new PostgresTriggers() {
                            @Override
                            String rows(String table, String call) {
                                return mutation.apply(super.rows(table, call));
                            }

                            @Override
                            String truncate(String table, String call) {
                                return mutation.apply(super.truncate(table, call));
                            }

                            @Override
                            String always(String table) {
                                return mutation.apply(super.always(table));
                            }
                        }));
    }
}
