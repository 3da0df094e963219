package dev.signet.store.quorum.state;

import static org.assertj.core.api.Assertions.assertThat;

import dev.signet.Advertised;
import dev.signet.FencingToken;
import dev.signet.Role;
import dev.signet.TermId;
import dev.signet.store.Acquire;
import dev.signet.store.OpenSession;
import dev.signet.store.Release;
import dev.signet.store.Reserve;
import dev.signet.store.SessionId;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Commands that can be read, with numbers that nobody means: each is answered, and the ledger stays one that can be saved. */
final class ExtremesTest extends LedgerFixture {

    private static final long[] NUMBERS = {
        Long.MIN_VALUE, -1, 0, 1, 2, 3, 4, FencingToken.MAX_VALUE - 1, FencingToken.MAX_VALUE, 1L << 62, Long.MAX_VALUE
    };
    private static final List<Role> ROLES = List.of(LEDGER, Role.of("nightly"));
    private static final List<String> CANDIDATES = List.of("ada", "bob");

    private final Random random = new Random(4);

    @Test
    void everyCommandIsAnswered() throws Unreadable {
        int granted = 0;
        int reserved = 0;
        for (int round = 0; round < 300; round++) {
            Ledger one = founded();
            for (int step = 0; step < 100; step++) {
                byte[] entry = Codec.bytes(command());
                Reply reply = one.apply(entry, 1);
                assertThat(Codec.reply(Codec.bytes(reply))).isEqualTo(reply);
                granted += reply instanceof Reply.Granted ? 1 : 0;
                reserved += one.reservations().isEmpty() ? 0 : 1;
            }
            byte[] snapshot = one.snapshot();
            assertThat(Ledger.restore(snapshot).snapshot()).isEqualTo(snapshot);
        }
        assertThat(granted).as("granted").isGreaterThan(100);
        assertThat(reserved).as("reserved").isGreaterThan(100);
    }

    private Command command() {
        SessionId session = session(candidate());
        Role role = ROLES.get(random.nextInt(ROLES.size()));
        return switch (random.nextInt(12)) {
            case 0 -> new Command.Open(HERE, new OpenSession(session, id(candidate()), Advertised.NOTHING, duration()));
            case 1, 2 -> new Command.Open(HERE, Samples.opening(session, id(candidate())));
            case 3, 4 -> new Command.Enlist(HERE, session, role);
            case 5, 6, 7 ->
                new Command.Take(
                        HERE, new Acquire(session, role, number(), new TermId(number(), 1), number(), number()));
            case 8 -> new Command.Free(HERE, new Release(session, role, number(), number()));
            case 9, 10 -> new Command.Keep(HERE, new Reserve(session, role, number(), id(candidate()), duration()));
            default ->
                random.nextInt(8) == 0
                        ? new Command.Expire(HERE, session, number(), number())
                        : new Command.Lapse(HERE, role, number(), number());
        };
    }

    private Duration duration() {
        return Duration.ofSeconds(number(), random.nextInt(1_000_000_000));
    }

    /** Mostly one that means something. */
    private long number() {
        return random.nextInt(4) > 0 ? random.nextInt(4) : NUMBERS[random.nextInt(NUMBERS.length)];
    }

    private String candidate() {
        return CANDIDATES.get(random.nextInt(CANDIDATES.size()));
    }
}
