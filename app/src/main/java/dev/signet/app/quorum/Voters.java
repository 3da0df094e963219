package dev.signet.app.quorum;

import dev.signet.store.quorum.wire.Address;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/** How voters are listed: {@code 1=host:port,2=host:port,3=host:port}. */
final class Voters {

    static final String FORM = "1=HOST:PORT,2=HOST:PORT,3=HOST:PORT";

    private Voters() {}

    /** @throws IllegalArgumentException if it is no such list; how many there are is not looked at here */
    static SortedMap<String, Address> parse(String text) {
        SortedMap<String, Address> voters = new TreeMap<>();
        for (String part : text.split(",", -1)) {
            Map.Entry<String, Address> voter = one(part);
            if (voters.put(voter.getKey(), voter.getValue()) != null) {
                throw new IllegalArgumentException("voter " + voter.getKey() + " is listed twice");
            }
        }
        return voters;
    }

    /** The id of one, and where it listens. */
    static Map.Entry<String, Address> one(String text) {
        int equals = text.indexOf('=');
        if (equals < 0) {
            throw new IllegalArgumentException("'" + text + "' is no ID=HOST:PORT; write " + FORM);
        }
        return Map.entry(id(text.substring(0, equals)), Address.parse(text.substring(equals + 1)));
    }

    /** A voter's name is in its folder, in the log, and in what Raft names its own files after. */
    static String id(String text) {
        if (!text.matches("[A-Za-z0-9][A-Za-z0-9_.-]{0,62}")) {
            throw new IllegalArgumentException(
                    "'" + text + "' names no voter; take 1 to 63 letters, digits, '.', '_' and '-'");
        }
        return text;
    }
}
