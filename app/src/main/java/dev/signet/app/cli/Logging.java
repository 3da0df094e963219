package dev.signet.app.cli;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.logging.Level;
import java.util.logging.Logger;

/**
 * What libraries may say on stderr. Set before the first of them asks for a logger; SLF4J itself is not touched here, since
 * most commands never log.
 */
public final class Logging {

    private static final String PREFIX = "org.slf4j.simpleLogger.";
    private static final String LEVEL = PREFIX + "defaultLogLevel";

    private Logging() {}

    /** Loggers keep their level only while somebody holds them. */
    private static final class Quiet {
        static final Map<String, Logger> LOGGERS = new ConcurrentHashMap<>();
    }

    static void prepare(boolean verbose) {
        set(LEVEL, verbose ? "debug" : "error");
        // at debug it tells of every statement, so of every heartbeat
        set(PREFIX + "log.org.mariadb.jdbc", verbose ? "info" : "error");
        // at debug it tells how it found the machine
        set(PREFIX + "log.io.netty", verbose ? "info" : "error");
        set(PREFIX + "showDateTime", "true");
        set(PREFIX + "dateTimeFormat", "HH:mm:ss.SSS");
        set(PREFIX + "showThreadName", "false");
        set(PREFIX + "logFile", "System.err");
    }

    /** Has what bears this name tell what happens, as a server does. */
    public static void tell(String name) {
        set(PREFIX + "log." + name, "debug".equals(System.getProperty(LEVEL)) ? "debug" : "info");
    }

    /** Has what bears this name say nothing, as it repeats as an error what is told already. */
    public static void silence(String name) {
        if (!"debug".equals(System.getProperty(LEVEL))) {
            set(PREFIX + "log." + name, "off");
        }
    }

    /**
     * Keeps a library quiet that logs by {@code java.util.logging}, whose warnings go to stderr, unless everybody may speak. Only
     * for who is about to load that library: this loads its logging.
     */
    public static void quieten(String library) {
        if (!"debug".equals(System.getProperty(LEVEL))) {
            Quiet.LOGGERS.computeIfAbsent(library, Logger::getLogger).setLevel(Level.OFF);
        }
    }

    /** What somebody set with -D stays. */
    private static void set(String name, String value) {
        if (System.getProperty(name) == null) {
            System.setProperty(name, value);
        }
    }
}
