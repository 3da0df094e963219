package dev.signet.app.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.signet.app.Terminal;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SimulateCommandTest {

    @TempDir
    private Path folder;

    private Terminal terminal;

    @BeforeEach
    void open() {
        terminal = Terminal.in(folder);
    }

    @Test
    void someSeeds() {
        Terminal.Typed typed = terminal.type("simulate", "--seeds", "3", "--threads", "1");

        assertThat(typed.code()).isZero();
        assertThat(typed.err()).isEqualTo("signet: running 3 seeds from 1 on 1 threads\n");
        assertThat(typed.out()).contains("3 seeds, 0 failed; ");
        assertThat(terminal.type("simulate", "--seeds=2", "--from=7", "--json").out())
                .startsWith("{\"from\":7,\"seeds\":2,\"threads\":")
                .contains("\"passed\":true,\"failures\":[],\"neverSeen\":[");
    }

    @Test
    void oneSeedTellsItsStory() {
        Terminal.Typed typed = terminal.type("simulate", "--seed", "1");

        assertThat(typed.code()).isZero();
        assertThat(typed.out()).endsWith("\nseed 1 broke no rule\n");
        assertThat(typed.out().lines().count()).isGreaterThan(10);
        assertThat(typed.err()).isEmpty();
        assertThat(terminal.type("simulate", "--seed", "1", "--json").out())
                .startsWith("{\"seed\":1,\"passed\":true,\"failure\":null,\"story\":[\"")
                .hasLineCount(1);
    }

    @Test
    void aHuntThatIsTooShortLeavesSurvivorsAndFails() {
        Terminal.Typed typed = terminal.type("simulate", "--mutants", "--seeds", "1", "--json");

        assertThat(typed.code()).isEqualTo(1);
        assertThat(typed.out())
                .startsWith("{\"passed\":false,\"mutants\":[{\"name\":\"")
                .contains("\"seeds\":1,\"foundBy\":null}");
    }

    @Test
    void exactlyOneKind() {
        for (String wrong : new String[] {"simulate", "simulate --seed 1 --seeds 2", "simulate --seed 1 --mutants"}) {
            Terminal.Typed typed = terminal.type(wrong.split(" "));

            assertThat(typed.code()).isEqualTo(64);
            assertThat(typed.err()).contains("give one of --seeds N, --seed S and --mutants");
        }
        assertThat(terminal.type("simulate", "--seeds", "0").code()).isEqualTo(64);
    }
}
