package dev.signet.fence.jdbc;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.CallableStatement;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The connection that the work in a fenced transaction gets: the application's own, but for the ways to end the
 * transaction, which are refused, and for what follows after the database has ended it by itself: nothing more is sent,
 * since it would be committed unchecked. Confined to one thread, as connections are.
 *
 * <p>It guards against mistakes. SQL that hides a COMMIT behind other statements in one string gets past it, and is then
 * found by the mark, after the fact.
 */
final class FencedConnection {

    private static final Set<String> REFUSED = Set.of(
            "commit",
            "rollback",
            "setAutoCommit",
            "setSavepoint",
            "releaseSavepoint",
            "abort",
            "unwrap",
            "setTransactionIsolation");
    private static final Pattern ENDS_TRANSACTION = Pattern.compile(
            "(?:\\s|;|--[^\\n]*(?:\\n|$)|/\\*.*?\\*/)*"
                    + "(begin|commit|end|rollback|savepoint|release|start|abort|prepare\\s+transaction)\\b.*",
            Pattern.CASE_INSENSITIVE | Pattern.DOTALL);

    private final Dialect dialect;
    private final Connection connection;
    private final Connection shown;
    private boolean closed;
    private boolean lost;

    FencedConnection(Dialect dialect, Connection connection) {
        this.dialect = dialect;
        this.connection = connection;
        this.shown = proxy(Connection.class, this::onConnection);
    }

    Connection shown() {
        return shown;
    }

    /** The work has ended: whoever kept the connection cannot use it any more. */
    void close() {
        closed = true;
    }

    /** Whether the database ended the transaction before its time. */
    boolean isLost() {
        return lost;
    }

    private @Nullable Object onConnection(Object proxy, Method method, Object @Nullable [] arguments) throws Throwable {
        String name = method.getName();
        if (method.getDeclaringClass() == Object.class) {
            return ofObject(proxy, method, arguments, connection);
        }
        if (name.equals("isClosed")) {
            return closed;
        }
        if (name.equals("close")) {
            return null;
        }
        if (REFUSED.contains(name)) {
            throw new SQLException(
                    "the transaction belongs to the fence, so that " + name + " is not the work's to call");
        }
        if (name.equals("isWrapperFor")) {
            return arguments != null && arguments[0] == FencedConnection.class;
        }
        if (name.equals("getAutoCommit")) {
            return false;
        }
        Object result = call(connection, method, arguments);
        return result instanceof Statement statement ? wrap(statement) : result;
    }

    private Statement wrap(Statement statement) {
        InvocationHandler handler = (proxy, method, arguments) -> onStatement(statement, proxy, method, arguments);
        if (statement instanceof CallableStatement) {
            return proxy(CallableStatement.class, handler);
        }
        return statement instanceof PreparedStatement
                ? proxy(PreparedStatement.class, handler)
                : proxy(Statement.class, handler);
    }

    private @Nullable Object onStatement(
            Statement statement, Object proxy, Method method, Object @Nullable [] arguments) throws Throwable {
        if (method.getDeclaringClass() == Object.class) {
            return ofObject(proxy, method, arguments, statement);
        }
        return switch (method.getName()) {
            case "getConnection" -> shown;
            case "unwrap" ->
                throw new SQLException("the statement belongs to a fenced transaction and is not unwrapped");
            case "isWrapperFor" -> false;
            case "close", "isClosed" -> invoke(statement, method, arguments);
            default -> call(statement, method, arguments);
        };
    }

    private @Nullable Object call(Object target, Method method, Object @Nullable [] arguments) throws Throwable {
        if (closed) {
            throw new SQLException("the fenced transaction has ended, and its connection with it");
        }
        if (lost) {
            throw new SQLException(
                    "the database has rolled this transaction back by itself; nothing more is written in it");
        }
        if (arguments != null && arguments.length > 0 && arguments[0] instanceof String sql) {
            Matcher ends = ENDS_TRANSACTION.matcher(sql);
            Optional<String> word = ends.matches() ? Optional.of(ends.group(1)) : dialect.endsTransaction(sql);
            if (word.isPresent()) {
                throw new SQLException("the transaction belongs to the fence, and " + word.get()
                        + " would end it, so that it is not the work's to execute");
            }
        }
        try {
            return invoke(target, method, arguments);
        } catch (SQLException e) {
            lost = !dialect.hadTransaction(connection);
            throw e;
        }
    }

    private static @Nullable Object invoke(Object target, Method method, Object @Nullable [] arguments)
            throws Throwable {
        try {
            return method.invoke(target, arguments);
        } catch (InvocationTargetException e) {
            throw e.getCause() == null ? e : e.getCause();
        }
    }

    private static @Nullable Object ofObject(
            Object proxy, Method method, Object @Nullable [] arguments, Object target) {
        return switch (method.getName()) {
            case "equals" -> arguments != null && proxy == arguments[0];
            case "hashCode" -> System.identityHashCode(proxy);
            default -> "fenced " + target;
        };
    }

    private static <T> T proxy(Class<T> type, InvocationHandler handler) {
        return type.cast(
                Proxy.newProxyInstance(FencedConnection.class.getClassLoader(), new Class<?>[] {type}, handler));
    }
}
