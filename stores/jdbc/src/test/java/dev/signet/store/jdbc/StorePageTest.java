package dev.signet.store.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.signet.Namespace;
import dev.signet.Role;
import java.io.StringWriter;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What the reference page tells people to type does what it says: its SQL runs, its Java compiles, its links lead somewhere. */
@Tag("process")
class StorePageTest {

    private static final Path PAGE = Path.of(System.getProperty("signet.root"), "docs/reference/store-jdbc.md");
    private static final Pattern JAVA =
            Pattern.compile("<!-- StorePageTest compiles this. -->\n```java\n(.*?)```", Pattern.DOTALL);
    private static final Pattern SQL =
            Pattern.compile("<!-- StorePageTest runs: ([^>]*) -->\n```sql\n(.*?)```", Pattern.DOTALL);
    private static final Pattern LINK = Pattern.compile("\\]\\(([^)#:]+)\\)");
    private static final List<String> IMPORTS = List.of(
            "com.zaxxer.hikari.HikariConfig",
            "com.zaxxer.hikari.HikariDataSource",
            "dev.signet.Namespace",
            "dev.signet.store.jdbc.*",
            "java.time.Duration");

    private static String page() throws Exception {
        return Files.readString(PAGE);
    }

    /** The statements of the one block that is marked so. */
    private static String[] sql(Product product, String mark) throws Exception {
        String wanted = (product + ", " + mark).toLowerCase(Locale.ROOT);
        Matcher block = SQL.matcher(page());
        while (block.find()) {
            if (block.group(1).equals(wanted)) {
                return block.group(2).strip().split(";\\s*");
            }
        }
        throw new AssertionError("no block for " + wanted);
    }

    private static String at(String superuser, String user, String password) {
        return superuser
                .replaceFirst("user=[^&]*", "user=" + user)
                .replaceFirst("password=[^&]*", "password=" + password);
    }

    @ParameterizedTest
    @EnumSource
    void itsSqlMakesAStoreThatWorks(Product product) throws Exception {
        String anywhere = product.newDatabase();
        Product.execute(anywhere, sql(product, "superuser"));
        String superuser = anywhere.replace(Product.nameOfDatabase(anywhere), "signet");
        String owner = at(superuser, "signet_owner", "change-me");
        String app = at(superuser, "signet_app", "change-me-too");
        JdbcStore.init(DriverDataSource.of(owner));
        Product.execute(owner, sql(product, "owner"));
        try (JdbcStore store = JdbcStore.open(DriverDataSource.of(app), Namespace.DEFAULT, Verdicts.OPTIONS)) {
            new Ask(store).open(Duration.ofMinutes(1)).acquire(Role.of("ledger"));
            assertThat(LeastRightsTest.granted(superuser, "signet_app")).isEqualTo(LeastRightsTest.rights());

            product.shared().createUser("signet_reader", "look");
            Product.execute(owner, sql(product, "owner, may look"));
            String reader = at(superuser, "signet_reader", "look");
            for (String query : sql(product, "reader")) {
                assertThat(Product.rows(reader, query))
                        .singleElement()
                        .asString()
                        .contains("default|ledger|1|tester");
            }
        }
    }

    @Test
    void itsJavaCompiles(@TempDir Path out) throws Exception {
        StringBuilder source = new StringBuilder();
        IMPORTS.forEach(name -> source.append("import ").append(name).append(";\n"));
        source.append("class Example {\n");
        Matcher block = JAVA.matcher(page());
        int blocks = 0;
        while (block.find()) {
            source.append(block.group(1));
            blocks++;
        }
        source.append("}\n");
        StringWriter said = new StringWriter();
        boolean compiled = ToolProvider.getSystemJavaCompiler()
                .getTask(
                        said,
                        null,
                        null,
                        List.of("-proc:none", "-d", out.toString()),
                        null,
                        List.of(new Source(source)))
                .call();

        assertThat(compiled).as(said.toString()).isTrue();
        assertThat(blocks).isEqualTo(2);
    }

    /** A block that nothing runs or compiles is only a claim. */
    @Test
    void everyBlockIsOneOfThese() throws Exception {
        assertThat(page().split("\n```(sql|java)\n", -1).length - 1)
                .isEqualTo(count(JAVA.matcher(page())) + count(SQL.matcher(page())));
    }

    private static int count(Matcher matcher) {
        return (int) matcher.results().count();
    }

    @Test
    void whatItLinksToIsThere() throws Exception {
        Matcher link = LINK.matcher(page());
        while (link.find()) {
            assertThat(PAGE.resolveSibling(link.group(1))).exists();
        }
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
