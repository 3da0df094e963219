package dev.signet.store.quorum.voter;

import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;

/**
 * Whose a folder is. Immutable.
 *
 * @param group the quorum that it is for
 * @param begun whether Raft has had a part in it: if its log is missing then, it was lost
 * @param folders by which id each voter's folder was known when they met, this one's among them; none if they never did, for it joined
 *     others or is of a version that did not ask
 */
record Owner(String voter, UUID group, boolean begun, Map<String, UUID> folders) {

    Owner {
        folders = Map.copyOf(folders);
    }

    /** Of a folder that nobody has met: under an id that is drawn now. */
    static Owner fresh(VoterOptions options) {
        return new Owner(options.id(), group(options), false, Map.of(options.id(), UUID.randomUUID()));
    }

    /** Of a folder for a voter that takes the place of another. */
    static Owner joining(String voter, UUID group) {
        return new Owner(voter, group, true, Map.of());
    }

    /** Who was given the same list is of the same quorum. */
    static UUID group(VoterOptions options) {
        return UUID.nameUUIDFromBytes(("signet quorum " + options.list()).getBytes(StandardCharsets.UTF_8));
    }

    Owner begunNow() {
        return new Owner(voter, group, true, folders);
    }

    /** What was written down once stays. */
    Owner met(String other, UUID folder) {
        Map<String, UUID> more = new TreeMap<>(folders);
        more.putIfAbsent(other, folder);
        return new Owner(voter, group, begun, more);
    }
}
