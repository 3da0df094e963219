package dev.signet.fence.jdbc;

import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;

/** Triggers as one would naively write them on PostgreSQL. Each is wrong in one way, and a scenario must say so. */
final class EnforceMutants {

    static final List<EnforceMutant> ALL = new ArrayList<>();

    private static final String NO_STAMP =
            "IF coalesce(carried, '') !~ '^[0-9]{1,16}$' OR coalesce(carried_id, '') = '' THEN";
    private static final String REMEMBERED =
            "IF current_setting('signet.enforced', true) = protector || ' ' || carried THEN";
    private static final String PREPARED = "    IF current_setting('max_prepared_transactions') <> '0'\n"
            + "        AND NOT coalesce(current_query() ~* '^\\s*(commit|end)\\M' AND current_query() !~* 'prepare', true) THEN\n";

    static {
        function(
                "no lock",
                "a seal waits for rows that were looked at already",
                script -> script.replaceAll("(PERFORM|done :=) pg_advisory_xact_lock_shared\\(.*", ""));
        function(
                "no lock for later rows",
                "a seal waits for rows that were looked at already",
                replacing(lockOf("PERFORM", "protector"), ""));
        function(
                "the row is read before the lock",
                "a COMMIT waits for a seal that is under way, and is refused after it",
                EnforceMutants::readFirst);
        function(
                "a snapshot of before the lock (STABLE)",
                "a COMMIT waits for a seal that is under way, and is refused after it",
                script -> enforceAndAdmit(script, "plpgsql VOLATILE SECURITY", "plpgsql STABLE SECURITY")
                        .replace(" FOR SHARE", ""));
        function(
                "no row lock above READ COMMITTED",
                "a seal passes beside an open transaction, whose COMMIT is then refused",
                replacing(" FOR SHARE", ""));
        function(
                "a missing stamp passes",
                "a write without a stamp is refused, and told how",
                replacing(NO_STAMP, NO_STAMP + " RETURN NULL;"));
        function(
                "a missing id passes",
                "half a stamp is none",
                replacing(" OR coalesce(carried_id, '') = '' THEN", " THEN"));
        function(
                "whatever stands in the setting is a token",
                "half a stamp is none",
                replacing("coalesce(carried, '') !~ '^[0-9]{1,16}$'", "carried = ''"));
        function(
                "token >= max",
                "each kind of wrong stamp is refused by its name",
                replacing("ELSIF token > fence.max_token THEN", "ELSIF token > fence.max_token THEN RETURN;"));
        function(
                "stale tokens pass",
                "each kind of wrong stamp is refused by its name",
                replacing("ELSIF token < fence.max_token THEN", "ELSIF token < fence.max_token THEN RETURN;"));
        function(
                "only the token is compared",
                "each kind of wrong stamp is refused by its name",
                replacing("ELSIF term_id <> fence.term_id THEN", "ELSIF false THEN"));
        function(
                "a missing row is token 0",
                "each kind of wrong stamp is refused by its name",
                replacing("IF fence.resource IS NULL THEN", "IF fence.resource IS NULL THEN RETURN;"));
        function(
                "which server it is does not matter",
                "a server that failed over since the seal takes nothing",
                replacing(
                        "ELSIF fence.place <> @schema@.signet_place(fence.xmin, fence.tableoid) THEN",
                        "ELSIF false THEN"));
        function(
                "what is remembered is believed",
                "what is remembered from row to row opens nothing",
                replacing(REMEMBERED, REMEMBERED + " RETURN NULL;"));
        function(
                "of later rows only the token is compared",
                "what is remembered from row to row opens nothing",
                replacing("f.max_token::text = carried AND f.term_id = carried_id", "f.max_token::text = carried"));
        function(
                "the first row's stamp is the transaction's",
                "no row of another stamp among many of the right one",
                replacing(REMEMBERED, "IF current_setting('signet.enforced', true) <> '' THEN RETURN NULL;"));
        function(
                "with the rights of who writes",
                "who may only write the table can write, and learns no term id",
                script -> enforceAndAdmit(script, "VOLATILE SECURITY DEFINER", "VOLATILE"));
        function(
                "with the search path of who writes",
                "what a search path or TEMP table shadows changes nothing",
                script -> enforceAndAdmit(script, "SET search_path = pg_catalog, pg_temp", ""));
        function(
                "prepared transactions pass",
                "a fenced transaction is not prepared",
                replacing(PREPARED, "IF false THEN\n"));
        function(
                "only the statement that prepares is looked at",
                "a fenced transaction is not prepared",
                replacing(PREPARED, "IF current_query() ~* '^prepare' THEN\n"));
        function(
                "every transaction is refused that could be prepared",
                "a fenced transaction is not prepared",
                replacing(
                        PREPARED,
                        "IF current_setting('max_prepared_transactions') <> '0' THEN\n"
                                + " RAISE EXCEPTION 'prepared transactions are possible here';\n"));
        function(
                "no limit to how long TRUNCATE may stand still",
                "TRUNCATE holds a seal up, and not for ever",
                replacing("'10000')::integer);", "'10000')::integer * 0);"));
        triggers(
                "not deferred",
                "a seal passes beside an open transaction, whose COMMIT is then refused",
                text -> text.replace("INITIALLY DEFERRED", "INITIALLY IMMEDIATE"),
                UnaryOperator.identity());
        triggers(
                "BEFORE each row",
                "a seal passes beside an open transaction, whose COMMIT is then refused",
                text -> text.replace("CONSTRAINT TRIGGER", "TRIGGER")
                        .replace("AFTER INSERT", "BEFORE INSERT")
                        .replace("DEFERRABLE INITIALLY DEFERRED ", ""),
                replacing("RETURN NULL;", "RETURN CASE WHEN TG_OP = 'DELETE' THEN OLD ELSE NEW END;"));
        triggers(
                "DELETE is not looked at",
                "a write without a stamp is refused, and told how",
                text -> text.replace(" OR DELETE", ""),
                UnaryOperator.identity());
        triggers(
                "INSERT is not looked at",
                "a write without a stamp is refused, and told how",
                text -> text.replace("INSERT OR ", ""),
                UnaryOperator.identity());
        triggers(
                "UPDATE is not looked at",
                "a write without a stamp is refused, and told how",
                text -> text.replace(" OR UPDATE", ""),
                UnaryOperator.identity());
        triggers(
                "only an UPDATE of the amount",
                "cascades of foreign keys are writes",
                text -> text.replace("UPDATE", "UPDATE OF amount"),
                UnaryOperator.identity());
        triggers(
                "TRUNCATE is not looked at",
                "a write without a stamp is refused, and told how",
                text -> text.replaceAll("CREATE TRIGGER signet_enforce_truncate .*", "SELECT 1")
                        .replace(", ENABLE ALWAYS TRIGGER signet_enforce_truncate", ""),
                UnaryOperator.identity());
        triggers(
                "not ALWAYS",
                "a session that says it is a replica is refused",
                text -> text.replaceAll("ALTER TABLE .*", "SELECT 1"),
                UnaryOperator.identity());
    }

