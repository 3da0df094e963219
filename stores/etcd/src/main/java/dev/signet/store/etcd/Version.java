package dev.signet.store.etcd;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Of a server. Immutable.
 *
 * @see <a href="https://github.com/etcd-io/etcd/issues/15247">a leader of old that renews leases</a>
 * @see <a href="https://github.com/etcd-io/etcd/issues/12528">leases that end early after etcd's leader changed</a>
 */
record Version(int major, int minor, int patch) {

    private static final Pattern FORM = Pattern.compile("(\\d+)\\.(\\d+)\\.(\\d+).*");

    /** @throws IllegalArgumentException if it is none */
    static Version parse(String text) {
        Matcher matcher = FORM.matcher(text);
        if (!matcher.matches()) {
            throw new IllegalArgumentException("'" + text + "' is no version");
        }
        return new Version(
                Integer.parseInt(matcher.group(1)),
                Integer.parseInt(matcher.group(2)),
                Integer.parseInt(matcher.group(3)));
    }

    /** Whether a lease of which it said that it was renewed lasts as long as it said, also when its leader changes. */
    boolean keepsLeases() {
        if (major != 3) {
            return major > 3;
        }
        return minor > 5 || (minor == 5 && patch >= 13) || (minor == 4 && patch >= 31);
    }

    @Override
    public String toString() {
        return major + "." + minor + "." + patch;
    }
}
