package dev.signet.testkit;

import dev.signet.testkit.FaultyDataSource.Moment;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.CallableStatement;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.SQLNonTransientConnectionException;
import java.sql.Statement;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A connection of a {@link FaultyDataSource}, and what it hands out. */
final class FaultyConnection {

    private final Connection real;
    private final FaultyDataSource source;
    private volatile boolean broken;

    private FaultyConnection(Connection real, FaultyDataSource source) {
        this.real = real;
        this.source = source;
    }

    static Connection of(Connection real, FaultyDataSource source) {
        return new FaultyConnection(real, source).connection();
    }

    private Connection connection() {
        return proxy(Connection.class, (proxy, method, arguments) -> switch (method.getName()) {
            case "close", "isClosed", "abort" -> pass(real, method, arguments);
            case "isValid" -> !broken && (boolean) result(real, method, arguments);
            case "commit" -> around(Moment.BEFORE_COMMIT, Moment.AFTER_COMMIT, real, method, arguments);
            case "createStatement" -> statement(result(real, method, arguments), (Connection) proxy, Optional.empty());
            case "prepareStatement", "prepareCall" ->
                statement(result(real, method, arguments), (Connection) proxy, firstText(arguments));
            default -> pass(real, method, arguments);
        });
    }

    /** Of whichever kind of statement it is. */
    private Object statement(Object statement, Connection owner, Optional<String> prepared) {
        Class<?> kind = List.of(CallableStatement.class, PreparedStatement.class, Statement.class).stream()
                .filter(type -> type.isInstance(statement))
                .findFirst()
                .orElseThrow();
        return proxy(kind, (proxy, method, arguments) -> {
            if (method.getName().equals("getConnection")) {
                return owner;
            }
            if (!method.getName().startsWith("execute")) {
                return pass(statement, method, arguments);
            }
            String sql =
                    firstText(arguments).or(() -> prepared).orElse("").strip().toUpperCase(Locale.ROOT);
            if (sql.startsWith("COMMIT")) {
                return around(Moment.BEFORE_COMMIT, Moment.AFTER_COMMIT, statement, method, arguments);
            }
            return sql.startsWith("ROLLBACK")
                    ? pass(statement, method, arguments)
                    : around(Moment.BEFORE_STATEMENT, Moment.AFTER_STATEMENT, statement, method, arguments);
        });
    }

    private @Nullable Object around(
            Moment before, Moment after, Object target, Method method, @Nullable Object @Nullable [] arguments)
            throws Throwable {
        strike(before);
        Object result = pass(target, method, arguments);
        strike(after);
        return result;
    }

    private void strike(Moment moment) throws SQLException, InterruptedException {
        Optional<FaultyDataSource.Planned> fault = source.next(moment);
        if (fault.isEmpty()) {
            return;
        }
        if (fault.get().delay().isPresent()) {
            Thread.sleep(fault.get().delay().get().toMillis());
            return;
        }
        broken = true;
        real.abort(Runnable::run);
        throw connectionBroke();
    }

    private static SQLException connectionBroke() {
        return new SQLNonTransientConnectionException("the connection broke, as the test wanted", "08006");
    }

    private @Nullable Object pass(Object target, Method method, @Nullable Object @Nullable [] arguments)
            throws Throwable {
        if (broken && !method.getName().equals("close") && !method.getName().equals("isClosed")) {
            throw connectionBroke();
        }
        try {
            return method.invoke(target, arguments);
        } catch (InvocationTargetException fault) {
            throw fault.getCause() == null ? fault : fault.getCause();
        }
    }

    private Object result(Object target, Method method, @Nullable Object @Nullable [] arguments) throws Throwable {
        Object result = pass(target, method, arguments);
        if (result == null) {
            throw new SQLException(method + " gave nothing");
        }
        return result;
    }

    private static Optional<String> firstText(@Nullable Object @Nullable [] arguments) {
        return arguments != null && arguments.length > 0 && arguments[0] instanceof String sql
                ? Optional.of(sql)
                : Optional.empty();
    }

    private static <T> T proxy(Class<T> kind, InvocationHandler handler) {
        InvocationHandler identity = (proxy, method, arguments) -> switch (method.getName()) {
            case "equals" -> arguments != null && proxy == arguments[0];
            case "hashCode" -> System.identityHashCode(proxy);
            default -> handler.invoke(proxy, method, arguments);
        };
        return kind.cast(
                Proxy.newProxyInstance(FaultyConnection.class.getClassLoader(), new Class<?>[] {kind}, identity));
    }
}
