package dev.signet.store.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Comparator;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;

/** What differs between database servers. Stateless. */
interface ServerDialect extends Dialect {

    /** Its name, for people. */
    String product();

    /** The first version that can keep a store. */
    Version oldest();

    record Version(int major, int minor) implements Comparable<Version> {

        @Override
        public int compareTo(Version other) {
            return Comparator.comparingInt(Version::major)
                    .thenComparingInt(Version::minor)
                    .compare(this, other);
        }

        @Override
        public String toString() {
            return minor == 0 ? String.valueOf(major) : major + "." + minor;
        }
    }

    Layout layout();

    /** One row: what names this run of the server's clock, and whether the server is for reading only. */
    String identity();

    /**
     * Why connections of this kind cannot be used; empty if they can.
     *
     * @param link in autocommit
     * @param more opens another one like it
     */
    Optional<String> unfitness(Link link, ConnectionSource more) throws SQLException;

    /** Opens connections. */
    interface ConnectionSource {
        Connection open() throws SQLException;
    }

    /** One number: microseconds of the server's clock, now and not at the start of the transaction. */
    String micros();

    /** Whether a table of this name is there, as a number. */
    String tablesNamed();

    /** Until the connection's transaction ends at the latest, nobody else is here. */
    void enterInit(Link link) throws SQLException;

    void leaveInit(Link link) throws SQLException;

    /**
     * What a connection of ours is set to, so that nothing of ours waits or blocks longer than an attempt, whatever happens to
     * this process.
     *
     * @param current the value that a setting has
     */
    Map<String, Object> settings(Duration attempt, Current current) throws SQLException;

    /** Tells the value of a setting. */
    interface Current {
        Object of(String setting) throws SQLException;
    }

    /** One row with the value of a setting. */
    String show(String setting);

    /** Gives a setting the one value that is bound. */
    String set(String setting);

    /** What announces a change to those who {@link #listen}, with the one text that is bound; empty where nobody can. */
    Optional<String> announce();

    void listen(Link link) throws SQLException;

    /** Lets the connection be used by others again. */
    void unlisten(Link link) throws SQLException;

    /**
     * Waits for an announcement, for at most as long.
     *
     * @param meant whether an announcement is for us
     * @param called whether somebody in this process has called, who also unparks this thread
     */
    void await(Connection connection, Predicate<String> meant, BooleanSupplier called, long nanos) throws SQLException;

    /** What a fault means for people, if it lasts. */
    Optional<ServerFault> lasting(SQLException fault);

    boolean isBusy(SQLException fault);
}
