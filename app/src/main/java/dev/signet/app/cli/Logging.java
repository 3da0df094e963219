package dev.signet.app.cli;

/**
 * What libraries may say on stderr. Set before the first of them asks for a logger; SLF4J itself is not touched here, since
 * most commands never log.
 */
final class Logging {

    private Logging() {}

    static void prepare(boolean verbose) {
        set("defaultLogLevel", verbose ? "debug" : "error");
        set("showDateTime", "true");
        set("dateTimeFormat", "HH:mm:ss.SSS");
        set("showThreadName", "false");
        set("logFile", "System.err");
    }

    /** What somebody set with -D stays. */
    private static void set(String name, String value) {
        String property = "org.slf4j.simpleLogger." + name;
        if (System.getProperty(property) == null) {
            System.setProperty(property, value);
        }
    }
}
