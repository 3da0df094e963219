package dev.signet.fence.jdbc;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;

/** A connection whose close gives it back, once, to whoever lent it. */
final class LentConnection {

    interface Lender {
        void takeBack(Connection connection) throws SQLException;
    }

    private LentConnection() {}

    static Connection of(Connection connection, Lender lender) {
        AtomicBoolean closed = new AtomicBoolean();
        return (Connection) Proxy.newProxyInstance(
                LentConnection.class.getClassLoader(),
                new Class<?>[] {Connection.class},
                (proxy, method, arguments) -> {
                    if (method.getName().equals("close")) {
                        if (!closed.getAndSet(true)) {
                            lender.takeBack(connection);
                        }
                        return null;
                    }
                    if (method.getName().equals("isClosed") && closed.get()) {
                        return true;
                    }
                    try {
                        return method.invoke(connection, arguments);
                    } catch (InvocationTargetException e) {
                        throw Objects.requireNonNullElse(e.getCause(), e);
                    }
                });
    }
}
