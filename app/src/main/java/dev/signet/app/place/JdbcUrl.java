package dev.signet.app.place;

import dev.signet.app.cli.Logging;
import dev.signet.app.cli.Redaction;
import dev.signet.store.jdbc.DriverDataSource;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The URL of a database, with the secrets taken out: those go to the driver beside it, so that no text that is made of the URL
 * can show them.
 *
 * @param shown good for people, for the driver, and to be given again
 * @param secrets parameters that stood in it, by name
 */
record JdbcUrl(String shown, Map<String, String> secrets) {

    private static final Pattern FORM =
            Pattern.compile("//(?<hosts>[^/?]*)/(?<database>[^/?]+)(?:[?](?<parameters>.*))?", Pattern.DOTALL);

    /** What is there, in words for whoever named it wrongly. */
    enum Use {
        STORE("store", "--store-user"),
        RESOURCE("resource", "--resource-user");

        private final String noun;
        private final String userOption;

        Use(String noun, String userOption) {
            this.noun = noun;
            this.userOption = userOption;
        }
    }

    /** How the driver of a product reads its URLs. */
    private enum Product {
        POSTGRESQL,
        MARIADB;

        String text(String inUrl) {
            return this == POSTGRESQL ? URLDecoder.decode(inUrl, StandardCharsets.UTF_8) : inUrl;
        }

        String form() {
            return "jdbc:" + name().toLowerCase(Locale.ROOT) + "://HOST/DATABASE";
        }
    }

    static String forms() {
        return Product.POSTGRESQL.form() + ", " + Product.MARIADB.form();
    }

    /**
     * @param rest what stands after {@code jdbc:}
     * @throws IllegalArgumentException if none can be there, without secrets
     */
    static JdbcUrl of(String rest, Use use) {
        int colon = rest.indexOf(':');
        return of(product(colon < 0 ? rest : rest.substring(0, colon), use), rest.substring(colon + 1), use);
    }

    private static Product product(String name, Use use) {
        return switch (name) {
            case "postgresql" -> Product.POSTGRESQL;
            case "mariadb" -> Product.MARIADB;
            case "mysql" ->
                throw new IllegalArgumentException("'jdbc:mysql:' is no " + use.noun
                        + ": MySQL is not supported; if the server is a MariaDB, write " + Product.MARIADB.form());
            default ->
                throw new IllegalArgumentException(
                        "'" + Redaction.of("jdbc:" + name) + ":' is no " + use.noun + "; there are: " + forms());
        };
    }

    private static JdbcUrl of(Product product, String place, Use use) {
        String scheme = product.form().replaceFirst("//.*", "");
        Matcher parts = FORM.matcher(place);
        if (!parts.matches()) {
            throw malformed(scheme + place, "write " + product.form());
        }
        String hosts = parts.group("hosts");
        if (hosts.indexOf('@') >= 0) {
            throw malformed(
                    scheme + place, "name the user by ?user=NAME or " + use.userOption + " NAME, not before the host");
        }
        List<String> kept = new ArrayList<>();
        Map<String, String> secrets = new LinkedHashMap<>();
        String parameters = Optional.ofNullable(parts.group("parameters")).orElse("");
        for (String parameter : parameters.split("&", -1)) {
            int equals = parameter.indexOf('=');
            String name = equals < 0 ? parameter : parameter.substring(0, equals);
            String value = decoded(product, scheme + place, name, parameter.substring(equals < 0 ? 0 : equals + 1));
            if (equals > 0 && Redaction.isSecret(name)) {
                secrets.put(name.equalsIgnoreCase("password") ? "password" : name, value);
            } else if (!parameter.isEmpty()) {
                kept.add(parameter);
            }
        }
        requireHosts(product, hosts, kept, scheme + place, use);
        String shown = scheme + "//" + hosts + "/" + parts.group("database");
        return new JdbcUrl(kept.isEmpty() ? shown : shown + "?" + String.join("&", kept), Map.copyOf(secrets));
    }

    private static String decoded(Product product, String url, String name, String value) {
        try {
            return product.text(value);
        } catch (IllegalArgumentException e) {
            // not as the cause: its message repeats a part of the value
            throw malformed(url, "in the value of " + name + " a '%' has to be written as %25");
        }
    }

    private static void requireHosts(Product product, String hosts, List<String> parameters, String url, Use use) {
        for (String host : hosts.split(",", -1)) {
            HostPort.fault(host).ifPresent(fault -> {
                throw malformed(url, fault);
            });
        }
        if (hosts.indexOf(',') < 0) {
            return;
        }
        // on two servers that both take writes there would be two of them
        if (product == Product.MARIADB) {
            throw malformed(url, "a " + use.noun + " is on one server: name one host");
        }
        if (!parameters.contains("targetServerType=primary")) {
            throw malformed(
                    url, "with several hosts, have the driver take the one that is primary: targetServerType=primary");
        }
    }

    private static IllegalArgumentException malformed(String url, String rule) {
        return new IllegalArgumentException("'" + Redaction.of(url) + "': " + rule);
    }

    boolean isPostgres() {
        return shown.startsWith("jdbc:postgresql:");
    }

    /** Connections made by the driver, one by one. */
    DriverDataSource connections(StoreCredentials credentials) {
        // what it warns of is in the exceptions, too
        Logging.quieten("org.postgresql");
        JdbcUrl url = credentials.user().isPresent() ? withoutUser() : this;
        DriverDataSource connections = DriverDataSource.of(url.shown);
        for (Map.Entry<String, String> secret : secrets.entrySet()) {
            connections = connections.with(secret.getKey(), secret.getValue());
        }
        if (credentials.user().isPresent()) {
            connections = connections.with("user", credentials.user().get());
        }
        return credentials.password().isPresent()
                ? connections.withPassword(credentials.password().get())
                : connections;
    }

    /** The same for another user: the one in the URL is taken out. */
    JdbcUrl withoutUser() {
        int query = shown.indexOf('?');
        if (query < 0) {
            return this;
        }
        List<String> kept = new ArrayList<>();
        for (String parameter : shown.substring(query + 1).split("&", -1)) {
            if (!parameter.toLowerCase(Locale.ROOT).startsWith("user=")) {
                kept.add(parameter);
            }
        }
        String place = shown.substring(0, query);
        return new JdbcUrl(kept.isEmpty() ? place : place + "?" + String.join("&", kept), secrets);
    }

    /** No secret gets out by a record's text. */
    @Override
    public String toString() {
        return shown;
    }
}
