package dev.signet.store.quorum.state;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/**
 * The bytes of version 1, as they lie in logs and snapshots. They may be added to, never changed: voters of two versions, and one
 * that starts again on its own log, must read them as they were meant.
 */
final class FormatTest {

    private static final HexFormat HEX = HexFormat.of();

    @Test
    void theBytesAreThoseOfVersionOne() throws IOException {
        assertThat(now()).isEqualTo(recorded());
    }

    @Test
    void whatVersionOneWroteIsReadAsItWasMeant() throws IOException, Unreadable {
        List<Command> commands = new ArrayList<>();
        List<Reply> replies = new ArrayList<>();
        for (String line : recorded()) {
            String[] parts = line.split(" ");
            byte[] bytes = HEX.parseHex(parts[2]);
            switch (parts[0]) {
                case "command" -> commands.add(Codec.command(bytes));
                case "reply" -> replies.add(Codec.reply(bytes));
                default -> assertThat(Ledger.restore(bytes).snapshot()).isEqualTo(ledger().snapshot());
            }
        }
        assertThat(commands).isEqualTo(Samples.COMMANDS);
        assertThat(replies).isEqualTo(Samples.REPLIES);
    }

    private static List<String> now() {
        List<String> lines = new ArrayList<>();
        Samples.COMMANDS.forEach(command -> lines.add(line("command", command, Codec.bytes(command))));
        Samples.REPLIES.forEach(reply -> lines.add(line("reply", reply, Codec.bytes(reply))));
        lines.add(line("snapshot", ledger(), ledger().snapshot()));
        return lines;
    }

    private static String line(String what, Object of, byte[] bytes) {
        return what + " " + of.getClass().getSimpleName() + " " + HEX.formatHex(bytes);
    }

    private static Ledger ledger() {
        Ledger ledger = new Ledger();
        List<Command> story = List.of(
                Samples.COMMANDS.get(0),
                Samples.COMMANDS.get(1),
                Samples.COMMANDS.get(3),
                new Command.Open(Samples.NAMESPACE, Samples.opening(LedgerFixture.session("bob"), Samples.BOB)),
                new Command.Enlist(Samples.NAMESPACE, LedgerFixture.session("bob"), Samples.ROLE),
                new Command.Take(Samples.NAMESPACE, Samples.acquire(Samples.SESSION, Samples.ROLE)),
                new Command.Keep(Samples.NAMESPACE, Samples.reserve(Samples.SESSION, Samples.ROLE, Samples.BOB)),
                new Command.Close(Samples.NAMESPACE, LedgerFixture.session("eve")));
        story.forEach(command -> ledger.apply(command, 1));
        assertThat(ledger.reservations()).hasSize(1);
        return ledger;
    }

    private static List<String> recorded() throws IOException {
        try (InputStream in = Objects.requireNonNull(FormatTest.class.getResourceAsStream("format-1.txt"))) {
            return new String(in.readAllBytes(), StandardCharsets.US_ASCII)
                    .lines()
                    .toList();
        }
    }
}
