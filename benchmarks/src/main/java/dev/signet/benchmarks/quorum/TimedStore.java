package dev.signet.benchmarks.quorum;

import dev.signet.Answer;
import dev.signet.benchmarks.contest.Contender;
import dev.signet.benchmarks.contest.Contestant;
import dev.signet.store.Store;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** A store that tells of each renewal that was accepted when it was sent, and how long it took. */
final class TimedStore {

    private final Store store;
    private final Contender.Elected listener;

    private TimedStore(Store store, Contender.Elected listener) {
        this.store = store;
        this.listener = listener;
    }

    static Store of(Store store, Contender.Elected listener) {
        TimedStore timed = new TimedStore(store, listener);
        return (Store) Proxy.newProxyInstance(
                Store.class.getClassLoader(),
                new Class<?>[] {Store.class},
                (proxy, method, args) -> timed.ask(method, args));
    }

    private @Nullable Object ask(Method method, Object @Nullable [] args) throws Throwable {
        long sent = Contestant.micros();
        @Nullable Object answer;
        try {
            answer = method.invoke(store, args);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
        if (method.getName().equals("renew") && answer instanceof CompletionStage<?> stage) {
            var unused = stage.thenAccept(renewed -> {
                if (renewed instanceof Answer.Done<?, ?>) {
                    listener.renewed(sent, Contestant.micros() - sent);
                }
            });
        }
        return answer;
    }
}
