package dev.signet.fence.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/** A page of docs/reference, and what a test finds in it. */
record ReferencePage(Path path, String text) {

    private static final String MARK = "<!-- \\w+ runs this[^>]*-->\n```%s\n(.*?)```";
    private static final Pattern LINK = Pattern.compile("\\]\\(([^)#:]+)\\)");
    private static final Pattern TEST = Pattern.compile("`(\\w+Test)[.](\\w+)`");

    static ReferencePage of(String name) throws IOException {
        Path path = root().resolve("docs/reference").resolve(name);
        return new ReferencePage(path, Files.readString(path));
    }

    private static Path root() {
        return Path.of(System.getProperty("signet.root"));
    }

    /** Those that the page says are run. */
    List<String> blocks(String language) {
        return Pattern.compile(MARK.formatted(language), Pattern.DOTALL)
                .matcher(text)
                .results()
                .map(block -> block.group(1))
                .toList();
    }

    /** The first line that begins so, without what it is indented by. */
    String line(String beginning) {
        return text.lines()
                .filter(line -> line.startsWith("    " + beginning))
                .findFirst()
                .orElseThrow()
                .strip();
    }

    void assertNamesWhatIsThere() throws IOException {
        for (MatchResult link : LINK.matcher(text).results().toList()) {
            assertThat(path.resolveSibling(link.group(1))).exists();
        }
        for (MatchResult test : TEST.matcher(text).results().toList()) {
            Path source = root().resolve("fences/jdbc/src/test/java/dev/signet/fence/jdbc/" + test.group(1) + ".java");
            assertThat(Files.readString(source)).contains("void " + test.group(2) + "(");
        }
    }

    /** Those whose name the page has, among these. */
    List<String> scenarios(List<Scenario> all) {
        return all.stream().map(Scenario::name).filter(text::contains).toList();
    }
}
