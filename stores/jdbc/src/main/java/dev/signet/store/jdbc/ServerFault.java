package dev.signet.store.jdbc;

import dev.signet.store.StoreRefusal;
import dev.signet.store.StoreRefusal.Kind;

/** The faults of a server that last until somebody does something about them. */
enum ServerFault {
    NO_DATABASE,
    NO_TABLES,
    WRONG_TABLES,
    NOT_ADMITTED,
    NOT_TRUSTED,
    NOT_PERMITTED,
    READ_ONLY,
    /** Its binary log is of statements: then InnoDB refuses whatever writes at READ COMMITTED. */
    LOGS_STATEMENTS;

    /** In words for people: what is wrong, and what to do. */
    StoreRefusal refusal(Server server, String text) {
        return switch (this) {
            case NO_TABLES ->
                text.contains("signet_store")
                        ? new StoreRefusal(
                                Kind.NOT_INITIALISED,
                                "there is no store in " + server + " that this user could see (" + text
                                        + "); make one with: " + server.initCommand())
                        : WRONG_TABLES.refusal(server, text);
            case NO_DATABASE ->
                new StoreRefusal(
                        Kind.NOT_INITIALISED,
                        "there is no such place as " + server + " (" + text + "); have it made, then: "
                                + server.initCommand());
            case NOT_ADMITTED ->
                new StoreRefusal(
                        Kind.NOT_PERMITTED,
                        server + " does not let us in (" + text + "); check user, password and database, from where the"
                                + " server admits them, and whether it wants TLS (PostgreSQL: sslmode=verify-full, MariaDB:"
                                + " sslMode=verify-full)");
            case NOT_TRUSTED ->
                new StoreRefusal(
                        Kind.UNSUITABLE_PLACE,
                        "TLS: " + server + " is not known to be the server that it should be (" + text
                                + "); name the file with the certificate of"
                                + " the authority that signed the server's (PostgreSQL: sslrootcert, MariaDB:"
                                + " serverSslCert) and the host that its certificate names");
            case WRONG_TABLES ->
                new StoreRefusal(
                        Kind.FOREIGN_OR_CORRUPT,
                        "the tables in " + server + " are damaged or not ours (" + text
                                + "); restore them, or name another database or schema");
            case NOT_PERMITTED ->
                new StoreRefusal(
                        Kind.NOT_PERMITTED,
                        server + " does not let this user do that (" + text + "); grant it the rights that the store"
                                + " needs");
            case READ_ONLY ->
                new StoreRefusal(
                        Kind.READ_ONLY,
                        server + " can only be read (" + text
                                + "), as a replica can; name the server that takes writes");
            case LOGS_STATEMENTS ->
                new StoreRefusal(
                        Kind.UNSUITABLE_PLACE,
                        server + " takes no writes of a store (" + text + "); set the server's binlog_format to ROW or"
                                + " MIXED");
        };
    }
}
