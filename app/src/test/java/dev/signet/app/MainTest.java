package dev.signet.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MainTest {

    @TempDir
    private Path folder;

    private Terminal terminal;

    @BeforeEach
    void open() {
        terminal = Terminal.in(folder);
    }

    @Test
    void aloneItShowsItsCommandsAndThatOneIsMissing() {
        Terminal.Typed typed = terminal.type();

        assertThat(typed.code()).isEqualTo(64);
        assertThat(typed.out()).isEmpty();
        for (Commands command : Commands.values()) {
            assertThat(typed.err()).contains(command.words().split(" ", 2)[0]);
        }
    }

    @Test
    void helpIsOnStdoutAndSucceedsHoweverItIsAskedFor() {
        Terminal.Typed help = terminal.type("help", "fence", "init");

        assertThat(help.code()).isZero();
        assertThat(help.err()).isEmpty();
        assertThat(help.out())
                .startsWith("Usage: signet fence init")
                .contains("--protect")
                .contains("[SIGNET_PROTECT]");
        assertThat(terminal.type("fence", "init", "--help")).isEqualTo(help);
        assertThat(terminal.type("fence", "init", "--role", "r", "-h")).isEqualTo(help);
        assertThat(terminal.type("help").out()).contains("fence").contains("status");
        assertThat(terminal.type("--help").code()).isZero();
        assertThat(terminal.type("fence", "help", "init")).isEqualTo(help);
        assertThat(terminal.type("fence", "help")).isEqualTo(terminal.type("help", "fence"));
    }

    @Test
    void everyCommandHasHelp() {
        for (Commands command : Commands.values()) {
            Terminal.Typed help = terminal.type((command.words() + " --help").split(" "));

            assertThat(help.out()).as(command.words()).startsWith("Usage: signet " + command.words());
            assertThat(help.code()).isZero();
        }
    }

    @Test
    void aSlipOfTheHandIsAnsweredByOneLineWithWhatWasMeant() {
        assertThat(terminal.type("statsu"))
                .isEqualTo(new Terminal.Typed(
                        64, "", "signet: unknown command 'statsu'; did you mean status? (see: signet --help)\n"));
        assertThat(terminal.type("status", "--rol", "x").err())
                .isEqualTo("signet: unknown option '--rol'; did you mean --role? (see: signet status --help)\n");
        assertThat(terminal.type("help", "statsu")).isEqualTo(terminal.type("statsu"));
        assertThat(terminal.type("fence", "int").err())
                .isEqualTo("signet: unknown command 'int'; did you mean init? (see: signet fence --help)\n");
        assertThat(terminal.type("help", "fence", "int")).isEqualTo(terminal.type("fence", "int"));
        assertThat(terminal.type("nosuch").err()).isEqualTo("signet: unknown command 'nosuch' (see: signet --help)\n");
        assertThat(terminal.type("run", "--on-elect=x", "--retry=2s", "--", "true")
                        .err())
                .isEqualTo("signet: unknown option '--on-elect=x'; did you mean --on-elected?;"
                        + " unknown option '--retry=2s'; did you mean --retry-period? (see: signet run --help)\n");
        assertThat(terminal.type("status", "--store-password=geheim").err())
                .startsWith("signet: unknown option '--store-password=***'; did you mean --store-password-file?");
        assertThat(terminal.type("version", "--role").code()).isEqualTo(64);
        assertThat(terminal.type("status", "--role").errLines()).hasSize(1);
        assertThat(terminal.type("status", "--role", "a", "--role", "b").errLines())
                .hasSize(1);
    }

    @Test
    void theStackTraceIsForThoseWhoAsk() {
        String[] wrong = {"status", "--store", "local:absent.db"};

        assertThat(terminal.type(wrong).errLines()).hasSize(1);
        assertThat(terminal.type("status", "--store", "local:absent.db", "--verbose")
                        .err())
                .contains("\tat dev.signet");
        assertThat(terminal.with("SIGNET_VERBOSE", "true").type(wrong).err()).contains("\tat dev.signet");
    }

    @Test
    void theVersionIsALineOrJson() {
        assertThat(terminal.type("version").out()).startsWith("signet ").hasLineCount(1);
        assertThat(terminal.type("--version")).isEqualTo(terminal.type("version"));
        assertThat(terminal.type("version", "--json").out())
                .startsWith("{\"version\":\"")
                .endsWith("\"}\n");
        assertThat(terminal.with("SIGNET_JSON", "1").type("version").out()).startsWith("{");
    }

    @Test
    void completionKnowsEveryCommandAndOption() {
        Terminal.Typed typed = terminal.type("completion", "bash");

        assertThat(typed.code()).isZero();
        assertThat(typed.out())
                .contains("complete -F _complete_signet")
                .contains("--protect")
                .contains("unprotect");
        assertThat(terminal.type("completion", "zsh").out()).contains("bashcompinit");
        assertThat(terminal.type("completion", "fish").err())
                .isEqualTo(
                        "signet: SHELL: 'fish' is not known; there are bash and zsh (see: signet completion --help)\n");
        assertThat(terminal.type("completion").err()).contains("SHELL is missing");
        assertThat(terminal.type("completion", "bash", "zsh").code()).isEqualTo(64);
    }
}
