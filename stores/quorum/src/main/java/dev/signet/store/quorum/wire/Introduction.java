package dev.signet.store.quorum.wire;

import java.util.Map;
import java.util.UUID;

/**
 * What a voter says to those that it is to begin a quorum with. Immutable.
 *
 * @param begun whether its folder has had a part in the quorum; if not, it waits for the others
 * @param folders the folders that it has written down as those of the voters, by the voters' ids, its own among them; none for a
 *     voter that joined those who had begun
 */
public record Introduction(Peek self, boolean begun, Map<String, UUID> folders) {

    public Introduction {
        folders = Map.copyOf(folders);
    }
}
