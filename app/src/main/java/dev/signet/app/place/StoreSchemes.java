package dev.signet.app.place;

import dev.signet.app.cli.Surroundings;
import java.util.List;
import java.util.stream.Collectors;

/** The stores that exist. */
final class StoreSchemes {

    private static final List<StoreScheme> ALL = List.of(
            new LocalStoreScheme("local", true),
            new LocalStoreScheme("sqlite", false),
            new JdbcStoreScheme(),
            new EtcdStoreScheme(false),
            new EtcdStoreScheme(true),
            new QuorumStoreScheme());

    private StoreSchemes() {}

    /** @throws IllegalArgumentException if it names no store; the message lists what exists */
    static StorePlace place(String uri, Surroundings surroundings) {
        Schemes parts = Schemes.split(uri, forms());
        return ALL.stream()
                .filter(scheme -> scheme.name().equals(parts.scheme()))
                .findFirst()
                .orElseThrow(() -> parts.unknown("store", forms()))
                .place(parts.rest(), surroundings);
    }

    static String forms() {
        return ALL.stream().map(StoreScheme::form).collect(Collectors.joining(", "));
    }
}
