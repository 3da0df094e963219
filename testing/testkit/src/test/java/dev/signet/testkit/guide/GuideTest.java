package dev.signet.testkit.guide;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What the guide shows is what is compiled and tested here, and what it links to is there. */
@Tag("build")
class GuideTest {

    private static final Path ROOT = Path.of(System.getProperty("signet.root"));
    private static final Path GUIDE = ROOT.resolve("docs/guides/write-your-own-store.md");
    private static final Path SOURCES = ROOT.resolve("testing/testkit/src/test/java/dev/signet/testkit/guide");
    private static final Pattern JAVA_BLOCK = Pattern.compile("```java\\n(.*?)```", Pattern.DOTALL);
    private static final Pattern LINK = Pattern.compile("\\]\\(([^)#:]+)\\)");

    @Test
    void itsJavaIsThatOfTheExample() throws IOException {
        StringBuilder sources = new StringBuilder();
        for (String name : List.of("TinyStore.java", "TinyStoreContractTest.java")) {
            sources.append(Files.readString(SOURCES.resolve(name)));
        }
        Matcher block = JAVA_BLOCK.matcher(Files.readString(GUIDE));
        int blocks = 0;
        while (block.find()) {
            blocks++;
            assertThat(sources).contains(block.group(1).strip());
        }
        assertThat(blocks).isGreaterThan(3);
    }

    @Test
    void whatItLinksToIsThere() throws IOException {
        Matcher link = LINK.matcher(Files.readString(GUIDE));
        int links = 0;
        while (link.find()) {
            links++;
            assertThat(GUIDE.resolveSibling(link.group(1))).exists();
        }
        assertThat(links).isPositive();
    }
}
