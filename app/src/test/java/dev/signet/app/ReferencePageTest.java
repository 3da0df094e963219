package dev.signet.app;

import static org.assertj.core.api.Assertions.assertThat;

import dev.signet.app.cli.CommandTree;
import dev.signet.app.cli.ExitCode;
import dev.signet.app.cli.Surroundings;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/**
 * The tables of docs/reference/cli.md are those of the code. {@code -Dsignet.reference.write=true} writes them anew, between the
 * marks that the page has for them.
 */
class ReferencePageTest {

    private static final Path PAGE = Path.of(System.getProperty("signet.root"), "docs", "reference", "cli.md");

    /** The variable at the end of a description. */
    private static final Pattern VARIABLE = Pattern.compile(" \\[(SIGNET_\\w+)]$");

    @ParameterizedTest
    @ValueSource(strings = {"exit codes", "commands"})
    void thePageSaysWhatTheCodeDoes(String table) throws IOException {
        String begin = "<!-- generated: " + table + " -->\n";
        String page = Files.readString(PAGE);
        int from = page.indexOf(begin) + begin.length();
        int to = page.indexOf("<!-- end -->", from);
        assertThat(from).as("the mark " + begin).isGreaterThan(begin.length());
        String current = table.equals("commands") ? commands() : exitCodes();

        if (Boolean.getBoolean("signet.reference.write")) {
            Files.writeString(PAGE, page.substring(0, from) + current + page.substring(to));
        } else {
            assertThat(page.substring(from, to)).isEqualTo(current);
        }
    }

    private static String exitCodes() {
        StringBuilder text = new StringBuilder("| code | meaning |\n|---|---|\n");
        for (ExitCode code : ExitCode.values()) {
            text.append("| ")
                    .append(code.number())
                    .append(" | ")
                    .append(code.meaning())
                    .append(" |\n");
        }
        return text.toString();
    }

    private static String commands() {
        PrintStream nowhere = new PrintStream(OutputStream.nullOutputStream(), true, StandardCharsets.UTF_8);
        Surroundings surroundings = new Surroundings(nowhere, nowhere, Map.of(), Path.of("/"), Path.of("/"));
        CommandSpec root = new CommandTree(surroundings, List.of(Commands.values()))
                .whole()
                .getCommandSpec();
        StringBuilder text = new StringBuilder();
        for (Commands command : Commands.values()) {
            CommandSpec spec = root;
            for (String word : command.words().split(" ")) {
                spec = spec.subcommands().get(word).getCommandSpec();
            }
            append(text, command, spec);
        }
        return text.toString();
    }

    private static void append(StringBuilder text, Commands command, CommandSpec spec) {
        text.append("### signet ")
                .append(command.words())
                .append("\n\n")
                .append(command.summary())
                .append("\n");
        for (String paragraph : spec.usageMessage().footer()) {
            text.append(cell(paragraph)).append('\n');
        }
        text.append("\n| option | variable | meaning |\n|---|---|---|\n");
        spec.positionalParameters().forEach(argument -> row(text, "`" + cell(argument.paramLabel()) + "`", argument));
        for (OptionSpec option : spec.options()) {
            if (!option.usageHelp()) {
                String label = option.arity().max() == 0 ? "" : " " + option.paramLabel();
                row(text, "`" + cell(option.longestName() + label) + "`", option);
            }
        }
        text.append('\n');
    }

    private static void row(StringBuilder text, String name, ArgSpec argument) {
        String description = String.join(" ", argument.description());
        Matcher variable = VARIABLE.matcher(description);
        String variableCell = variable.find() ? "`" + variable.group(1) + "`" : "";
        text.append("| ")
                .append(name)
                .append(" | ")
                .append(variableCell)
                .append(" | ")
                .append(cell(variable.replaceFirst("")))
                .append(" |\n");
    }

    /** The texts are made for {@link String#format}. */
    private static String cell(String text) {
        return text.replace("%%", "%").replace("|", "\\|").replace("<", "&lt;");
    }
}
