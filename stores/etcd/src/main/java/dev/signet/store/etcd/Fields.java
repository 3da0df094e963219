package dev.signet.store.etcd;

import com.google.protobuf.ByteString;
import dev.signet.Advertised;
import java.net.URI;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** What lies under a key: lines of a name, a blank and a value, as {@code etcdctl get} shows them. Values have no line ends. */
final class Fields {

    private final Map<String, String> lines = new LinkedHashMap<>();

    static Fields parse(ByteString value) {
        Fields fields = new Fields();
        for (String line : value.toStringUtf8().split("\n", -1)) {
            int blank = line.indexOf(' ');
            if (blank > 0) {
                fields.with(line.substring(0, blank), line.substring(blank + 1));
            }
        }
        return fields;
    }

    Fields with(String name, Object value) {
        lines.put(name, value.toString());
        return this;
    }

    Fields with(Advertised advertised) {
        advertised.publicUri().ifPresent(uri -> with("public", uri));
        advertised.internalUri().ifPresent(uri -> with("internal", uri));
        return this;
    }

    /** @throws IllegalArgumentException if there is none */
    String text(String name) {
        return optional(name).orElseThrow(() -> new IllegalArgumentException("an entry of the store has no " + name));
    }

    Optional<String> optional(String name) {
        return Optional.ofNullable(lines.get(name));
    }

    long number(String name) {
        return Long.parseLong(text(name));
    }

    Advertised advertised() {
        return new Advertised(
                optional("public").map(URI::create), optional("internal").map(URI::create));
    }

    ByteString bytes() {
        return ByteString.copyFromUtf8(lines.entrySet().stream()
                .map(line -> line.getKey() + " " + line.getValue() + "\n")
                .collect(Collectors.joining()));
    }
}
