package dev.signet.fence.jdbc;

import dev.signet.ResourceName;
import dev.signet.Stamp;
import java.sql.Connection;
import java.util.ArrayList;
import java.util.List;

/** Triggers as one would naively write them on MariaDB. Each is wrong in one way, and a scenario must say so. */
final class MariaDbEnforceMutants {

    static final List<EnforceMutant> ALL = new ArrayList<>();

    private static final String UNSTAMPED = "a write without a stamp is refused, and told how";
    private static final String KINDS = "each kind of wrong stamp is refused by its name";
    private static final String HALF = "half a stamp is none";
    private static final String ODD = "an odd SQL mode or character set changes nothing";
    private static final String JAVA = "writing through the fence from Java needs nothing more";
    private static final String CHECK = "a script has its stamp looked at, in a transaction";

    static {
        admit("no lock", "a seal waits for who has written", " LOCK IN SHARE MODE", "");
        admit(
                "a snapshot of before the seal",
                "a write after the seal is refused, whatever its snapshot",
                " LOCK IN SHARE MODE",
                "");
        admit(
                "the transaction has no number",
                "who stands still after a refusal or a check is ended for the seal",
                " WHERE version = 0 FOR UPDATE",
                " WHERE version = 0");
        admit("XA transactions pass", "a write in an XA transaction is refused", "XA START 'signet';", "");
        admit(
                "a missing token passes",
                HALF,
                "COALESCE(token, 'none') NOT REGEXP '^[0-9]{1,16}$'",
                "token NOT REGEXP '^[0-9]{1,16}$'");
        admit("a missing id passes", HALF, " OR COALESCE(CHAR_LENGTH(id), 0) = 0", "");
        admit(
                "whatever stands in the variable is a token",
                HALF,
                "COALESCE(token, 'none') NOT REGEXP '^[0-9]{1,16}$'",
                "token = ''");
        admit("stale tokens pass", KINDS, "CAST(token AS UNSIGNED) < highest", "FALSE");
        admit("token >= max", KINDS, "CAST(token AS UNSIGNED) > highest", "FALSE");
        admit("only the token is compared", KINDS, "NOT (current_id <=> CAST(id AS BINARY))", "FALSE");
        admit("an empty text is not NULL", ODD, "COALESCE(token, 'none')", "COALESCE(token, '')");
        add("texts are as the database has them", ODD, new MariaDbTriggers() {
            @Override
            List<String> procedures() {
                return super.procedures().stream()
                        .map(procedure -> procedure.replace(") CHARACTER SET utf8mb4", ")"))
                        .toList();
            }
        });
        admit("a missing row is token 0", KINDS, "highest IS NULL", "FALSE");
        for (String event : MariaDbTriggers.EVENTS) {
            add(event + " is not looked at", UNSTAMPED, new MariaDbTriggers() {
                @Override
                String trigger(String of, String table, ResourceName resource) {
                    return of.equals(event) ? "DO 0" : super.trigger(of, table, resource);
                }
            });
        }
        add(
                "with the rights of who writes",
                "who may only write the table can write, and learns no term id",
                new MariaDbTriggers() {
                    @Override
                    List<String> procedures() {
                        return super.procedures().stream()
                                .map(procedure -> procedure.replace("SECURITY DEFINER", "SECURITY INVOKER"))
                                .toList();
                    }
                });
        add("a check outside of a transaction", CHECK, new MariaDbTriggers() {
            @Override
            String check() {
                return super.check().replace("@@autocommit = 1", "FALSE");
            }
        });
        add("a refused check leaves a transaction that writes", CHECK, new MariaDbTriggers() {
            @Override
            String check() {
                return super.check().replace("START TRANSACTION READ ONLY;", "");
            }
        });
        ALL.add(new EnforceMutant("a stamp is left in the pool", JAVA, new MariaDbDialect(MariaDbSite.OPTIONS) {
            @Override
            public void leave(Connection connection) {}
        }));
        ALL.add(new EnforceMutant("the fence does not carry its stamp", JAVA, new MariaDbDialect(MariaDbSite.OPTIONS) {
            @Override
            public void mark(Connection connection, Stamp stamp) {}
        }));
    }

    private MariaDbEnforceMutants() {}

    private static void admit(String name, String finder, String from, String to) {
        add(name, finder, new MariaDbTriggers() {
            @Override
            String admit() {
                if (!super.admit().contains(from)) {
                    throw new IllegalStateException("the procedure has no '" + from + "'");
                }
                return super.admit().replace(from, to);
            }
        });
    }

    private static void add(String name, String finder, MariaDbTriggers triggers) {
        ALL.add(new EnforceMutant(name, finder, new MariaDbDialect(MariaDbSite.OPTIONS) {
            @Override
            public Enforcement enforcement() {
                return new MariaDbEnforcement(triggers);
            }
        }));
    }
}