    private EnforceMutants() {}

    private static String lockOf(String how, String resource) {
        return how + " pg_advisory_xact_lock_shared(1397311310, hashtext(" + resource + "));";
    }

    private static String readFirst(String script) {
        String lock = lockOf("done :=", "signet_admit.resource");
        String after = "    IF fence.resource IS NULL THEN";
        return replacing(after, "    " + lock + "\n" + after)
                .apply(replacing(lock, "").apply(script));
    }

    /** In the two functions that admit a write. */
    private static String enforceAndAdmit(String script, String from, String to) {
        int admit = script.indexOf("CREATE FUNCTION @schema@.signet_admit(");
        int raise = script.indexOf("CREATE FUNCTION @schema@.signet_raise(");
        return script.substring(0, admit) + script.substring(admit, raise).replace(from, to) + script.substring(raise);
    }

    private static UnaryOperator<String> replacing(String from, String to) {
        return script -> {
            if (!script.contains(from)) {
                throw new IllegalStateException("the script has no '" + from + "'");
            }
            return script.replace(from, to);
        };
    }

    private static void function(String name, String finder, UnaryOperator<String> mutation) {
        ALL.add(new EnforceMutant(
                name,
                finder,
                new PostgresDialect(
                        mutation.apply(PostgresSchema.script()), PostgresSite.LONGEST_IDLE, new PostgresTriggers())));
    }

    private static void triggers(
            String name, String finder, UnaryOperator<String> mutation, UnaryOperator<String> ofScript) {
        ALL.add(new EnforceMutant(
                name,
                finder,
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
                        })));
    }
}
