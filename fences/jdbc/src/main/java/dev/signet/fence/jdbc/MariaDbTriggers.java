package dev.signet.fence.jdbc;

import dev.signet.ResourceName;
import dev.signet.Stamp;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.HexFormat;
import java.util.List;

/**
 * The procedures and triggers by which MariaDB itself refuses a write of another term, whoever sends it. A writer carries its
 * stamp in two variables of its session; triggers and procedures run with the rights of who made them, so that who writes need
 * not read the fence row.
 *
 * <ul>
 *   <li>Before each row, the fence row is read under the lock of {@link MariaDbDialect}, which has the reasoning, and compared. No
 *       seal passes from there to the end of the transaction, so that one which writes cannot outlive its term.
 *   <li>{@code ROLLBACK TO} a savepoint gives that lock back only where it undoes all that was written under it, and the next row
 *       asks for it again.
 *   <li>XA PREPARE gives it back too, and COMMIT may come later. Within a trigger {@code XA START} is always refused, and for a
 *       reason of its own in an XA transaction: so those are told apart.
 *   <li>Who has only been checked gets a number, by which it is found and ended, as in {@link MariaDbDialect}. Who writes has
 *       one, even if that was refused, and the refusal swallowed: such a transaction has the lock as well.
 * </ul>
 */
class MariaDbTriggers {

    static final List<String> EVENTS = List.of("insert", "update", "delete");

    private static final String PARAMETERS = "(asked VARBINARY(200), token VARCHAR(100) CHARACTER SET utf8mb4,"
            + " id VARCHAR(100) CHARACTER SET utf8mb4)";

    /** Has the session say under which term it writes, as a script would. */
    static void carry(Connection connection, Stamp stamp) throws SQLException {
        try (PreparedStatement set = connection.prepareStatement("SET @signet_token = ?, @signet_term_id = ?")) {
            set.setLong(1, stamp.token().value());
            set.setString(2, stamp.termId().secret());
            set.execute();
        }
    }

    static void forget(Connection connection) throws SQLException {
        Sql.execute(connection, "SET @signet_token = NULL, @signet_term_id = NULL");
    }

    /**
     * A row may be written under this stamp; or an error. For triggers, and within a transaction: elsewhere it would begin one. No
     * empty text stands in it, which is NULL in some SQL mode; and it keeps the mode of who made it.
     */
    String admit() {
        return """
                BEGIN
                    DECLARE highest BIGINT;
                    DECLARE current_id VARBINARY(32);
                    DECLARE numbered INT;
                    DECLARE named VARCHAR(200) CHARACTER SET utf8mb4 DEFAULT CONVERT(asked USING utf8mb4);
                    DECLARE message VARCHAR(500) CHARACTER SET utf8mb4;
                    DECLARE CONTINUE HANDLER FOR NOT FOUND BEGIN END;
                    DECLARE CONTINUE HANDLER FOR 1400 BEGIN END;
                    DECLARE CONTINUE HANDLER FOR 1399
                        SET message = 'IN_XA: an XA transaction loses the lock when it is prepared; write in an ordinary one';
                    SELECT max_token, term_id, (SELECT 1 FROM signet_fence_layout WHERE version = 0 FOR UPDATE)
                        INTO highest, current_id, numbered FROM signet_fence WHERE resource = asked LOCK IN SHARE MODE;
                    XA START 'signet';
                    SET message = COALESCE(message, CASE
                        WHEN highest IS NULL THEN
                            CONCAT('NOT_INITIALISED: resource ', named, ' has no fence row; run: signet fence init')
                        WHEN COALESCE(token, 'none') NOT REGEXP '^[0-9]{1,16}$' OR COALESCE(CHAR_LENGTH(id), 0) = 0 THEN
                            CONCAT('NO_STAMP: a write to resource ', named, ' must carry the stamp of its term; in the same session,',
                                ' first: SET @signet_token = $SIGNET_TOKEN, @signet_term_id = ''$SIGNET_TERM_ID''')
                        WHEN CAST(token AS UNSIGNED) < highest THEN
                            CONCAT('STALE: a later term has sealed resource ', named, ' with token ', highest,
                                '; this one is over: stop, do not retry')
                        WHEN CAST(token AS UNSIGNED) > highest THEN
                            CONCAT('UNSEALED: the highest term that has sealed resource ', named, ' has token ', highest,
                                '; seal it, then write')
                        WHEN NOT (current_id <=> CAST(id AS BINARY)) THEN
                            CONCAT('SAME_TOKEN_OTHER_TERM: another term has sealed resource ', named, ' with token ', highest)
                    END);
                    IF message IS NOT NULL THEN
                        SET message = CONCAT('signet: ', message);
                        SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = message;
                    END IF;
                END""";
    }

    /**
     * The same for scripts, which look at once, and carry the stamp from there. After a refusal they may only read, until they end
     * the transaction; one of XA can be ended by its own commands alone.
     */
    String check() {
        return """
                BEGIN
                    IF @@autocommit = 1 AND @@in_transaction = 0 THEN
                        SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT =
                            'signet: NO_TRANSACTION: a check lasts as long as its transaction; first: START TRANSACTION';
                    END IF;
                    BEGIN
                        DECLARE EXIT HANDLER FOR SQLEXCEPTION
                        BEGIN
                            DECLARE CONTINUE HANDLER FOR 1399 BEGIN END;
                            ROLLBACK;
                            START TRANSACTION READ ONLY;
                            RESIGNAL;
                        END;
                        CALL signet_admit(asked, token, id);
                    END;
                    SET @signet_token = token, @signet_term_id = id;
                END""";
    }

    List<String> procedures() {
        return List.of(procedure("signet_admit", admit()), procedure("signet_check", check()));
    }

    private static String procedure(String name, String body) {
        return "CREATE OR REPLACE PROCEDURE " + name + PARAMETERS + " SQL SECURITY DEFINER " + body;
    }

    /** As the server keeps it, too. */
    String call(ResourceName resource) {
        String bytes = HexFormat.of().formatHex(resource.name().getBytes(StandardCharsets.UTF_8));
        return "CALL signet_admit(X'" + bytes + "', @signet_token, @signet_term_id)";
    }

    String trigger(String event, String table, ResourceName resource) {
        return "CREATE OR REPLACE TRIGGER " + MariaDb.identifier(name(event, table)) + " BEFORE " + event + " ON "
                + MariaDb.identifier(table) + " FOR EACH ROW " + call(resource);
    }

    static String name(String event, String table) {
        return "signet_" + event + "_" + table;
    }
}
