package dev.signet.app.cli;

import java.lang.reflect.Proxy;

/**
 * TERM as an event rather than the end of the JVM. By reflection, since javac warns of {@code sun.misc.Signal} in a way that
 * cannot be suppressed, though its module exists to be used like this; where it is absent TERM ends the JVM with 143.
 */
public final class Signals {

    private Signals() {}

    /** From now on TERM does this, on a thread of its own, and nothing else. */
    public static void onTerm(Runnable action) {
        try {
            Class<?> signal = Class.forName("sun.misc.Signal");
            Class<?> handler = Class.forName("sun.misc.SignalHandler");
            Object handling = Proxy.newProxyInstance(
                    Signals.class.getClassLoader(), new Class<?>[] {handler}, (proxy, method, arguments) -> {
                        if (method.getName().equals("handle")) {
                            action.run();
                        }
                        return null;
                    });
            signal.getMethod("handle", signal, handler)
                    .invoke(null, signal.getConstructor(String.class).newInstance("TERM"), handling);
        } catch (ReflectiveOperationException e) {
            // as the class comment says
        }
    }
}
