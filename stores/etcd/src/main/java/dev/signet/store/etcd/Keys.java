package dev.signet.store.etcd;

import com.google.protobuf.ByteString;
import dev.signet.CandidateId;
import dev.signet.Namespace;
import dev.signet.Role;
import dev.signet.store.SessionId;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;

/**
 * The layout. Under a prefix, with names percent-encoded, so that each part between two slashes is one name, and two names never
 * look the same:
 *
 * <pre>
 * PREFIX/store                              the store's id
 * PREFIX/n/NAMESPACE/a/SESSION/ROLE         attempts that were refused or released, while the session lives
 * PREFIX/n/NAMESPACE/c/ROLE/CANDIDATE/SESSION  a session that campaigns, while it lives
 * PREFIX/n/NAMESPACE/o/SESSION              that this session was opened or closed once; for a day
 * PREFIX/n/NAMESPACE/r/ROLE                 the role's record, for ever
 * PREFIX/n/NAMESPACE/s/SESSION              a session, as long as its lease
 * PREFIX/n/NAMESPACE/v/ROLE                 for whom a role is kept, as long as the window
 * </pre>
 *
 * What a watcher needs, r to v, is one range. Immutable.
 */
final class Keys {

    private static final String PLAIN = "-._~";

    private final String store;
    private final String base;

    Keys(String prefix, Namespace namespace) {
        this.store = prefix + "/store";
        this.base = prefix + "/n/" + encoded(namespace.name()) + "/";
    }

    ByteString store() {
        return ByteString.copyFromUtf8(store);
    }

    ByteString session(SessionId session) {
        return key("s/" + encoded(session.value()));
    }

    ByteString opened(SessionId session) {
        return key("o/" + encoded(session.value()));
    }

    ByteString attempts(SessionId session, Role role) {
        return key("a/" + encoded(session.value()) + "/" + encoded(role.name()));
    }

    ByteString role(Role role) {
        return key("r/" + encoded(role.name()));
    }

    ByteString kept(Role role) {
        return key("v/" + encoded(role.name()));
    }

    ByteString campaigns(Role role) {
        return key("c/" + encoded(role.name()) + "/");
    }

    ByteString campaigns(Role role, CandidateId candidate) {
        return campaigns(role).concat(ByteString.copyFromUtf8(encoded(candidate.toString()) + "/"));
    }

    ByteString campaign(Role role, CandidateId candidate, SessionId session) {
        return campaigns(role, candidate).concat(ByteString.copyFromUtf8(encoded(session.value())));
    }

    ByteString roles() {
        return key("r/");
    }

    ByteString sessions() {
        return key("s/");
    }

    ByteString allKept() {
        return key("v/");
    }

    /** The key after all that begin so, which end with a slash. */
    static ByteString after(ByteString prefix) {
        return prefix.substring(0, prefix.size() - 1).concat(ByteString.copyFromUtf8("0"));
    }

    private ByteString key(String rest) {
        return ByteString.copyFromUtf8(base + rest);
    }

    /** The last part of a key. */
    static String name(ByteString key) {
        String text = key.toStringUtf8();
        return decoded(text.substring(text.lastIndexOf('/') + 1));
    }

    /** Whom a key among {@link #campaigns} tells of. */
    static CandidateId campaigner(ByteString campaign) {
        return CandidateId.parse(
                name(campaign.substring(0, campaign.toStringUtf8().lastIndexOf('/'))));
    }

    static String encoded(String name) {
        StringBuilder encoded = new StringBuilder();
        for (byte each : name.getBytes(StandardCharsets.UTF_8)) {
            char plain = (char) (each & 0xFF);
            if ((plain < 0x80 && Character.isLetterOrDigit(plain)) || PLAIN.indexOf(plain) >= 0) {
                encoded.append(plain);
            } else {
                encoded.append(String.format("%%%02X", each & 0xFF));
            }
        }
        return encoded.toString();
    }

    private static String decoded(String encoded) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        for (int i = 0; i < encoded.length(); i++) {
            if (encoded.charAt(i) == '%') {
                bytes.write(Integer.parseInt(encoded, i + 1, i + 3, 16));
                i += 2;
            } else {
                bytes.write(encoded.charAt(i));
            }
        }
        return bytes.toString(StandardCharsets.UTF_8);
    }
}
