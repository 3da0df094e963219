package dev.signet.fence.jdbc;

import static dev.signet.fence.jdbc.Sqlite.identifier;
import static dev.signet.fence.jdbc.Sqlite.literal;

import dev.signet.ResourceName;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The triggers by which SQLite itself refuses a write of another term, whoever sends it.
 *
 * <p>Everything hangs on one rule: <em>at rest, no row has a {@code signet_term}</em>. A statement must bring the stamp;
 * a BEFORE trigger compares it with the fence row; an AFTER trigger clears {@code signet_term} again, in the same
 * statement, and keeps {@code signet_token} as a record. So what a statement does not bring it cannot inherit: an UPDATE
 * that names no stamp finds NULL, and so does an {@code INSERT … SELECT} that copies one.
 *
 * <ul>
 *   <li>A row with a {@code signet_term} exists only inside the statement that brought it. Clearing it is therefore
 *       recognised by its transition from a value to NULL, which no statement from outside can make.
 *   <li>A DELETE brings no values, so a plain one is refused. A row is deleted by the stamped update that sets
 *       {@code signet_term} to {@code 'delete:'} and the id: the AFTER trigger deletes it instead of clearing it. One
 *       statement does both, so there is no permit that could outlive its transaction.
 *   <li>REPLACE deletes rows without firing DELETE triggers, but only on behalf of an INSERT or UPDATE that was checked.
 *       With {@code recursive_triggers} on they do fire, and the whole statement is refused.
 *   <li>{@code OR IGNORE} and the like do not weaken {@code RAISE(ABORT)}, but they do reach the statements inside a
 *       trigger: hence the last step of the AFTER triggers, which looks whether the stamp is gone.
 *   <li>A name in a trigger means the trigger's own database: a TEMP table {@code signet_fence} shadows nothing.
 *   <li>The check takes no lock of its own: a writing statement has the write lock before its triggers run.
 * </ul>
 */
class SqliteTriggers {

    private static final String HOW = " (signet_token = $SIGNET_TOKEN, signet_term = '$SIGNET_TERM_ID')";

    /** What follows {@code CREATE TRIGGER}, by the trigger's name; which is also how SQLite keeps it. */
    Map<String, String> definitions(ResourceName resource, Table table) {
        Map<String, String> bodies = new LinkedHashMap<>();
        String on = " ON " + identifier(table.name());
        bodies.put(
                name(table.name(), "insert"),
                " BEFORE INSERT" + on + " BEGIN " + check(resource, insertCheck(resource)) + " END");
        bodies.put(
                name(table.name(), "update"),
                " BEFORE UPDATE" + on + " WHEN " + updateWhen() + " BEGIN " + check(resource, updateCheck(resource))
                        + " END");
        bodies.put(name(table.name(), "delete"), " BEFORE DELETE" + on + deleteBody());
        bodies.put(
                name(table.name(), "inserted"),
                " AFTER INSERT" + on + " WHEN NEW.signet_term IS NOT NULL BEGIN " + clear(table) + " END");
        bodies.put(
                name(table.name(), "updated"),
                " AFTER UPDATE" + on + " WHEN NEW.signet_term IS NOT NULL BEGIN " + delete(resource, table)
                        + clear(table) + " END");
        Map<String, String> definitions = new LinkedHashMap<>();
        bodies.forEach((name, body) -> definitions.put(name, identifier(name) + body));
        return definitions;
    }

    static List<String> names(String table) {
        return List.of(
                name(table, "insert"),
                name(table, "update"),
                name(table, "delete"),
                name(table, "inserted"),
                name(table, "updated"));
    }

    private static String name(String table, String what) {
        return "signet_" + what + "_" + table;
    }

    /** Which updates are looked at: all but the clearing of a stamp by the AFTER triggers. */
    private static String updateWhen() {
        return "NOT (OLD.signet_term IS NOT NULL AND NEW.signet_term IS NULL)";
    }

    /** What makes a term id wrong, of the two that a row and the fence hold. */
    private static String insertCheck(ResourceName resource) {
        return fence("term_id", resource) + " IS NOT NEW.signet_term";
    }

    private static String updateCheck(ResourceName resource) {
        String id = fence("term_id", resource);
        return "(" + id + " IS NOT NEW.signet_term AND 'delete:' || " + id + " IS NOT NEW.signet_term)";
    }

    /** The whole comparison, from the most telling fault to the least. */
    private static String check(ResourceName resource, String wrongTerm) {
        String max = fence("max_token", resource);
        String at = " resource " + resource.name().replace("'", "");
        return "SELECT CASE"
                + raise(max + " IS NULL", "NOT_INITIALISED: no fence row for" + at + "; run: signet fence init")
                + raise(
                        "NEW.signet_token IS NULL OR NEW.signet_term IS NULL",
                        "NO_STAMP: a write to" + at + " must carry the stamp of its term" + HOW)
                + raise(
                        "NEW.signet_token < " + max,
                        "STALE: a later term has sealed" + at + "; this one is over: stop, do not retry")
                + raise(
                        "NEW.signet_token > " + max,
                        "UNSEALED: the term of this stamp has not sealed" + at + " yet; retry once it leads")
                + raise(
                        wrongTerm,
                        "SAME_TOKEN_OTHER_TERM: another term sealed" + at + " with this token: stop, do not retry")
                + " END;";
    }

    private static String deleteBody() {
        return " WHEN OLD.signet_term IS NULL BEGIN SELECT RAISE(ABORT, "
                + literal("signet: NO_STAMP: a DELETE carries no stamp; delete by UPDATE ... SET"
                        + " signet_token = $SIGNET_TOKEN, signet_term = 'delete:$SIGNET_TERM_ID' WHERE ...")
                + "); END";
    }

    private static String delete(ResourceName resource, Table table) {
        return "DELETE FROM " + identifier(table.name()) + " WHERE " + table.isNewRow()
                + " AND NEW.signet_term = 'delete:' || " + fence("term_id", resource) + "; ";
    }

    /** Takes the stamp off the row, and makes sure of it. */
    private static String clear(Table table) {
        String row = " WHERE " + table.isNewRow() + " AND signet_term IS NOT NULL";
        return "UPDATE " + identifier(table.name()) + " SET signet_term = NULL" + row + "; SELECT RAISE(ABORT, "
                + literal("signet: the stamp could not be taken off the row; a constraint or trigger is in the way")
                + ") WHERE EXISTS (SELECT 1 FROM " + identifier(table.name()) + row + ");";
    }

    private static String raise(String condition, String message) {
        return " WHEN " + condition + " THEN RAISE(ABORT, " + literal("signet: " + message) + ")";
    }

    private static String fence(String column, ResourceName resource) {
        return "(SELECT " + column + " FROM signet_fence WHERE resource = " + literal(resource.name()) + ")";
    }

    /**
     * A table that can be protected.
     *
     * @param name as its owner spelled it
     * @param key the columns that find a row again: the primary key, or one of the names of the rowid
     */
    record Table(String name, List<String> key) {

        /** That this row is the one which the trigger fires for. */
        String isNewRow() {
            return key.stream()
                    .map(Sqlite::identifier)
                    .map(column -> column + " = NEW." + column)
                    .reduce((left, right) -> left + " AND " + right)
                    .orElseThrow();
        }
    }
}
