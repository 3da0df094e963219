package dev.signet.store.quorum;

import dev.signet.servers.Hosts;
import java.util.List;
import java.util.Objects;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** The voters that the tests of a class share, from before the first of them until after the last. */
final class ClassVoters implements BeforeAllCallback, AfterAllCallback {

    private final int size;
    private final boolean onHosts;
    private final BiConsumer<ClassVoters, Integer> goesAway;
    private final int away;
    private @Nullable Hosts hosts;
    private @Nullable Voters voters;
    private List<VoterProcess> live = List.of();

    private ClassVoters(int size, boolean onHosts, int away, BiConsumer<ClassVoters, Integer> goesAway) {
        this.size = size;
        this.onHosts = onHosts;
        this.away = away;
        this.goesAway = goesAway;
    }

    static ClassVoters of(int size) {
        return new ClassVoters(size, false, 0, (quorum, voter) -> {});
    }

    /** As many as may be are away so all the time, the one that led among them. */
    static ClassVoters withoutAMinority(int size, Consumer<VoterProcess> goesAway) {
        return new ClassVoters(
                size,
                false,
                (size - 1) / 2,
                (quorum, voter) -> goesAway.accept(quorum.all().get(voter)));
    }

    /** Three, of which the one that led is reached by nobody, and reaches nobody. */
    static ClassVoters cutOff() {
        return new ClassVoters(
                3,
                true,
                1,
                (quorum, voter) -> Objects.requireNonNull(quorum.hosts).cutOff(voter));
    }

    @Override
    public void beforeAll(ExtensionContext context) {
        if (onHosts) {
            hosts = Hosts.joined(size);
        }
        Voters started = onHosts ? Voters.start(Objects.requireNonNull(hosts), size) : Voters.start(size);
        voters = started;
        int leader = away == 0 ? 0 : started.leader();
        IntStream.range(0, away).forEach(i -> goesAway.accept(this, (leader + i) % size));
        live = IntStream.range(away, size)
                .mapToObj(i -> started.get((leader + i) % size))
                .toList();
    }

    @Override
    public void afterAll(ExtensionContext context) {
        if (voters != null) {
            voters.close();
        }
        if (hosts != null) {
            hosts.close();
        }
    }

    /** Clients know them all. */
    List<VoterProcess> all() {
        return Objects.requireNonNull(voters).all();
    }

    /** Those of them that are not away. */
    List<VoterProcess> live() {
        return live;
    }
}
