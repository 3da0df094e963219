package dev.signet.servers;

import java.nio.file.Path;

/** A server that keeps databases, reached by JDBC: what a test asks of each product alike. What it does, it does as the superuser. */
public abstract class DatabaseServer extends Server {

    DatabaseServer(String name, Account account) {
        super(name, account, 1);
    }

    /**
     * Makes an empty database.
     *
     * @param name of letters, digits, underscores, dots and dashes, as all names and passwords here
     * @return {@link #jdbcUrl(String)} of it
     * @throws ServerException if there is one of that name
     */
    public abstract String createDatabase(String name);

    /** Makes a user that may log in, and nothing else yet. */
    public abstract void createUser(String name, String password);

    /** For the superuser, with the password; with TLS, also with what a client needs to know the server. */
    public abstract String jdbcUrl(String database);

    /** For somebody else. Nothing checks whether it is right. */
    public abstract String jdbcUrl(String database, String user, String password);

    /** For the superuser, through a proxy that was made for this server. */
    public abstract String jdbcUrl(String database, Proxy through);

    /**
     * The certificate, in PEM, of the authority that signed this server's; that authority signed no other.
     *
     * @throws IllegalStateException if it has none, being without TLS
     */
    public abstract Path authority();

    /**
     * Runs one statement, in no database that {@link #createDatabase} made.
     *
     * @throws ServerException if the server does not do it
     */
    public abstract void execute(String sql);

    /**
     * Dumps a database, without stopping it.
     *
     * @return puts the database back to what it was, while nobody uses it
     */
    public abstract Runnable backUp(String database);
}
