package dev.signet.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.StringWriter;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The README's Java compiles as it stands there, and the files it names are there. */
@Tag("build")
class ReadmeTest {

    private static final Path ROOT = Path.of(System.getProperty("signet.root"));
    private static final Pattern JAVA_BLOCK = Pattern.compile("```java\\n(.*?)```", Pattern.DOTALL);
    private static final Pattern LINK = Pattern.compile("\\]\\(([^)#:]+)\\)");
    private static final List<String> IMPORTS = List.of(
            "dev.signet.*",
            "dev.signet.fence.jdbc.*",
            "dev.signet.store.*",
            "dev.signet.store.jdbc.*",
            "java.nio.file.Path");

    @Test
    void theTenLinesCompile(@TempDir Path out) throws Exception {
        Matcher block = JAVA_BLOCK.matcher(Files.readString(ROOT.resolve("README.md")));
        assertThat(block.find()).isTrue();
        StringBuilder source = new StringBuilder();
        IMPORTS.forEach(name -> source.append("import ").append(name).append(";\n"));
        source.append("class Example {\n").append(block.group(1)).append("}\n");

        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        StringWriter said = new StringWriter();
        boolean compiled = compiler.getTask(
                        said,
                        null,
                        null,
                        List.of("-proc:none", "-d", out.toString()),
                        null,
                        List.of(new Source(source)))
                .call();

        assertThat(compiled).as(said.toString()).isTrue();
    }

    @Test
    void whatItLinksToIsThere() throws Exception {
        Matcher link = LINK.matcher(Files.readString(ROOT.resolve("README.md")));
        int links = 0;
        while (link.find()) {
            links++;
            assertThat(ROOT.resolve(link.group(1))).exists();
        }
        assertThat(links).isPositive();
    }

    private static final class Source extends SimpleJavaFileObject {

        private final CharSequence text;

        Source(CharSequence text) {
            super(URI.create("string:///Example.java"), JavaFileObject.Kind.SOURCE);
            this.text = text;
        }

        @Override
        public CharSequence getCharContent(boolean ignoreEncodingErrors) {
            return text;
        }
    }
}
