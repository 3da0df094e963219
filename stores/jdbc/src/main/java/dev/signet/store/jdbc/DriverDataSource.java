package dev.signet.store.jdbc;

import dev.signet.StoreException;
import dev.signet.store.StoreRefusal.Kind;
import java.io.PrintWriter;
import java.sql.Connection;
import java.sql.Driver;
import java.sql.DriverManager;
import java.sql.DriverPropertyInfo;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.function.Supplier;
import java.util.logging.Logger;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Connections made one by one by the driver that the class path has for a JDBC URL, for those who have no pool. Immutable.
 *
 * <p>All that the driver understands may stand in the URL, TLS included ({@code sslmode=verify-full} on PostgreSQL, {@code
 * sslMode=verify-full} on MariaDB). What it does not say about time-outs is set so that a server that is stopped or cut off is
 * given up in seconds. Its text shows neither user, password nor parameters.
 */
public final class DriverDataSource implements DataSource {

    private static final Map<String, Map<String, String>> DEFAULTS = Map.of(
            "jdbc:postgresql:",
            Map.of(
                    "connectTimeout",
                    "3",
                    "socketTimeout",
                    "5",
                    "tcpKeepAlive",
                    "true",
                    "ApplicationName",
                    "signet",
                    // for 10 s the driver would believe that a standby is one, though it was promoted
                    "hostRecheckSeconds",
                    "1"),
            "jdbc:mariadb:",
            Map.of("connectTimeout", "3000", "socketTimeout", "5000", "tcpKeepAlive", "true"));

    private final String url;
    private final Properties properties;
    private final Optional<Supplier<String>> password;

    private DriverDataSource(String url, Properties properties, Optional<Supplier<String>> password) {
        this.url = url;
        this.properties = properties;
        this.password = password;
    }

    /** User and password as the URL has them, or as the server wants none. */
    public static DriverDataSource of(String url) {
        return new DriverDataSource(url, defaults(url), Optional.empty());
    }

    /** These go to the driver beside the URL, and are in no text. */
    public static DriverDataSource of(String url, String user, String password) {
        return of(url).with("user", user).withPassword(() -> password);
    }

    /** With one more of the driver's properties, which is in no text, other than one in the URL. */
    public DriverDataSource with(String property, String value) {
        Properties more = copy();
        more.setProperty(property, value);
        return new DriverDataSource(url, more, password);
    }

    /**
     * With a password that is asked for anew for each connection, since it may change meanwhile.
     *
     * @param source what it throws, a {@link StoreException} for instance, comes out of {@link #getConnection()}
     */
    public DriverDataSource withPassword(Supplier<String> source) {
        return new DriverDataSource(url, properties, Optional.of(source));
    }

    private static Properties defaults(String url) {
        Properties properties = new Properties();
        DEFAULTS.forEach((prefix, values) -> {
            if (url.startsWith(prefix)) {
                values.forEach((name, value) -> {
                    if (!url.contains(name + "=")) {
                        properties.setProperty(name, value);
                    }
                });
            }
        });
        return properties;
    }

    /** @throws StoreException if that will never go well, the URL being malformed or without a driver */
    @Override
    public Connection getConnection() throws SQLException {
        Properties with = copy();
        password.ifPresent(source -> with.setProperty("password", source.get()));
        return connect(with);
    }

    @Override
    public Connection getConnection(String user, String password) throws SQLException {
        Properties with = copy();
        with.setProperty("user", user);
        with.setProperty("password", password);
        return connect(with);
    }

    private Connection connect(Properties with) throws SQLException {
        requireDriver();
        try {
            return DriverManager.getConnection(url, with);
        } catch (SQLException e) {
            if (e.getSQLState() == null || (e.getCause() == null && isMiswritten(with))) {
                // of the driver, about the URL, before it has asked anybody
                throw unusable("cannot be used as it is written (" + withoutSecrets(e) + ")");
            }
            throw String.valueOf(e.getMessage()).contains(url)
                    ? new SQLException(withoutSecrets(e), e.getSQLState(), e.getErrorCode())
                    : e;
        }
    }

    /**
     * Whether a property has a value that the driver does not know. PostgreSQL's reports that as if no connection came about,
     * but for want of a cause.
     */
    private boolean isMiswritten(Properties with) throws SQLException {
        for (DriverPropertyInfo property : DriverManager.getDriver(url).getPropertyInfo(url, with)) {
            if (property.choices != null
                    && property.value != null
                    && Arrays.stream(property.choices).noneMatch(property.value::equalsIgnoreCase)) {
                return true;
            }
        }
        return false;
    }

    /** Where there is none, the fault that is thrown has the whole URL in its text. */
    private void requireDriver() {
        try {
            Driver unused = DriverManager.getDriver(url);
        } catch (SQLException e) {
            throw unusable("is understood by no driver on the class path; write jdbc:postgresql://HOST:PORT/DATABASE or"
                    + " jdbc:mariadb://HOST:PORT/DATABASE, and bring org.postgresql:postgresql or"
                    + " org.mariadb.jdbc:mariadb-java-client");
        }
    }

    private String withoutSecrets(SQLException fault) {
        return Faults.text(fault).replace(url, toString());
    }

    private StoreException unusable(String why) {
        return Server.refusal(Kind.UNSUITABLE_PLACE, "the address " + this + " " + why);
    }

    private Properties copy() {
        Properties copy = new Properties();
        copy.putAll(properties);
        return copy;
    }

    @Override
    public @Nullable PrintWriter getLogWriter() {
        return null;
    }

    @Override
    public void setLogWriter(@Nullable PrintWriter out) throws SQLException {
        throw new SQLFeatureNotSupportedException("the driver logs by itself");
    }

    @Override
    public void setLoginTimeout(int seconds) throws SQLException {
        throw new SQLFeatureNotSupportedException("set the time-outs in the URL");
    }

    @Override
    public int getLoginTimeout() {
        return 0;
    }

    @Override
    public Logger getParentLogger() throws SQLFeatureNotSupportedException {
        throw new SQLFeatureNotSupportedException("the driver logs by itself");
    }

    @Override
    public <T> T unwrap(Class<T> type) throws SQLException {
        if (type.isInstance(this)) {
            return type.cast(this);
        }
        throw new SQLException("this is no " + type.getName());
    }

    @Override
    public boolean isWrapperFor(Class<?> type) {
        return type.isInstance(this);
    }

    /** Where it leads, without what might be secret. */
    @Override
    public String toString() {
        String place = url.replaceFirst("[?;].*", "");
        return place.replaceFirst("//[^/@]*@", "//");
    }
}
