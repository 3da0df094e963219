package dev.signet.store.jdbc;

import dev.signet.store.jdbc.Disturbance.Step;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import javax.sql.DataSource;

/** Real connections to a real server, with a test between the two that sees, changes and breaks what is sent. */
final class DisturbedDataSource {

    private final DataSource real;
    private final Product product;
    private final Disturbance disturbance;

    private DisturbedDataSource(DataSource real, Product product, Disturbance disturbance) {
        this.real = real;
        this.product = product;
        this.disturbance = disturbance;
    }

    static DataSource of(DataSource real, Product product, Disturbance disturbance) {
        return new DisturbedDataSource(real, product, disturbance).proxy();
    }

    /** What happens when a method of the real thing is called. */
    private interface Handling {
        Object handle(Method method, Object[] args) throws Throwable;
    }

    private static <T> T proxy(Class<T> type, Handling handling) {
        InvocationHandler handler =
                (proxy, method, args) -> handling.handle(method, args == null ? new Object[0] : args);
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, handler));
    }

    private static Object call(Object target, Method method, Object[] args) throws Throwable {
        try {
            return method.invoke(target, args);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }

    private DataSource proxy() {
        return proxy(
                DataSource.class,
                (method, args) -> method.getName().equals("getConnection")
                        ? connection(real.getConnection())
                        : call(real, method, args));
    }

    private Connection connection(Connection connection) throws SQLException {
        long id = Product.number(connection, product.idOfConnection());
        return proxy(Connection.class, (method, args) -> switch (method.getName()) {
            case "prepareStatement" ->
                statement(
                        PreparedStatement.class,
                        connection.prepareStatement(disturbance.rewritten((String) args[0])),
                        (String) args[0],
                        id);
            case "createStatement" -> statement(Statement.class, connection.createStatement(), "", id);
            case "commit", "rollback" ->
                sent(
                        step(method.getName().toUpperCase(java.util.Locale.ROOT), id, connection),
                        connection,
                        method,
                        args);
            case "setTransactionIsolation" ->
                call(connection, method, new Object[] {disturbance.isolation((Integer) args[0])});
            case "setAutoCommit" ->
                disturbance.ignoresAutoCommit((Boolean) args[0]) ? null : call(connection, method, args);
            case "close", "abort" -> disturbance.keeps(id) ? null : call(connection, method, args);
            default -> call(connection, method, args);
        });
    }

    private static Step step(String sql, long id, Connection connection) {
        return new Step(sql, Thread.currentThread().getName(), id, connection);
    }

    private <T extends Statement> T statement(Class<T> type, T statement, String prepared, long id) {
        return proxy(type, (method, args) -> {
            if (!method.getName().startsWith("execute")) {
                return call(statement, method, args);
            }
            Object[] changed = args.clone();
            String sql = prepared;
            if (args.length > 0 && args[0] instanceof String text) {
                sql = text;
                changed[0] = disturbance.rewritten(text);
            }
            return sent(step(sql, id, statement.getConnection()), statement, method, changed);
        });
    }

    private Object sent(Step step, Object target, Method method, Object[] args) throws Throwable {
        disturbance.before(step);
        Object answer;
        try {
            answer = call(target, method, args);
        } catch (SQLException e) {
            disturbance.failed(step, e);
            throw e;
        }
        disturbance.after(step);
        return answer;
    }
}
