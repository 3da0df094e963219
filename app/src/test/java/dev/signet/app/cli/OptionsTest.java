package dev.signet.app.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.signet.Role;
import dev.signet.lease.LeaseTiming;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

class OptionsTest {

    private final Map<String, String> env = new HashMap<>();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    /** A command with one option of each kind, which tells the test its values. */
    private final class Specimen implements Command {

        private final Option<Role> role;
        private final Option<List<String>> protects;
        private final Option<List<String>> words;
        private final TimingOptions timing;
        private final Consumer<Specimen> look;

        Specimen(Options options, Consumer<Specimen> look) {
            this.look = look;
            role = options.required("--role", "R", Role::of, "A role.");
            protects = options.repeated("--protect", "URI", text -> text, "Some resources.");
            timing = TimingOptions.in(options);
            words = options.rest("CMD", "A command.");
        }

        @Override
        public int run(Surroundings surroundings) {
            look.accept(this);
            return 0;
        }
    }

    private int run(Consumer<Specimen> look, String... arguments) {
        Verb verb = new Verb() {
            @Override
            public String words() {
                return "try";
            }

            @Override
            public String summary() {
                return "Tries.";
            }

            @Override
            public Command declare(Options options) {
                return new Specimen(options, look);
            }
        };
        PrintStream to = new PrintStream(err, true, StandardCharsets.UTF_8);
        return new CommandTree(new Surroundings(to, to, env, Path.of("/"), Path.of("/")), List.of(verb)).run(arguments);
    }

    private String complaint(String... arguments) {
        assertThat(run(specimen -> {}, arguments)).isEqualTo(64);
        return err.toString(StandardCharsets.UTF_8);
    }

    @Test
    void theCommandLineComesBeforeTheVariableAndThatBeforeTheDefault() {
        env.put("SIGNET_ROLE", "of-variable");
        env.put("SIGNET_LEASE_DURATION", "30s");
        env.put("SIGNET_RENEW_DEADLINE", "");

        int code = run(
                specimen -> {
                    assertThat(specimen.role.value()).isEqualTo(Role.of("typed"));
                    assertThat(specimen.timing.timing())
                            .isEqualTo(new LeaseTiming(
                                    Duration.ofSeconds(30), Duration.ofSeconds(10), Duration.ofMillis(1500)));
                },
                "try",
                "--role",
                "typed",
                "--retry-period=1500ms");

        assertThat(code).isZero();
    }

    @Test
    void aVariableHoldsSeveralValuesWithCommasBetweenThemAndWithin() {
        env.put("SIGNET_ROLE", "r");
        env.put("SIGNET_PROTECT", "sqlite:a,b.db#x,sqlite:c.db#y");

        run(
                specimen -> assertThat(specimen.protects.value()).containsExactly("sqlite:a,b.db#x", "sqlite:c.db#y"),
                "try");
        env.put("SIGNET_PROTECT", "jdbc:postgresql://a:5432,b:5432,c:1/x#l,sqlite:c.db#y");
        run(
                specimen -> assertThat(specimen.protects.value())
                        .containsExactly("jdbc:postgresql://a:5432,b:5432,c:1/x#l", "sqlite:c.db#y"),
                "try");
        run(
                specimen -> assertThat(specimen.protects.value()).containsExactly("sqlite:one#1", "sqlite:two#2"),
                "try",
                "--protect",
                "sqlite:one#1",
                "--protect",
                "sqlite:two#2");

        assertThat(err.toString(StandardCharsets.UTF_8)).isEmpty();
    }

    @Test
    void whatFollowsTheFirstWordOrTheDashesBelongsToTheOtherCommand() {
        Consumer<Specimen> look = specimen ->
                assertThat(specimen.words.value()).containsExactly("cp", "--role", "@file", "-v", "'q'", "");

        assertThat(run(look, "try", "--role", "r", "--", "cp", "--role", "@file", "-v", "'q'", ""))
                .isZero();
        assertThat(run(look, "try", "--role", "r", "cp", "--role", "@file", "-v", "'q'", ""))
                .isZero();
    }

    @Test
    void allFaultsAreToldAtOnceEachWithThePlaceItCameFrom() {
        env.put("SIGNET_VERBOSE", "perhaps");

        assertThat(complaint("try", "--role", "a\nb", "--lease-duration", "15", "--retry-period", "2 s"))
                .contains("SIGNET_VERBOSE: 'perhaps' is neither true nor false")
                .contains("--role: role 'a\\u000ab' holds a control character")
                .contains("--lease-duration: '15' is no duration; write 15s")
                .contains("--retry-period: '2 s' is no duration")
                .contains("see: signet try --help")
                .startsWith("signet: ");
    }

    @Test
    void timingsThatCannotWorkAreRefusedWithAllReasons() {
        assertThat(complaint("try", "--role", "r", "--lease-duration=1s", "--renew-deadline=2s", "--retry-period=20ms"))
                .contains("--retry-period 20 ms is below 50 ms")
                .contains("--renew-deadline 2000 ms is not below --lease-duration 1000 ms")
                .hasLineCount(1);
    }

    @Test
    void aRequiredOptionMayAlsoComeFromItsVariableButMustCome() {
        assertThat(complaint("try")).startsWith("signet: --role is missing");
    }

    @Test
    void bytesThatTheLocaleCannotReadAreRefusedSinceTwoNamesMightBecomeOne() {
        assertThat(complaint("try", "--role", "r\uFFFD\uFFFDle"))
                .contains("--role: holds characters")
                .contains("LC_ALL");
    }
}
