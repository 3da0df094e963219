package dev.signet.app.child;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** What the command finds in its environment. Pure. */
final class ChildEnvironment {
    private static final String SIGNETS_OWN = "SIGNET_";

    private ChildEnvironment() {}

    /**
     * Takes away every variable that belongs to signet (options and passwords come in as {@code SIGNET_…}, and those of an outer
     * {@code signet run} are not the inner command's), then adds the given ones.
     *
     * @param environment that of the parent, changed in place: a copy would lose bytes which are no text in this locale
     */
    static void prepare(Map<String, String> environment, Map<String, String> given) {
        environment.keySet().removeIf(name -> name.startsWith(SIGNETS_OWN));
        environment.putAll(given);
    }

    /**
     * The variables, as {@code NAME=VALUE}, that a shell between parent and command would lose: dash and busybox drop each name that they
     * could not assign to, such as {@code a.b} or a function that bash exported.
     */
    static List<String> lostByShells(Map<String, String> environment) {
        List<String> lost = new ArrayList<>();
        environment.forEach((name, value) -> {
            if (!name.matches("[A-Za-z_][A-Za-z0-9_]*")) {
                lost.add(name + "=" + value);
            }
        });
        return lost;
    }
}
