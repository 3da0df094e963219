package dev.signet.app.place;

import dev.signet.app.cli.Redaction;

/** What stands before the first colon of a URI, and what after. */
record Schemes(String scheme, String rest) {

    /** @throws IllegalArgumentException if there is no scheme */
    static Schemes split(String uri, String existing) {
        int colon = uri.indexOf(':');
        if (colon < 1) {
            throw new IllegalArgumentException("'" + Redaction.of(uri) + "' has no scheme; there are: " + existing);
        }
        return new Schemes(uri.substring(0, colon), uri.substring(colon + 1));
    }

    IllegalArgumentException unknown(String kind, String existing) {
        return new IllegalArgumentException(
                "'" + Redaction.of(scheme) + ":' is no scheme of a " + kind + "; there are: " + existing);
    }
}
